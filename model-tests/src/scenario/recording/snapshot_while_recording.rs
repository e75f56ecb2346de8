//! Threads record while a reader takes snapshots. Everybody is registered beforehand and retires afterwards.
//!
//! Claimed: each snapshot is *bounded*, the snapshots are *monotonic*, in use is *never negative*, and a last snapshot,
//! after the threads were joined, is *exact*.
//!
//! Never to be seen: a snapshot that is nowhere between nothing and everything, a later one that is smaller, a free
//! without its alloc, and, in the form with a hand-off, a snapshot without the events that were handed over before it.
//!
//! To be seen: a snapshot with nothing yet, one with everything, and two snapshots of which the second has more.

use std::sync::Arc;
use std::sync::atomic::Ordering::{Acquire, Release};

use countersign::{Atomic, Primitives};

use crate::engine::{Engine, EngineName, JoinHandle};
use crate::scenario::events::{event, nothing, outcome, record_events, recorded, take_snapshots};
use crate::scenario::interface::{Required, Scenario, Size};
use crate::subject::Subject;
use crate::verdict::Oracle;
use crate::verdict::{Outcome, Violation};

/// See the [module](self).
pub enum SnapshotWhileRecording {}

/// The form with a hand-off: one thread says after each event that it was recorded, and the reader asks before each
/// snapshot. See the [module](self).
pub enum SnapshotAfterHandoff {}

impl Scenario for SnapshotWhileRecording {
    const NAME: &'static str = "snapshot_while_recording";
    const CLAIM: &'static str = "snapshots beside recording threads are bounded, monotonic and never negative in use";

    fn sizes(engine: EngineName) -> Vec<Size> {
        let size = |threads: usize, events, snapshots, classes| {
            let slots = if engine == EngineName::Graph { threads.max(2) } else { 2 };
            Size { threads, events, snapshots, classes, slots }
        };
        match engine {
            EngineName::Std | EngineName::ShuttleRandom | EngineName::ShuttlePct => {
                vec![size(2, 4, 2, 2), size(8, 16, 4, 2)]
            }
            EngineName::ShuttleDfs => vec![size(1, 2, 1, 1), size(1, 2, 2, 1), size(2, 1, 1, 1)],
            EngineName::Loom => vec![size(1, 2, 1, 1), size(1, 2, 2, 1), size(2, 1, 1, 1), size(2, 2, 1, 1)],
            EngineName::Graph => vec![size(1, 2, 1, 1), size(2, 2, 2, 1), size(3, 2, 2, 1), size(3, 2, 3, 1)],
        }
    }

    fn least() -> Size {
        Size { threads: 0, events: 0, snapshots: 0, classes: 1, slots: 2 }
    }

    fn required(size: Size) -> Vec<Required> {
        let mut required = vec![
            Required::sc("a snapshot with nothing", |outcome| outcome.0[..2] == [0, 0]),
            Required::sc("a snapshot with something", |outcome| outcome.0[0] > 0),
        ];
        if size.snapshots == 2 && size.classes == 1 {
            required.push(Required::sc("a second snapshot with more", |outcome| outcome.0[2] > outcome.0[0]));
        }
        required
    }

    fn run<E: Engine>(layout: Arc<dyn Subject>, size: Size) -> Result<Outcome, Violation> {
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
        let snapshots = take_snapshots::<E>(&*layout, size.snapshots);
        let _recorders: Vec<_> = threads.into_iter().map(JoinHandle::join).collect();

        let oracle = Oracle::new(layout.claims());
        let all = recorded(size.threads, size.events, size.classes);
        oracle.reader(&snapshots, &nothing(size.classes), &all)?;
        oracle.exact(&layout.snapshot(), &all)?;
        Ok(outcome(&snapshots))
    }
}

impl Scenario for SnapshotAfterHandoff {
    const NAME: &'static str = "snapshot_while_recording/handoff";
    const CLAIM: &'static str = "a snapshot counts every event that was handed over before it";

    fn sizes(engine: EngineName) -> Vec<Size> {
        let size = |events, snapshots| Size { threads: 1, events, snapshots, classes: 1, slots: 1 };
        match engine {
            EngineName::Std | EngineName::ShuttleRandom | EngineName::ShuttlePct => vec![size(4, 2), size(16, 4)],
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
            Required::sc("nothing handed over", |outcome| outcome.0[0] == 0),
            Required::sc("something handed over", |outcome| outcome.0[0] > 0),
            Required::sc("an event counted that was not handed over", |outcome| {
                outcome.0[1] > outcome.0[0].div_ceil(2)
            }),
        ]
    }

    fn run<E: Engine>(layout: Arc<dyn Subject>, size: Size) -> Result<Outcome, Violation> {
        let recorder = Arc::clone(&layout).register();
        let handed_over = Arc::new(<E as Primitives>::AtomicU64::named(0, format_args!("handed_over")));
        let thread = E::spawn({
            let handed_over = Arc::clone(&handed_over);
            move || {
                for index in 0..size.events {
                    let (event, class) = event(index, size.classes);
                    recorder.record(event, class);
                    // Release, with the Acquire below: the event happens-before a snapshot by who reads this.
                    handed_over.store(index as u64 + 1, Release);
                }
                recorder
            }
        });
        E::run_together();
        let pairs: Vec<_> = (0..size.snapshots)
            // Acquire, with the Release above.
            .map(|_| (handed_over.load(Acquire), layout.snapshot()))
            .collect();
        let _recorder = thread.join();

        let oracle = Oracle::new(layout.claims());
        let all = recorded(1, size.events, size.classes);
        for (handed_over, snapshot) in &pairs {
            oracle.bounded(snapshot, &recorded(1, *handed_over as usize, size.classes), &all)?;
            oracle.in_use_never_negative(snapshot)?;
        }
        pairs.windows(2).try_for_each(|pair| oracle.monotonic(&pair[0].1, &pair[1].1))?;
        oracle.exact(&layout.snapshot(), &all)?;
        let seen = pairs.iter().flat_map(|(handed_over, snapshot)| {
            [*handed_over].into_iter().chain(outcome(std::slice::from_ref(snapshot)).0)
        });
        Ok(Outcome(seen.collect()))
    }
}
