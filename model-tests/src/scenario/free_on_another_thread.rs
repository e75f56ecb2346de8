//! One thread allocates and another frees the block, while a reader takes snapshots.
//!
//! The allocating thread spawns the freeing one, so the alloc happens-before its free; only the reader is raced. The
//! forms differ in where the two events are counted:
//!
//! | form | alloc | free |
//! |---|---|---|
//! | `slots` | a slot | a slot |
//! | `alloc_in_overflow` | overflow | the only slot |
//! | `free_in_overflow` | the only slot | overflow |
//! | `fresh_slot` | a slot claimed beside the snapshot | a slot below the mark |
//! | `fresh_slot_without_recorder` | a slot claimed beside the snapshot | overflow |
//! | `adopted_slot` | a slot whose owner then exits | that slot, adopted, or overflow |
//!
//! In `adopted_slot` leaver and adopter run beside each other and the block is handed over by a flag, so the edge of the
//! hand-over is older than the exit: the adopter's claim must bring its own.
//!
//! Claimed: in use is *never negative* in any snapshot, and each snapshot is *bounded*, in turn *monotonic*, and *exact*
//! at the end.
//!
//! Never to be seen: a free without its alloc.
//!
//! To be seen: a snapshot without either, one with the alloc alone, one with both.

use std::sync::Arc;
use std::sync::atomic::Ordering::{Acquire, Release};

use countersign::{Atomic, ClassCounts, Event, Primitives, Recorder};

use crate::engine::{Engine, EngineName, JoinHandle};
use crate::scenario::events::{nothing, outcome, take_snapshots};
use crate::scenario::interface::{Required, Scenario, Size};
use crate::subject::Subject;
use crate::verdict::Oracle;
use crate::verdict::{Outcome, Violation};

/// Both events in slots. See the [module](self).
pub enum FreeThroughSlots {}

/// The alloc in overflow. See the [module](self).
pub enum AllocInOverflow {}

/// The free in overflow. See the [module](self).
pub enum FreeInOverflow {}

/// The alloc in a slot that is claimed beside the snapshot. See the [module](self).
pub enum AllocInFreshSlot {}

/// As [`AllocInFreshSlot`], and the free by a thread without a recorder. See the [module](self).
pub enum FreeWithoutRecorder {}

/// The free in a slot that is adopted beside the snapshot. See the [module](self).
pub enum FreeFromAdoptedSlot {}

impl Scenario for FreeThroughSlots {
    const NAME: &'static str = "free_on_another_thread/slots";
    const CLAIM: &'static str = CLAIM;

    fn sizes(engine: EngineName) -> Vec<Size> {
        sizes(engine, 2)
    }

    fn least() -> Size {
        least(2)
    }

    fn required(_: Size) -> Vec<Required> {
        required()
    }

    fn run<E: Engine>(layout: Arc<dyn Subject>, size: Size) -> Result<Outcome, Violation> {
        let allocating = Arc::clone(&layout).register();
        let freeing = Arc::clone(&layout).register();
        run_pair::<E>(&layout, size, move || allocating, freeing)
    }
}

impl Scenario for AllocInOverflow {
    const NAME: &'static str = "free_on_another_thread/alloc_in_overflow";
    const CLAIM: &'static str = CLAIM;

    fn sizes(engine: EngineName) -> Vec<Size> {
        sizes(engine, 1)
    }

    fn least() -> Size {
        least(1)
    }

    fn required(_: Size) -> Vec<Required> {
        required()
    }

    fn run<E: Engine>(layout: Arc<dyn Subject>, size: Size) -> Result<Outcome, Violation> {
        let freeing = Arc::clone(&layout).register();
        let allocating = Arc::clone(&layout).register();
        run_pair::<E>(&layout, size, move || allocating, freeing)
    }
}

impl Scenario for FreeInOverflow {
    const NAME: &'static str = "free_on_another_thread/free_in_overflow";
    const CLAIM: &'static str = CLAIM;

    fn sizes(engine: EngineName) -> Vec<Size> {
        sizes(engine, 1)
    }

    fn least() -> Size {
        least(1)
    }

    fn required(_: Size) -> Vec<Required> {
        required()
    }

    fn run<E: Engine>(layout: Arc<dyn Subject>, size: Size) -> Result<Outcome, Violation> {
        FreeThroughSlots::run::<E>(layout, size)
    }
}

impl Scenario for AllocInFreshSlot {
    const NAME: &'static str = "free_on_another_thread/fresh_slot";
    const CLAIM: &'static str = CLAIM;

    fn sizes(engine: EngineName) -> Vec<Size> {
        sizes(engine, 2)
    }

    fn least() -> Size {
        least(2)
    }

    fn required(_: Size) -> Vec<Required> {
        required()
    }

    fn run<E: Engine>(layout: Arc<dyn Subject>, size: Size) -> Result<Outcome, Violation> {
        let freeing = Arc::clone(&layout).register();
        let fresh = Arc::clone(&layout);
        run_pair::<E>(&layout, size, move || fresh.register(), freeing)
    }
}

impl Scenario for FreeWithoutRecorder {
    const NAME: &'static str = "free_on_another_thread/fresh_slot_without_recorder";
    const CLAIM: &'static str = CLAIM;

    fn sizes(engine: EngineName) -> Vec<Size> {
        sizes(engine, 1)
    }

    fn required(_: Size) -> Vec<Required> {
        required()
    }

    fn run<E: Engine>(layout: Arc<dyn Subject>, size: Size) -> Result<Outcome, Violation> {
        let fresh = Arc::clone(&layout);
        let freeing = Box::new(WithoutRecorder(Arc::clone(&layout)));
        run_pair::<E>(&layout, size, move || fresh.register(), freeing)
    }
}

impl Scenario for FreeFromAdoptedSlot {
    const NAME: &'static str = "free_on_another_thread/adopted_slot";
    const CLAIM: &'static str = CLAIM;

    fn sizes(engine: EngineName) -> Vec<Size> {
        let size = |snapshots| Size { threads: 2, events: 1, snapshots, classes: 1, slots: 1 };
        match engine {
            EngineName::Std | EngineName::ShuttleRandom | EngineName::ShuttlePct => vec![size(2), size(4)],
            // Without the snapshot only the hand-over is raced: with it there are more than 300,000
            // schedules.
            EngineName::ShuttleDfs => vec![size(0)],
            EngineName::Loom => vec![size(0), size(1)],
            EngineName::Graph => vec![size(0), size(1), size(2), size(3)],
        }
    }

    fn required(size: Size) -> Vec<Required> {
        if size.snapshots == 0 { Vec::new() } else { required() }
    }

    fn run<E: Engine>(layout: Arc<dyn Subject>, size: Size) -> Result<Outcome, Violation> {
        let handed_over = Arc::new(<E as Primitives>::AtomicU64::named(0, format_args!("handed_over")));
        let leaving = Arc::clone(&layout).register();
        let leaver = E::spawn({
            let handed_over = Arc::clone(&handed_over);
            move || {
                leaving.record(Event::Alloc, 0);
                // Release, with the Acquire below: the alloc happens-before its free.
                handed_over.store(1, Release);
                drop(leaving);
            }
        });
        let adopter = E::spawn({
            let layout = Arc::clone(&layout);
            move || {
                // Acquire, with the Release above. Without a block there is nothing to free.
                let block = handed_over.load(Acquire);
                if block == 1 {
                    layout.register().record(Event::Free, 0);
                }
                block
            }
        });
        let snapshots = take_snapshots::<E>(&*layout, size.snapshots);
        leaver.join();
        let frees = adopter.join();
        judge(&*layout, &snapshots, ClassCounts { allocs: 1, frees })
    }
}

/// A thread that never registered.
struct WithoutRecorder(Arc<dyn Subject>);

impl Recorder for WithoutRecorder {
    fn record(&self, event: Event, class: usize) {
        self.0.record(event, class);
    }
}

const CLAIM: &str = "no snapshot counts a free without its alloc";

fn sizes(engine: EngineName, slots: usize) -> Vec<Size> {
    let size = |snapshots| Size { threads: 2, events: 1, snapshots, classes: 1, slots };
    match engine {
        EngineName::Std | EngineName::ShuttleRandom | EngineName::ShuttlePct => vec![size(2), size(4)],
        EngineName::ShuttleDfs => vec![size(1)],
        EngineName::Loom => vec![size(1), size(2)],
        EngineName::Graph => vec![size(1), size(2), size(3), size(4)],
    }
}

fn least(slots: usize) -> Size {
    Size { threads: 2, events: 1, snapshots: 0, classes: 1, slots }
}

fn required() -> Vec<Required> {
    vec![
        Required::sc("a snapshot without the alloc", |outcome| outcome.0[..2] == [0, 0]),
        Required::sc("a snapshot with the alloc alone", |outcome| outcome.0[..2] == [1, 0]),
        Required::sc("a snapshot with both", |outcome| outcome.0[..2] == [1, 1]),
    ]
}

/// A thread allocates through the recorder it `obtains` and then spawns another that frees; both recorders retire after
/// the snapshots.
fn run_pair<E: Engine>(
    layout: &Arc<dyn Subject>,
    size: Size,
    obtain: impl FnOnce() -> Box<dyn Recorder + Send> + Send + 'static,
    freeing: Box<dyn Recorder + Send>,
) -> Result<Outcome, Violation> {
    let thread = E::spawn(move || {
        let allocating = obtain();
        allocating.record(Event::Alloc, 0);
        let freeing = E::spawn(move || {
            freeing.record(Event::Free, 0);
            freeing
        });
        (allocating, freeing.join())
    });
    let snapshots = take_snapshots::<E>(&**layout, size.snapshots);
    let _recorders = thread.join();
    judge(&**layout, &snapshots, ClassCounts { allocs: 1, frees: 1 })
}

fn judge(layout: &dyn Subject, snapshots: &[Vec<ClassCounts>], all: ClassCounts) -> Result<Outcome, Violation> {
    let oracle = Oracle::new(layout.claims());
    oracle.reader(snapshots, &nothing(1), &[all])?;
    let last = layout.snapshot();
    oracle.in_use_never_negative(&last)?;
    oracle.exact(&last, &[all])?;
    Ok(outcome(snapshots))
}
