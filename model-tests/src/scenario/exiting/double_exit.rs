//! A thread exits, is registered once more by an event in a late destructor, and exits again, while a reader takes
//! snapshots.
//!
//! Claimed: each snapshot counts the thread *once*, in whatever state of its two exits; the snapshots are *monotonic*; a
//! last one is *exact*.
//!
//! Never to be seen: counts that the second exit takes along although the first did already (mimalloc #699).
//!
//! To be seen: a snapshot without the event after the first exit, and one with it.

use std::sync::Arc;

use crate::engine::{Engine, EngineName, JoinHandle};
use crate::scenario::events::{outcome, record_events, recorded, take_snapshots};
use crate::scenario::interface::{Required, Scenario, Size};
use crate::subject::Subject;
use crate::verdict::Oracle;
use crate::verdict::{Outcome, Violation};

/// See the [module](self).
pub enum DoubleExit {}

impl Scenario for DoubleExit {
    const NAME: &'static str = "double_exit";
    const CLAIM: &'static str = "a thread that exits twice is counted exactly once";

    fn sizes(engine: EngineName) -> Vec<Size> {
        let size = |events, snapshots| Size { threads: 1, events, snapshots, classes: 1, slots: 1 };
        match engine {
            EngineName::Std | EngineName::ShuttleRandom | EngineName::ShuttlePct => vec![size(1, 2), size(8, 4)],
            EngineName::ShuttleDfs => vec![size(1, 1)],
            EngineName::Loom => vec![size(1, 1), size(1, 2)],
            EngineName::Graph => vec![size(1, 1), size(1, 2), size(2, 3)],
        }
    }

    fn required(_: Size) -> Vec<Required> {
        vec![
            Required::sc("a snapshot without the later event", |outcome| outcome.0[0] == 1),
            Required::sc("a snapshot with it", |outcome| outcome.0[0] == 2),
        ]
    }

    fn run<E: Engine>(layout: Arc<dyn Subject>, size: Size) -> Result<Outcome, Violation> {
        let recorder = Arc::clone(&layout).register();
        record_events(&*recorder, size);
        let thread = E::spawn({
            let layout = Arc::clone(&layout);
            move || {
                drop(recorder);
                record_events(&*layout.register(), size);
            }
        });
        let snapshots = take_snapshots::<E>(&*layout, size.snapshots);
        thread.join();

        let oracle = Oracle::new(layout.claims());
        let before = recorded(1, size.events, size.classes);
        let all = recorded(2, size.events, size.classes);
        for snapshot in &snapshots {
            oracle.folded_once(snapshot, &before, &all)?;
        }
        oracle.reader(&snapshots, &before, &all)?;
        oracle.after_exits(&layout.snapshot(), &all)?;
        Ok(outcome(&snapshots))
    }
}
