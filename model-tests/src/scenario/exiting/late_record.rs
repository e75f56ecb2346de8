//! A thread records on after it retired, as destructors of thread-locals do, while a reader takes snapshots.
//!
//! Claimed: late events count like any others: each snapshot is *bounded*, the snapshots are *monotonic* and *never
//! negative in use*, and a last one is *exact*.
//!
//! Never to be seen: a late event that is lost (accounting-allocator; valkey-search #1402: an add after the node's
//! destruction returns early).
//!
//! To be seen: a snapshot without the late events, and one with them.

use std::sync::Arc;

use crate::engine::{Engine, EngineName, JoinHandle};
use crate::scenario::events::{event, nothing, outcome, record_events, recorded, take_snapshots};
use crate::scenario::interface::{Required, Scenario, Size};
use crate::subject::Subject;
use crate::verdict::Oracle;
use crate::verdict::{Outcome, Violation};

/// See the [module](self).
pub enum LateRecord {}

impl Scenario for LateRecord {
    const NAME: &'static str = "late_record";
    const CLAIM: &'static str = "events that a thread records after it retired are counted";

    fn sizes(engine: EngineName) -> Vec<Size> {
        let size = |events, snapshots| Size { threads: 1, events, snapshots, classes: 1, slots: 1 };
        match engine {
            EngineName::Std | EngineName::ShuttleRandom | EngineName::ShuttlePct => vec![size(2, 2), size(8, 4)],
            EngineName::ShuttleDfs => vec![size(1, 1), size(2, 1)],
            EngineName::Loom => vec![size(1, 1), size(2, 1), size(2, 2)],
            EngineName::Graph => vec![size(1, 1), size(2, 2), size(4, 2), size(6, 3)],
        }
    }

    fn least() -> Size {
        Size { threads: 1, events: 0, snapshots: 0, classes: 1, slots: 1 }
    }

    fn required(_: Size) -> Vec<Required> {
        vec![
            Required::sc("a snapshot without any event", |outcome| outcome.0[0] == 0),
            Required::sc("a snapshot with the late events", |outcome| outcome.0[0] > 1),
        ]
    }

    fn run<E: Engine>(layout: Arc<dyn Subject>, size: Size) -> Result<Outcome, Violation> {
        let recorder = Arc::clone(&layout).register();
        let thread = E::spawn({
            let layout = Arc::clone(&layout);
            move || {
                record_events(&*recorder, size);
                drop(recorder);
                for (event, class) in (0..size.events).map(|index| event(index, size.classes)) {
                    layout.record(event, class);
                }
            }
        });
        let snapshots = take_snapshots::<E>(&*layout, size.snapshots);
        thread.join();

        let oracle = Oracle::new(layout.claims());
        let all = recorded(2, size.events, size.classes);
        oracle.reader(&snapshots, &nothing(size.classes), &all)?;
        oracle.exact(&layout.snapshot(), &all)?;
        Ok(outcome(&snapshots))
    }
}
