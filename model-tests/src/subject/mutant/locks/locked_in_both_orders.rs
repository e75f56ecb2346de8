//! Two locks are taken in one order to record and in the other to read.
//!
//! Source: dhat-rs #38. Breaks: no deadlock. Every engine that watches for deadlocks can catch it.

use std::array;

use countersign::{ClassCounts, Event, Lock, Locks};

use crate::subject::mutant::template::Protocol;

/// See the [module](self).
pub(crate) struct LockedInBothOrders<const C: usize, P: Locks> {
    allocs: P::Mutex<[u64; C]>,
    frees: P::Mutex<[u64; C]>,
}

impl<const C: usize, P: Locks> Protocol<C> for LockedInBothOrders<C, P> {
    type On<Q: Locks> = LockedInBothOrders<C, Q>;
    type Own = ();

    fn new() -> Self {
        Self { allocs: Lock::named([0; C], format_args!("allocs")), frees: Lock::named([0; C], format_args!("frees")) }
    }

    fn register(&self) {}

    fn count(&self, (): &(), event: Event, class: usize) {
        self.count_unregistered(event, class);
    }

    fn retire(&self, (): &()) {}

    fn count_unregistered(&self, event: Event, class: usize) {
        let mut allocs = self.allocs.lock();
        let mut frees = self.frees.lock();
        match event {
            Event::Alloc => allocs[class] += 1,
            Event::Free => frees[class] += 1,
        }
    }

    fn read(&self) -> [ClassCounts; C] {
        // The fault: the other order.
        let frees = self.frees.lock();
        let allocs = self.allocs.lock();
        array::from_fn(|class| ClassCounts { allocs: allocs[class], frees: frees[class] })
    }
}
