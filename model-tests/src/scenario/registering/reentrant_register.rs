//! A thread registers while it registers: making a recorder allocates, and the event of that allocation comes before the
//! thread has a recorder. So it records without one, and perhaps makes another, while a reader takes snapshots.
//!
//! Claimed: each snapshot counts the thread *once*; the snapshots are *monotonic*; a last one is *exact*.
//!
//! Never to be seen: a thread that is counted twice, because the inner and the outer registration both entered it
//! (thread_local-rs #94).
//!
//! To be seen: a snapshot without any event, and one with an event of each of the three kinds: without a recorder, through
//! the inner and through the outer one.

use std::sync::Arc;

use crate::engine::{Engine, EngineName, JoinHandle};
use crate::scenario::events::{event, nothing, outcome, record_events, recorded, take_snapshots};
use crate::scenario::interface::{Required, Scenario, Size};
use crate::subject::Subject;
use crate::verdict::Oracle;
use crate::verdict::{Outcome, Violation};

/// See the [module](self).
pub enum ReentrantRegister {}

impl Scenario for ReentrantRegister {
    const NAME: &'static str = "reentrant_register";
    const CLAIM: &'static str = "a thread that registers while it registers is counted exactly once";

    fn sizes(engine: EngineName) -> Vec<Size> {
        let size = |events, snapshots, slots| Size { threads: 1, events, snapshots, classes: 1, slots };
        match engine {
            EngineName::Std | EngineName::ShuttleRandom | EngineName::ShuttlePct => vec![size(1, 2, 2), size(8, 4, 2)],
            EngineName::ShuttleDfs => vec![size(1, 1, 1)],
            EngineName::Loom => vec![size(1, 1, 1), size(1, 1, 2)],
            EngineName::Graph => vec![size(1, 1, 1), size(1, 1, 2), size(2, 2, 2)],
        }
    }

    fn required(_: Size) -> Vec<Required> {
        vec![
            Required::sc("a snapshot without any event", |outcome| outcome.0[0] == 0),
            Required::sc("a snapshot with all three kinds", |outcome| outcome.0[0] == 3),
        ]
    }

    fn run<E: Engine>(layout: Arc<dyn Subject>, size: Size) -> Result<Outcome, Violation> {
        let thread = E::spawn({
            let layout = Arc::clone(&layout);
            move || {
                let inner = Arc::clone(&layout).register();
                let outer = Arc::clone(&layout).register();
                for (event, class) in (0..size.events).map(|index| event(index, size.classes)) {
                    layout.record(event, class);
                }
                record_events(&*inner, size);
                drop(inner);
                record_events(&*outer, size);
            }
        });
        let snapshots = take_snapshots::<E>(&*layout, size.snapshots);
        thread.join();

        let oracle = Oracle::new(layout.claims());
        let all = recorded(3, size.events, size.classes);
        for snapshot in &snapshots {
            oracle.folded_once(snapshot, &nothing(size.classes), &all)?;
        }
        oracle.reader(&snapshots, &nothing(size.classes), &all)?;
        oracle.after_exits(&layout.snapshot(), &all)?;
        Ok(outcome(&snapshots))
    }
}
