//! Frees are attributed to an earlier cycle than the allocs of the same blocks.
//!
//! Source: golang/go #19311 (the memory profile is published a cycle late, but not so the frees). Breaks: in use never
//! negative. It lags and says so, but the two kinds of events do not lag alike. Every engine can catch it.

use std::mem;

use countersign::{Claims, ClassCounts, Event, Lock, Locks};

use crate::subject::mutant::template::{Cells, Protocol, nothing};

/// See the [module](self). A snapshot ends a cycle.
pub(crate) struct EarlierCycle<const C: usize, P: Locks> {
    cells: Cells<C, P>,
    last_cycle: P::Mutex<[ClassCounts; C]>,
}

impl<const C: usize, P: Locks> Protocol<C> for EarlierCycle<C, P> {
    const CLAIMS: Claims = Claims { exact: false, bounded: false, folded_once: false, ..Claims::ALL };
    type On<Q: Locks> = EarlierCycle<C, Q>;
    type Own = ();

    fn new() -> Self {
        Self { cells: Cells::named(format_args!("")), last_cycle: Lock::named(nothing(), format_args!("last_cycle")) }
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
        let mut last_cycle = self.last_cycle.lock();
        let cycle = self.cells.read();
        let mut published = mem::replace(&mut *last_cycle, cycle);
        for (published, cycle) in published.iter_mut().zip(cycle) {
            // The fault: the allocs are those of the last cycle.
            published.frees = cycle.frees;
        }
        published
    }
}
