//! A thread registers where another has exited, and records, while a reader takes snapshots. The other had counts, and is
//! gone before the race begins.
//!
//! Claimed: each snapshot counts the exited thread *once*, whatever becomes of its cells; the snapshots are *monotonic*; a
//! last one is *exact*.
//!
//! Never to be seen: a snapshot without the exited thread's counts, or with them twice, because its cells are cleared
//! for the next one while a reader adds up (peak #63).
//!
//! To be seen: a snapshot without the new thread's event, and one with it.

use std::sync::Arc;

use crate::engine::{Engine, EngineName, JoinHandle};
use crate::scenario::events::{outcome, record_events, recorded, take_snapshots};
use crate::scenario::interface::{Required, Scenario, Size};
use crate::subject::Subject;
use crate::verdict::Oracle;
use crate::verdict::{Outcome, Violation};

/// See the [module](self).
pub enum SnapshotWhileAdopting {}

impl Scenario for SnapshotWhileAdopting {
    const NAME: &'static str = "snapshot_while_adopting";
    const CLAIM: &'static str = "an exited thread stays counted once while another goes on in its place";

    fn sizes(engine: EngineName) -> Vec<Size> {
        let size = |events, snapshots| Size { threads: 1, events, snapshots, classes: 1, slots: 1 };
        match engine {
            EngineName::Std | EngineName::ShuttleRandom | EngineName::ShuttlePct => vec![size(1, 2), size(8, 4)],
            EngineName::ShuttleDfs => vec![size(1, 1), size(1, 2)],
            EngineName::Loom => vec![size(1, 1), size(1, 2), size(2, 2)],
            EngineName::Graph => vec![size(1, 1), size(1, 2), size(2, 2), size(2, 3)],
        }
    }

    fn required(size: Size) -> Vec<Required> {
        // A size of one event: one alloc by the exited thread and one by the new one.
        if size.events > 1 {
            return Vec::new();
        }
        vec![
            Required::sc("a snapshot with the exited thread alone", |outcome| outcome.0[0] == 1),
            Required::sc("a snapshot with the new thread too", |outcome| outcome.0[0] == 2),
        ]
    }

    fn run<E: Engine>(layout: Arc<dyn Subject>, size: Size) -> Result<Outcome, Violation> {
        record_events(&*Arc::clone(&layout).register(), size);
        let thread = E::spawn({
            let layout = Arc::clone(&layout);
            move || {
                let recorder = layout.register();
                record_events(&*recorder, size);
                recorder
            }
        });
        let snapshots = take_snapshots::<E>(&*layout, size.snapshots);
        let _recorder = thread.join();

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
