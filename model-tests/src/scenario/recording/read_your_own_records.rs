//! A thread records and then takes a snapshot, perhaps several times, while others record.
//!
//! Claimed: each snapshot counts what its own thread has recorded before, and is otherwise *bounded*; the snapshots are
//! *monotonic* and *never negative in use*; a last one is *exact*.
//!
//! Never to be seen: a thread that misses its own events, because they wait to be merged or a cached sum is returned.
//!
//! To be seen: a snapshot with the thread's own events alone, and one with another's too.
//!
//! On loom the thread takes one snapshot and records nothing after it: the snapshot loads the thread's own cells, and where
//! a thread stores to what it has loaded, loom misses the races with other readers (loom #166).

use std::sync::Arc;

use crate::engine::{Engine, EngineName, JoinHandle};
use crate::scenario::events::{outcome, record_events, recorded};
use crate::scenario::interface::{Required, Scenario, Size};
use crate::subject::Subject;
use crate::verdict::Oracle;
use crate::verdict::{Outcome, Violation};

/// See the [module](self).
pub enum ReadYourOwnRecords {}

impl Scenario for ReadYourOwnRecords {
    const NAME: &'static str = "read_your_own_records";
    const CLAIM: &'static str = "a snapshot counts what its own thread has recorded";

    fn sizes(engine: EngineName) -> Vec<Size> {
        let size = |threads, events, snapshots| Size { threads, events, snapshots, classes: 1, slots: 2 };
        match engine {
            EngineName::Std | EngineName::ShuttleRandom | EngineName::ShuttlePct => vec![size(1, 1, 2), size(8, 8, 4)],
            EngineName::ShuttleDfs => vec![size(1, 1, 1), size(1, 1, 2), size(1, 2, 2)],
            EngineName::Loom => vec![size(1, 1, 1), size(1, 2, 1)],
            EngineName::Graph => vec![size(1, 1, 1), size(1, 2, 2), size(2, 2, 2)],
        }
    }

    fn required(size: Size) -> Vec<Required> {
        let mut required = vec![Required::sc("a snapshot with another's event too", |outcome| outcome.0[0] > 1)];
        if size.events == 1 {
            required.push(Required::sc("a snapshot with the thread's own event alone", |outcome| outcome.0[0] == 1));
        }
        required
    }

    fn run<E: Engine>(layout: Arc<dyn Subject>, size: Size) -> Result<Outcome, Violation> {
        let own = Arc::clone(&layout).register();
        let recorders: Vec<_> = (0..size.threads).map(|_| Arc::clone(&layout).register()).collect();
        let threads: Vec<_> = recorders
            .into_iter()
            .map(|recorder| {
                E::spawn(move || {
                    record_events(&*recorder, size);
                    recorder
                })
            })
            .collect();
        let take = |_| {
            record_events(&*own, size);
            layout.snapshot()
        };
        E::run_together();
        let snapshots: Vec<_> = (0..size.snapshots).map(take).collect();
        let _recorders: Vec<_> = threads.into_iter().map(JoinHandle::join).collect();

        let oracle = Oracle::new(layout.claims());
        let all = recorded(size.threads + size.snapshots, size.events, size.classes);
        for (index, snapshot) in snapshots.iter().enumerate() {
            let before = recorded(index + 1, size.events, size.classes);
            let until = recorded(index + 1 + size.threads, size.events, size.classes);
            oracle.bounded(snapshot, &before, &until)?;
        }
        oracle.reader(&snapshots, &recorded(1, size.events, size.classes), &all)?;
        oracle.exact(&layout.snapshot(), &all)?;
        Ok(outcome(&snapshots))
    }
}
