//! A thread says that it is done and only then retires, as under `std::thread::scope`, which may return before the
//! destructors of thread-locals have run.
//!
//! Claimed: a snapshot by who knows that the thread is done is *exact*, whether its recorder is dropped already, is being
//! dropped or still lives. Other snapshots are *bounded*.
//!
//! Never to be seen: a thread that is done and not counted, because its counts wait for a destructor (rust-lang/rust pull
//! request 149482 documents that they may wait in vain).
//!
//! To be seen: a snapshot when the thread is not known to be done, and one when it is.

use std::sync::Arc;
use std::sync::atomic::Ordering::{Acquire, Release};

use countersign::{Atomic, Primitives};

use crate::engine::{Engine, EngineName, JoinHandle};
use crate::scenario::events::{nothing, outcome, record_events, recorded};
use crate::scenario::interface::{Required, Scenario, Size};
use crate::subject::Subject;
use crate::verdict::Oracle;
use crate::verdict::{Outcome, Violation};

/// See the [module](self).
pub enum ScopeExit {}

impl Scenario for ScopeExit {
    const NAME: &'static str = "scope_exit";
    const CLAIM: &'static str = "when a thread is done its counts are exact, although no destructor has run yet";

    fn sizes(engine: EngineName) -> Vec<Size> {
        let size = |threads, events| Size { threads, events, snapshots: 1, classes: 1, slots: 2 };
        match engine {
            EngineName::Std | EngineName::ShuttleRandom | EngineName::ShuttlePct => vec![size(2, 2), size(8, 8)],
            EngineName::ShuttleDfs | EngineName::Loom => vec![size(1, 1), size(1, 2)],
            EngineName::Graph => vec![size(1, 1), size(1, 2), size(2, 2)],
        }
    }

    fn required(_: Size) -> Vec<Required> {
        vec![
            Required::sc("a snapshot when not every thread is known to be done", |outcome| outcome.0[0] == 0),
            Required::sc("a snapshot when all are", |outcome| outcome.0[0] == 1),
        ]
    }

    fn run<E: Engine>(layout: Arc<dyn Subject>, size: Size) -> Result<Outcome, Violation> {
        let done = Arc::new(<E as Primitives>::AtomicU64::named(0, format_args!("done")));
        let recorders: Vec<_> = (0..size.threads).map(|_| Arc::clone(&layout).register()).collect();
        let threads: Vec<_> = recorders
            .into_iter()
            .map(|recorder| {
                let done = Arc::clone(&done);
                E::spawn(move || {
                    record_events(&*recorder, size);
                    // Release, with the Acquire below: the thread's events happen-before a snapshot by who reads this.
                    done.fetch_add(1, Release);
                    drop(recorder);
                })
            })
            .collect();
        E::run_together();
        // Acquire, with the Release above; the additions of the others continue its release sequence.
        let all_done = done.load(Acquire) == size.threads as u64;
        let snapshot = layout.snapshot();
        threads.into_iter().for_each(JoinHandle::join);

        let oracle = Oracle::new(layout.claims());
        let all = recorded(size.threads, size.events, size.classes);
        if all_done {
            oracle.exact(&snapshot, &all)?;
        }
        oracle.bounded(&snapshot, &nothing(size.classes), &all)?;
        oracle.exact(&layout.snapshot(), &all)?;
        let mut seen = outcome(&[snapshot]);
        seen.0.insert(0, u64::from(all_done));
        Ok(seen)
    }
}
