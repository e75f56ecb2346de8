//! A thread records in two classes while a reader takes snapshots: each has parts, the classes, and a whole, their sum.
//!
//! Claimed: the parts are *bounded*, each by what is recorded in its class, and so is the sum; both are *monotonic*; a last
//! snapshot is *exact*, in parts and in sum.
//!
//! Never to be seen: a part that is more than the whole allows, because the two were read at different times
//! (golang/go #38712, client_golang #275).
//!
//! To be seen: the first class counted without the second, the second without the first, and both. And, on weak memory
//! alone: a free that the thread recorded earlier, not counted after a later alloc was.

use std::sync::Arc;

use countersign::ClassCounts;

use crate::engine::{Engine, EngineName, JoinHandle};
use crate::scenario::events::{nothing, outcome, record_events, recorded, take_snapshots};
use crate::scenario::interface::{Required, Scenario, Size};
use crate::subject::Subject;
use crate::verdict::Oracle;
use crate::verdict::{Outcome, Violation};

/// See the [module](self).
pub enum RecordsOfOneSnapshotAddUp {}

impl Scenario for RecordsOfOneSnapshotAddUp {
    const NAME: &'static str = "records_of_one_snapshot_add_up";
    const CLAIM: &'static str = "the classes of a snapshot and their sum are both bounded and monotonic";

    fn sizes(engine: EngineName) -> Vec<Size> {
        // Three events reach the second class.
        let size = |events, snapshots| Size { threads: 1, events, snapshots, classes: 2, slots: 2 };
        match engine {
            EngineName::Std | EngineName::ShuttleRandom | EngineName::ShuttlePct => vec![size(3, 2), size(16, 4)],
            EngineName::ShuttleDfs => vec![size(3, 1)],
            EngineName::Loom => vec![size(3, 1), size(3, 2)],
            EngineName::Graph => vec![size(3, 1), size(3, 2), size(4, 3)],
        }
    }

    fn required(size: Size) -> Vec<Required> {
        let mut required = vec![
            Required::sc("the first class alone", |outcome| outcome.0[0] == 1 && outcome.0[2] == 0),
            Required::sc("the second class without the first", |outcome| outcome.0[0] == 0 && outcome.0[2] == 1),
            Required::sc("both classes", |outcome| outcome.0[0] == 1 && outcome.0[2] == 1),
        ];
        if size.snapshots > 1 {
            // The alloc is Relaxed, so whoever counts it knows nothing of what came before.
            required.push(Required::weak("an alloc counted, and then the free before it not", |outcome| {
                outcome.0[2] == 1 && outcome.0[5] == 0
            }));
        }
        required
    }

    fn run<E: Engine>(layout: Arc<dyn Subject>, size: Size) -> Result<Outcome, Violation> {
        let recorder = Arc::clone(&layout).register();
        let thread = E::spawn(move || {
            record_events(&*recorder, size);
            recorder
        });
        let snapshots = take_snapshots::<E>(&*layout, size.snapshots);
        let _recorder = thread.join();

        let oracle = Oracle::new(layout.claims());
        let all = recorded(size.threads, size.events, size.classes);
        let sums: Vec<_> = snapshots.iter().map(|snapshot| sum(snapshot)).collect();
        oracle.reader(&snapshots, &nothing(size.classes), &all)?;
        oracle.reader(&sums, &nothing(1), &sum(&all))?;
        let last = layout.snapshot();
        oracle.exact(&last, &all)?;
        oracle.exact(&sum(&last), &sum(&all))?;
        Ok(outcome(&snapshots))
    }
}

/// The sum of the classes, as the only class.
fn sum(classes: &[ClassCounts]) -> Vec<ClassCounts> {
    vec![classes.iter().fold(ClassCounts::default(), |sum, counts| sum.plus(*counts))]
}
