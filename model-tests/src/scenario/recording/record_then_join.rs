//! Threads register, record and exit beside each other; then everybody is joined and one snapshot is taken.
//!
//! Claimed: the snapshot is *exact*.
//!
//! Never to be seen: an event too few (two threads wrote one cell, or an exit dropped a count) or too many.
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
pub enum RecordThenJoin {}

impl Scenario for RecordThenJoin {
    const NAME: &'static str = "record_then_join";
    const CLAIM: &'static str = "after all threads were joined a snapshot is exact";

    fn sizes(engine: EngineName) -> Vec<Size> {
        let size = |threads, events, classes| Size { threads, events, snapshots: 0, classes, slots: 2 };
        match engine {
            EngineName::Std | EngineName::ShuttleRandom | EngineName::ShuttlePct => vec![size(2, 4, 2), size(8, 16, 2)],
            EngineName::ShuttleDfs => vec![size(1, 2, 1), size(2, 1, 1)],
            EngineName::Loom => vec![size(1, 2, 1), size(2, 1, 1), size(2, 2, 1)],
            EngineName::Graph => vec![size(1, 2, 1), size(2, 2, 1), size(3, 2, 1)],
        }
    }

    fn least() -> Size {
        Size { threads: 0, events: 0, snapshots: 0, classes: 1, slots: 2 }
    }

    fn required(size: Size) -> Vec<Required> {
        overlap::required(size)
    }

    fn run<E: Engine>(layout: Arc<dyn Subject>, size: Size) -> Result<Outcome, Violation> {
        let overlap = Overlap::<E>::of(size.threads);
        let threads: Vec<_> = (0..size.threads)
            .map(|index| {
                let (layout, overlap) = (Arc::clone(&layout), Arc::clone(&overlap));
                E::spawn(move || overlap.run(index, || record_events(&*layout.register(), size)))
            })
            .collect();
        let met = threads.into_iter().map(|thread| thread.join().1).collect();
        let last = layout.snapshot();
        Oracle::new(layout.claims()).exact(&last, &recorded(size.threads, size.events, size.classes))?;
        Ok(outcome(&[last]).and(met))
    }
}
