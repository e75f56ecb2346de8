//! A thread reserves counts ahead, in batches, and gives the unspent ones back when it dies.
//!
//! Source: dotnet/coreclr #24615 (the unspent part of a dead thread's allocation buffer is subtracted from the total).
//! Breaks: monotonic. It runs ahead and says so, but it also goes down at each exit. Every engine can catch it.

use std::array;
use std::cell::Cell;
use std::sync::atomic::Ordering::Release;

use countersign::{Atomic, Claims, ClassCounts, Event, Locks};

use crate::subject::mutant::template::{Cells, Protocol};

/// See the [module](self).
pub(crate) struct SubtractUnspent<const C: usize, P: Locks>(Cells<C, P>);

/// How many allocs a thread reserves at once.
const BATCH: u64 = 4;

impl<const C: usize, P: Locks> Protocol<C> for SubtractUnspent<C, P> {
    const CLAIMS: Claims = Claims { exact: false, bounded: false, folded_once: false, ..Claims::ALL };
    type On<Q: Locks> = SubtractUnspent<C, Q>;
    /// The allocs that are counted and not yet made.
    type Own = [Cell<u64>; C];

    fn new() -> Self {
        Self(Cells::named(format_args!("")))
    }

    fn register(&self) -> [Cell<u64>; C] {
        array::from_fn(|_| Cell::new(0))
    }

    fn count(&self, unspent: &[Cell<u64>; C], event: Event, class: usize) {
        match event {
            Event::Alloc if unspent[class].get() > 0 => unspent[class].set(unspent[class].get() - 1),
            Event::Alloc => {
                self.0.allocs[class].fetch_add(BATCH, Release);
                unspent[class].set(BATCH - 1);
            }
            Event::Free => self.0.record_shared(event, class),
        }
    }

    fn retire(&self, unspent: &[Cell<u64>; C]) {
        for (cell, unspent) in self.0.allocs.iter().zip(unspent) {
            // The fault: a later snapshot has less than an earlier one.
            cell.fetch_add(unspent.get().wrapping_neg(), Release);
        }
    }

    fn count_unregistered(&self, event: Event, class: usize) {
        self.0.record_shared(event, class);
    }

    fn read(&self) -> [ClassCounts; C] {
        self.0.read()
    }
}
