//! A snapshot drains the counters into its total: it reads a cell and then sets it to zero.
//!
//! Source: Kamon #393, brpc #3547. Breaks: exact, monotonic. An event between the two steps is lost; a swap would keep it.
//! Every engine can catch it but loom, to which it is not given: a store beside a `fetch_add` is what loom gets wrong.

use std::sync::atomic::Ordering::{Acquire, Release};

use countersign::{Atomic, ClassCounts, Event, Lock, Locks};

use crate::subject::mutant::template::{Cells, Protocol, nothing};

/// See the [module](self).
pub(crate) struct ReadThenZero<const C: usize, P: Locks> {
    cells: Cells<C, P>,
    drained: P::Mutex<[ClassCounts; C]>,
}

impl<const C: usize, P: Locks> Protocol<C> for ReadThenZero<C, P> {
    type On<Q: Locks> = ReadThenZero<C, Q>;
    type Own = ();

    fn new() -> Self {
        Self { cells: Cells::named(format_args!("")), drained: Lock::named(nothing(), format_args!("drained")) }
    }

    fn register(&self) {}

    fn count(&self, (): &(), event: Event, class: usize) {
        self.cells.record_shared(event, class);
    }

    fn retire(&self, (): &()) {}

    fn count_unregistered(&self, event: Event, class: usize) {
        self.cells.record_shared(event, class);
    }

    fn read(&self) -> [ClassCounts; C] {
        let drain = |cell: &P::AtomicU64| {
            let count = cell.load(Acquire);
            // The fault: what was added since the load goes too.
            cell.store(0, Release);
            count
        };
        let mut drained = self.drained.lock();
        let frees = self.cells.frees.each_ref().map(drain);
        let allocs = self.cells.allocs.each_ref().map(drain);
        for (class, (allocs, frees)) in allocs.into_iter().zip(frees).enumerate() {
            drained[class] = drained[class].plus(ClassCounts { allocs, frees });
        }
        *drained
    }
}
