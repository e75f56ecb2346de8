//! A thread that loses the race to initialise goes on without the edge to the winner's initialisation.
//!
//! Source: arc-swap #195, #204 (a failed compare-exchange, taken as "already done", was relaxed). Breaks: exact. The loser
//! may read the place of the cells as it was before, and count where nobody looks. An engine that knows weak memory must
//! catch it; one that does not cannot.

use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use countersign::{Atomic, ClassCounts, Event, Locks};

use crate::subject::mutant::template::{Cells, Protocol, nothing};

/// See the [module](self): cells whose place the first thread decides, and overflow cells.
pub(crate) struct InitialisedByAnother<const C: usize, P: Locks> {
    state: P::AtomicU64,
    place: P::AtomicU64,
    /// The first is no thread's place.
    cells: [Cells<C, P>; 2],
    overflow: Cells<C, P>,
}

const UNINITIALISED: u64 = 0;
const INITIALISING: u64 = 1;
const INITIALISED: u64 = 2;

impl<const C: usize, P: Locks> Protocol<C> for InitialisedByAnother<C, P> {
    type On<Q: Locks> = InitialisedByAnother<C, Q>;
    /// The place, if it was decided in time.
    type Own = Option<usize>;

    fn new() -> Self {
        let cells = [0, 1].map(|place| Cells::named(format_args!("cells[{place}].")));
        Self {
            state: Atomic::named(UNINITIALISED, format_args!("state")),
            place: Atomic::named(0, format_args!("place")),
            cells,
            overflow: Cells::named(format_args!("overflow.")),
        }
    }

    fn register(&self) -> Option<usize> {
        // The fault: on failure, Acquire should pair with the Release below.
        match self.state.compare_exchange(UNINITIALISED, INITIALISING, Acquire, Relaxed) {
            Ok(_) => {
                self.place.store(1, Relaxed);
                self.state.store(INITIALISED, Release);
                Some(1)
            }
            Err(INITIALISED) => Some(self.place.load(Relaxed) as usize),
            Err(_) => None,
        }
    }

    fn count(&self, place: &Option<usize>, event: Event, class: usize) {
        place.map_or(&self.overflow, |place| &self.cells[place]).record_shared(event, class);
    }

    fn retire(&self, _: &Option<usize>) {}

    fn count_unregistered(&self, event: Event, class: usize) {
        self.overflow.record_shared(event, class);
    }

    fn read(&self) -> [ClassCounts; C] {
        let [_, cells] = &self.cells;
        let mut counts = nothing();
        cells.add_frees_to(&mut counts);
        self.overflow.add_frees_to(&mut counts);
        cells.add_allocs_to(&mut counts);
        self.overflow.add_allocs_to(&mut counts);
        counts
    }
}
