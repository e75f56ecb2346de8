//! There are two copies of the counters, written one after the other, and readers take turns.
//!
//! Source: sysstat #433 (a source of counts regresses), and every exporter that asks one of several replicas. Breaks:
//! monotonic. The reader of the second copy may be later than that of the first and see less. Every engine can catch it.

use std::sync::atomic::Ordering::AcqRel;

use countersign::{Atomic, ClassCounts, Event, Locks};

use crate::subject::mutant::template::{Cells, Protocol};

/// See the [module](self).
pub(crate) struct TwoCopies<const C: usize, P: Locks> {
    copies: [Cells<C, P>; 2],
    turn: P::AtomicU64,
}

impl<const C: usize, P: Locks> Protocol<C> for TwoCopies<C, P> {
    type On<Q: Locks> = TwoCopies<C, Q>;
    type Own = ();

    fn new() -> Self {
        Self {
            copies: [0, 1].map(|copy| Cells::named(format_args!("copies[{copy}]."))),
            turn: Atomic::named(0, format_args!("turn")),
        }
    }

    fn register(&self) {}

    fn count(&self, (): &(), event: Event, class: usize) {
        self.count_unregistered(event, class);
    }

    fn retire(&self, (): &()) {}

    fn count_unregistered(&self, event: Event, class: usize) {
        // The fault: between the two, the copies differ.
        self.copies.iter().for_each(|copy| copy.record_shared(event, class));
    }

    fn read(&self) -> [ClassCounts; C] {
        // AcqRel: an edge from each reader to the next, so that it is not for want of one that this fails.
        let turn = self.turn.fetch_add(1, AcqRel);
        self.copies[usize::from(turn % 2 == 1)].read()
    }
}
