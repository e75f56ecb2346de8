//! More threads record than a layout with slots has slots for, while a reader takes snapshots.
//!
//! One recorder holds the only slot and does not record; the others were registered after it. Layouts without slots
//! run the same program.
//!
//! Claimed: as in `snapshot_while_recording`: *bounded*, *monotonic*, *never negative in use*, and *exact* at the end.
//!
//! Never to be seen: an event too few, because threads without a slot shared cells that they wrote as if they owned
//! them (peak #63), or were dropped (hotpath-rs #489).
//!
//! To be seen: a snapshot with nothing yet, and one with something.

use std::sync::Arc;

use crate::engine::{Engine, EngineName};
use crate::scenario::interface::{Required, Scenario, Size};
use crate::scenario::recording::snapshot_while_recording::SnapshotWhileRecording;
use crate::subject::Subject;
use crate::verdict::{Outcome, Violation};

/// See the [module](self).
pub enum SlotsExhausted {}

impl Scenario for SlotsExhausted {
    const NAME: &'static str = "slots_exhausted";
    const CLAIM: &'static str = "threads that find no slot are counted as exactly as any";

    fn sizes(engine: EngineName) -> Vec<Size> {
        let size = |threads, events, snapshots| Size { threads, events, snapshots, classes: 1, slots: 1 };
        match engine {
            EngineName::Std | EngineName::ShuttleRandom | EngineName::ShuttlePct => vec![size(2, 4, 2), size(8, 16, 4)],
            EngineName::ShuttleDfs => vec![size(1, 2, 1), size(2, 1, 1)],
            EngineName::Loom => vec![size(1, 2, 1), size(2, 1, 1), size(2, 2, 1)],
            EngineName::Graph => vec![size(1, 2, 1), size(2, 2, 1), size(3, 2, 2), size(3, 2, 3)],
        }
    }

    fn least() -> Size {
        Size { threads: 0, events: 0, snapshots: 0, classes: 1, slots: 1 }
    }

    fn required(size: Size) -> Vec<Required> {
        SnapshotWhileRecording::required(size)
    }

    fn run<E: Engine>(layout: Arc<dyn Subject>, size: Size) -> Result<Outcome, Violation> {
        let _holds_the_slot = Arc::clone(&layout).register();
        SnapshotWhileRecording::run::<E>(layout, size)
    }
}
