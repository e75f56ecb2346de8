//! A reader sees that a thread's cells are there, without the edge to their initialisation.
//!
//! Source: thread_local-rs #33 (the iterator's load of the presence flag). Breaks: bounded. The reader may add up what the
//! memory held before. An engine that knows weak memory must catch it; one that does not cannot.

use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use countersign::{Atomic, ClassCounts, Event, Locks};

use crate::subject::mutant::template::{Cells, Protocol, nothing};

/// See the [module](self): cells that are initialised when a thread claims them, and overflow cells.
pub(crate) struct PresentBeforeInitialised<const C: usize, P: Locks> {
    claimed: P::AtomicU64,
    present: P::AtomicU64,
    cells: Cells<C, P>,
    overflow: Cells<C, P>,
}

/// What memory holds that nobody has initialised.
const UNINITIALISED: u64 = 1000;

impl<const C: usize, P: Locks> PresentBeforeInitialised<C, P> {
    fn present(&self) -> bool {
        // The fault: nothing pairs with the Release in `register`.
        self.present.load(Relaxed) == 1
    }
}

impl<const C: usize, P: Locks> Protocol<C> for PresentBeforeInitialised<C, P> {
    type On<Q: Locks> = PresentBeforeInitialised<C, Q>;
    /// Whether the thread has the cells.
    type Own = bool;

    fn new() -> Self {
        let cells = Cells::named(format_args!(""));
        cells.fill(UNINITIALISED);
        Self {
            claimed: Atomic::named(0, format_args!("claimed")),
            present: Atomic::named(0, format_args!("present")),
            cells,
            overflow: Cells::named(format_args!("overflow.")),
        }
    }

    fn register(&self) -> bool {
        // Acquire as in `Slots`, although nobody gives the cells back.
        let claimed = self.claimed.compare_exchange(0, 1, Acquire, Relaxed).is_ok();
        if claimed {
            self.cells.fill(0);
            // Release, for whoever acquires it.
            self.present.store(1, Release);
        }
        claimed
    }

    fn count(&self, claimed: &bool, event: Event, class: usize) {
        if *claimed {
            self.cells.record_owned(event, class);
        } else {
            self.overflow.record_shared(event, class);
        }
    }

    fn retire(&self, _: &bool) {}

    fn count_unregistered(&self, event: Event, class: usize) {
        self.overflow.record_shared(event, class);
    }

    fn read(&self) -> [ClassCounts; C] {
        let mut counts = nothing();
        if self.present() {
            self.cells.add_frees_to(&mut counts);
        }
        self.overflow.add_frees_to(&mut counts);
        if self.present() {
            self.cells.add_allocs_to(&mut counts);
        }
        self.overflow.add_allocs_to(&mut counts);
        counts
    }
}
