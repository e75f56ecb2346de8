//! One reader takes a snapshot and says so; another, who knows, takes one after it; meanwhile a thread records.
//!
//! Claimed: the snapshots are *monotonic* across the two readers, as they would be on one thread, and *bounded*.
//!
//! Never to be seen: a later snapshot that is smaller, because only the first reader's view of the counters had moved on.
//!
//! To be seen: the later snapshot equal to the earlier, and larger; and a second reader who does not know yet, and so takes
//! none.

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
pub enum MonotonicAcrossThreads {}

impl Scenario for MonotonicAcrossThreads {
    const NAME: &'static str = "monotonic_across_threads";
    const CLAIM: &'static str = "of two readers' snapshots the later is nowhere smaller";

    fn sizes(engine: EngineName) -> Vec<Size> {
        let size = |events| Size { threads: 1, events, snapshots: 2, classes: 1, slots: 1 };
        match engine {
            EngineName::Std | EngineName::ShuttleRandom | EngineName::ShuttlePct => vec![size(2), size(16)],
            EngineName::ShuttleDfs | EngineName::Loom => vec![size(1), size(2)],
            EngineName::Graph => vec![size(1), size(2), size(4)],
        }
    }

    fn required(_: Size) -> Vec<Required> {
        vec![
            Required::sc("a second reader who does not know", |outcome| outcome.0.len() == 2),
            Required::sc("a later snapshot with as much", |outcome| {
                outcome.0.len() == 4 && outcome.0[2] == outcome.0[0]
            }),
            Required::sc("a later snapshot with more", |outcome| outcome.0.len() == 4 && outcome.0[2] > outcome.0[0]),
        ]
    }

    fn run<E: Engine>(layout: Arc<dyn Subject>, size: Size) -> Result<Outcome, Violation> {
        let taken = Arc::new(<E as Primitives>::AtomicU64::named(0, format_args!("taken")));
        let recorder = Arc::clone(&layout).register();
        let thread = E::spawn(move || {
            record_events(&*recorder, size);
            recorder
        });
        let reader = E::spawn({
            let (layout, taken) = (Arc::clone(&layout), Arc::clone(&taken));
            move || {
                let snapshot = layout.snapshot();
                // Release, with the Acquire below: this snapshot happens-before one by who reads this.
                taken.store(1, Release);
                snapshot
            }
        });
        E::run_together();
        // Acquire, with the Release above. Without the edge there is nothing to compare.
        let later = (taken.load(Acquire) == 1).then(|| layout.snapshot());
        let snapshots: Vec<_> = [reader.join()].into_iter().chain(later).collect();
        let _recorder = thread.join();

        let oracle = Oracle::new(layout.claims());
        let all = recorded(size.threads, size.events, size.classes);
        oracle.reader(&snapshots, &nothing(size.classes), &all)?;
        oracle.exact(&layout.snapshot(), &all)?;
        Ok(outcome(&snapshots))
    }
}
