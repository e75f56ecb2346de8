//! Threads register at the same time and record; none retires before all have recorded.
//!
//! Claimed: a snapshot after the join is *exact*: no two threads own the same cells.
//!
//! Never to be seen: an event too few, because two owners wrote one cell.
//!
//! To be seen: either thread after the other, and both at once.

use std::sync::Arc;

use crate::engine::{Engine, EngineName, JoinHandle};
use crate::scenario::events::{outcome, record_events, recorded};
use crate::scenario::interface::{Required, Scenario, Size};
use crate::scenario::overlap::{self, Overlap};
use crate::subject::Subject;
use crate::verdict::Oracle;
use crate::verdict::{Outcome, Violation};

/// See the [module](self).
pub enum ClaimRace {}

impl Scenario for ClaimRace {
    const NAME: &'static str = "claim_race";
    const CLAIM: &'static str = "threads that register at the same time get cells of their own";

    fn sizes(engine: EngineName) -> Vec<Size> {
        let size = |threads, events, slots| Size { threads, events, snapshots: 0, classes: 1, slots };
        match engine {
            EngineName::Std | EngineName::ShuttleRandom | EngineName::ShuttlePct => vec![size(2, 2, 2), size(8, 4, 2)],
            EngineName::ShuttleDfs => vec![size(2, 1, 1), size(2, 1, 2)],
            EngineName::Loom => vec![size(2, 1, 1), size(2, 1, 2), size(2, 2, 2)],
            EngineName::Graph => vec![size(2, 1, 1), size(2, 2, 2), size(3, 1, 2), size(3, 2, 3), size(4, 2, 3)],
        }
    }

    fn least() -> Size {
        Size { threads: 0, events: 0, snapshots: 0, classes: 1, slots: 1 }
    }

    fn required(size: Size) -> Vec<Required> {
        overlap::required(size)
    }

    fn run<E: Engine>(layout: Arc<dyn Subject>, size: Size) -> Result<Outcome, Violation> {
        let overlap = Overlap::<E>::of(size.threads);
        let threads: Vec<_> = (0..size.threads)
            .map(|index| {
                let (layout, overlap) = (Arc::clone(&layout), Arc::clone(&overlap));
                let work = move || {
                    let recorder = layout.register();
                    record_events(&*recorder, size);
                    recorder
                };
                E::spawn(move || overlap.run(index, work))
            })
            .collect();
        let (_recorders, met): (Vec<_>, _) = threads.into_iter().map(JoinHandle::join).unzip();
        let last = layout.snapshot();
        Oracle::new(layout.claims()).exact(&last, &recorded(size.threads, size.events, size.classes))?;
        Ok(outcome(&[last]).and(met))
    }
}
