//! A thread exits while another registers, and perhaps goes on in what the first one left.
//!
//! The two run beside each other, without a join between them: a join would supply the very edge that the hand-over of
//! the cells must supply by itself.
//!
//! Claimed: when both were joined, a snapshot is *exact*, whether the second thread adopted the first one's cells, took
//! others or had none.
//!
//! Never to be seen: events of the first thread that are lost, because the second went on from a stale count.
//!
//! To be seen: a second thread that registers after the first one's exit, and one that registers before it. (The flag
//! that tells is relaxed on both sides, so it orders nothing.)

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use countersign::{Atomic, Primitives};

use crate::engine::{Engine, EngineName, JoinHandle};
use crate::scenario::events::{record_events, recorded};
use crate::scenario::interface::{Required, Scenario, Size};
use crate::subject::Subject;
use crate::verdict::Oracle;
use crate::verdict::{Outcome, Violation};

/// See the [module](self).
pub enum AdoptAfterExit {}

impl Scenario for AdoptAfterExit {
    const NAME: &'static str = "adopt_after_exit";
    const CLAIM: &'static str = "a thread that registers beside another's exit loses none of its counts";

    fn sizes(engine: EngineName) -> Vec<Size> {
        let size = |events| Size { threads: 2, events, snapshots: 0, classes: 1, slots: 1 };
        match engine {
            EngineName::Std | EngineName::ShuttleRandom | EngineName::ShuttlePct => vec![size(2), size(8)],
            EngineName::ShuttleDfs => vec![size(1)],
            EngineName::Loom => vec![size(1), size(2)],
            EngineName::Graph => vec![size(1), size(2), size(4)],
        }
    }

    fn least() -> Size {
        Size { threads: 2, events: 0, snapshots: 0, classes: 1, slots: 1 }
    }

    fn required(_: Size) -> Vec<Required> {
        vec![
            Required::sc("the second thread before the exit", |outcome| outcome.0[0] == 0),
            Required::sc("the second thread after the exit", |outcome| outcome.0[0] == 1),
        ]
    }

    fn run<E: Engine>(layout: Arc<dyn Subject>, size: Size) -> Result<Outcome, Violation> {
        let left = Arc::new(<E as Primitives>::AtomicU64::named(0, format_args!("left")));
        let leaving = Arc::clone(&layout).register();
        let leaver = E::spawn({
            let left = Arc::clone(&left);
            move || {
                record_events(&*leaving, size);
                drop(leaving);
                // Relaxed: it must order nothing; it only tells the outcomes apart.
                left.store(1, Relaxed);
            }
        });
        let adopter = E::spawn({
            let layout = Arc::clone(&layout);
            move || {
                // Relaxed, as above.
                let left = left.load(Relaxed);
                record_events(&*layout.register(), size);
                left
            }
        });
        leaver.join();
        let left = adopter.join();

        let all = recorded(2, size.events, size.classes);
        Oracle::new(layout.claims()).exact(&layout.snapshot(), &all)?;
        Ok(Outcome(vec![left]))
    }
}
