//! A thread registers and records while a reader takes snapshots.
//!
//! Claimed: each snapshot is *bounded*, the snapshots are *monotonic* and *never negative in use*, and a last one is
//! *exact*.
//!
//! Never to be seen: counts of cells that are in the reader's list but not yet initialised (thread_local-rs #33), or that
//! are in it twice.
//!
//! To be seen: a snapshot without the new thread's event, and one with it.

use std::sync::Arc;

use crate::engine::{Engine, EngineName, JoinHandle};
use crate::scenario::events::{nothing, outcome, record_events, recorded, take_snapshots};
use crate::scenario::interface::{Required, Scenario, Size};
use crate::subject::Subject;
use crate::verdict::Oracle;
use crate::verdict::{Outcome, Violation};

/// See the [module](self).
pub enum RegisterWhileSnapshot {}

impl Scenario for RegisterWhileSnapshot {
    const NAME: &'static str = "register_while_snapshot";
    const CLAIM: &'static str = "a thread that registers beside a snapshot is counted as any other";

    fn sizes(engine: EngineName) -> Vec<Size> {
        let size = |threads, events, snapshots| Size { threads, events, snapshots, classes: 1, slots: 2 };
        match engine {
            EngineName::Std | EngineName::ShuttleRandom | EngineName::ShuttlePct => vec![size(2, 2, 2), size(8, 8, 4)],
            EngineName::ShuttleDfs => vec![size(1, 1, 1), size(1, 1, 2)],
            EngineName::Loom => vec![size(1, 1, 1), size(1, 1, 2), size(1, 2, 2)],
            EngineName::Graph => vec![size(1, 1, 1), size(1, 2, 2), size(2, 1, 2)],
        }
    }

    fn required(_: Size) -> Vec<Required> {
        vec![
            Required::sc("a snapshot without any event", |outcome| outcome.0[0] == 0),
            Required::sc("a snapshot with one", |outcome| outcome.0[0] > 0),
        ]
    }

    fn run<E: Engine>(layout: Arc<dyn Subject>, size: Size) -> Result<Outcome, Violation> {
        let threads: Vec<_> = (0..size.threads)
            .map(|_| {
                let layout = Arc::clone(&layout);
                E::spawn(move || {
                    let recorder = layout.register();
                    record_events(&*recorder, size);
                    recorder
                })
            })
            .collect();
        let snapshots = take_snapshots::<E>(&*layout, size.snapshots);
        let _recorders: Vec<_> = threads.into_iter().map(JoinHandle::join).collect();

        let oracle = Oracle::new(layout.claims());
        let all = recorded(size.threads, size.events, size.classes);
        oracle.reader(&snapshots, &nothing(size.classes), &all)?;
        oracle.exact(&layout.snapshot(), &all)?;
        Ok(outcome(&snapshots))
    }
}
