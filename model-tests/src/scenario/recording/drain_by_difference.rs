//! A reader reports what was recorded since it last looked: by the difference of two snapshots, not by setting anything to
//! zero.
//!
//! Claimed: the differences exist (the snapshots are *monotonic*), none is more than was recorded (*bounded*), and together
//! with the last one, after the join, they are *exact*: nothing is reported twice or never.
//!
//! Never to be seen: an event that is in no difference, because it came between the reading of a counter and its setting
//! to zero (Kamon #393, brpc #3547).
//!
//! To be seen: an event that is reported before the join, and one that is left for the last difference.

use std::sync::Arc;

use countersign::{ClassCounts, Snapshot};

use crate::engine::{Engine, EngineName, JoinHandle};
use crate::scenario::events::{nothing, record_events, recorded};
use crate::scenario::interface::{Required, Scenario, Size};
use crate::subject::Subject;
use crate::verdict::Oracle;
use crate::verdict::{Claim, Outcome, Violation};

/// See the [module](self).
pub enum DrainByDifference {}

impl Scenario for DrainByDifference {
    const NAME: &'static str = "drain_by_difference";
    const CLAIM: &'static str = "differences of snapshots report each event once";

    fn sizes(engine: EngineName) -> Vec<Size> {
        let size = |events, snapshots| Size { threads: 1, events, snapshots, classes: 1, slots: 1 };
        match engine {
            EngineName::Std | EngineName::ShuttleRandom | EngineName::ShuttlePct => vec![size(4, 2), size(16, 4)],
            EngineName::ShuttleDfs => vec![size(1, 1), size(2, 2)],
            EngineName::Loom => vec![size(1, 1), size(2, 2)],
            EngineName::Graph => vec![size(1, 1), size(2, 2), size(4, 3)],
        }
    }

    fn required(_: Size) -> Vec<Required> {
        vec![
            Required::sc("an event reported before the join", |outcome| outcome.0[0] == 1),
            Required::sc("an event reported after it", |outcome| outcome.0[outcome.0.len() - 2] == 1),
        ]
    }

    fn run<E: Engine>(layout: Arc<dyn Subject>, size: Size) -> Result<Outcome, Violation> {
        let recorder = Arc::clone(&layout).register();
        let thread = E::spawn(move || {
            record_events(&*recorder, size);
            recorder
        });
        let mut reported = Snapshot::new([ClassCounts::default()]);
        let mut differences = Vec::new();
        let report = |reported: &mut Snapshot<1>, differences: &mut Vec<_>| {
            let snapshot = Snapshot::new([layout.snapshot()[0]]);
            differences.push(snapshot.since(reported).map(|difference| difference.totals()));
            *reported = snapshot;
        };
        E::run_together();
        (0..size.snapshots).for_each(|_| report(&mut reported, &mut differences));
        let _recorder = thread.join();
        report(&mut reported, &mut differences);

        let oracle = Oracle::new(layout.claims());
        let all = recorded(size.threads, size.events, size.classes);
        let mut sum = ClassCounts::default();
        let mut seen = Vec::new();
        for difference in differences {
            let difference = difference.map_err(|error| Violation {
                claim: Claim::Monotonic,
                claimed: "a difference of two snapshots in turn".to_owned(),
                seen: error.to_string(),
            })?;
            oracle.bounded(&[difference], &nothing(size.classes), &all)?;
            sum = sum.plus(difference);
            seen.extend([difference.allocs, difference.frees]);
        }
        oracle.exact(&[sum], &all)?;
        Ok(Outcome(seen))
    }
}
