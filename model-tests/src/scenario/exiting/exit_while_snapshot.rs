//! A thread with counts exits while a reader takes snapshots.
//!
//! Claimed: each snapshot counts the thread *once*, in whatever state of its exit; the snapshots are *monotonic*; a last
//! one is *exact*.
//!
//! Never to be seen: a snapshot without what was recorded before the exit began (folly #133: the thread left the
//! reader's list before its counts were in the total), or with it twice (openjdk/jdk #13814).
//!
//! To be seen: a snapshot without the event that the thread records last, and one with it.

use std::sync::Arc;

use countersign::{ClassCounts, Event};

use crate::engine::{Engine, EngineName, JoinHandle};
use crate::scenario::events::{outcome, take_snapshots};
use crate::scenario::interface::{Required, Scenario, Size};
use crate::subject::Subject;
use crate::verdict::Oracle;
use crate::verdict::{Outcome, Violation};

/// See the [module](self).
pub enum ExitWhileSnapshot {}

impl Scenario for ExitWhileSnapshot {
    const NAME: &'static str = "exit_while_snapshot";
    const CLAIM: &'static str = "a thread that exits beside a snapshot is counted exactly once";

    fn sizes(engine: EngineName) -> Vec<Size> {
        let size = |events, snapshots| Size { threads: 1, events, snapshots, classes: 1, slots: 1 };
        match engine {
            EngineName::Std | EngineName::ShuttleRandom | EngineName::ShuttlePct => vec![size(2, 2), size(2, 4)],
            EngineName::ShuttleDfs => vec![size(1, 1), size(1, 2)],
            EngineName::Loom => vec![size(1, 1), size(1, 2), size(2, 2)],
            EngineName::Graph => vec![size(1, 1), size(2, 2), size(3, 5)],
        }
    }

    fn least() -> Size {
        Size { threads: 1, events: 1, snapshots: 0, classes: 1, slots: 1 }
    }

    fn required(_: Size) -> Vec<Required> {
        vec![
            Required::sc("a snapshot without the last event", |outcome| outcome.0[1] == 0),
            Required::sc("a snapshot with the last event", |outcome| outcome.0[1] == 1),
        ]
    }

    fn run<E: Engine>(layout: Arc<dyn Subject>, size: Size) -> Result<Outcome, Violation> {
        let recorder = Arc::clone(&layout).register();
        (0..size.events).for_each(|_| recorder.record(Event::Alloc, 0));
        let thread = E::spawn(move || {
            recorder.record(Event::Free, 0);
            drop(recorder);
        });
        let snapshots = take_snapshots::<E>(&*layout, size.snapshots);
        thread.join();

        let oracle = Oracle::new(layout.claims());
        let before = [ClassCounts { allocs: size.events as u64, frees: 0 }];
        let all = [ClassCounts { allocs: size.events as u64, frees: 1 }];
        for snapshot in &snapshots {
            oracle.folded_once(snapshot, &before, &all)?;
        }
        oracle.reader(&snapshots, &before, &all)?;
        oracle.after_exits(&layout.snapshot(), &all)?;
        Ok(outcome(&snapshots))
    }
}
