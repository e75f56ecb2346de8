//! A thread's events of one kind are written one event late.
//!
//! Every engine can catch both forms.

use std::cell::Cell;
use std::marker::PhantomData;

use countersign::{ClassCounts, Event, Locks};

use crate::subject::mutant::template::{Cells, Protocol};

/// See the [module](self). `K` says which kind is late.
pub(crate) struct OneLate<const C: usize, K, P: Locks> {
    cells: Cells<C, P>,
    kind: PhantomData<fn() -> K>,
}

/// What is late in [`OneLate`].
pub(crate) trait Late: Send + Sync + 'static {
    /// The kind of events.
    const LATE: Event;
}

/// The frees: an end is signalled before it is counted.
///
/// Source: tokio #7591 (a task's completion is signalled before the gauge goes down, which is then not zero after the
/// join). Breaks: exact.
pub(crate) enum FreesLate {}

/// The allocs: a bucket is counted before the total.
///
/// Sources: client_golang #275, rust-prometheus #314 (in the middle of an observation the buckets of a histogram hold more
/// than its count). Breaks: in use never negative.
pub(crate) enum AllocsLate {}

impl Late for FreesLate {
    const LATE: Event = Event::Free;
}

impl Late for AllocsLate {
    const LATE: Event = Event::Alloc;
}

impl<const C: usize, K: Late, P: Locks> OneLate<C, K, P> {
    fn write_late(&self, late: &Cell<Option<usize>>) {
        if let Some(class) = late.take() {
            self.cells.record_shared(K::LATE, class);
        }
    }
}

impl<const C: usize, K: Late, P: Locks> Protocol<C> for OneLate<C, K, P> {
    type On<Q: Locks> = OneLate<C, K, Q>;
    /// The class of the late event.
    type Own = Cell<Option<usize>>;

    fn new() -> Self {
        Self { cells: Cells::named(format_args!("")), kind: PhantomData }
    }

    fn register(&self) -> Cell<Option<usize>> {
        Cell::new(None)
    }

    fn count(&self, late: &Cell<Option<usize>>, event: Event, class: usize) {
        if event == K::LATE {
            self.write_late(late);
            // The fault.
            late.set(Some(class));
        } else {
            self.cells.record_shared(event, class);
            self.write_late(late);
        }
    }

    fn retire(&self, late: &Cell<Option<usize>>) {
        self.write_late(late);
    }

    fn count_unregistered(&self, event: Event, class: usize) {
        self.cells.record_shared(event, class);
    }

    fn read(&self) -> [ClassCounts; C] {
        self.cells.read()
    }
}
