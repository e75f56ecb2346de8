//! The alloc and the free of one block sit in the locals of different threads, which merge them at times of their own.
//!
//! Source: mimalloc #1410, #301. Breaks: in use never negative. It lags and says so, but the freeing thread may merge
//! before the allocating one. Every engine can catch it.

use std::cell::Cell;
use std::sync::atomic::Ordering::{Relaxed, Release};

use countersign::{Atomic, Claims, ClassCounts, Event, Locks};

use crate::subject::mutant::template::{Cells, Protocol, nothing};

/// See the [module](self). A thread merges when it exits.
pub(crate) struct UnmergedLocals<const C: usize, P: Locks>(Cells<C, P>);

impl<const C: usize, P: Locks> Protocol<C> for UnmergedLocals<C, P> {
    const CLAIMS: Claims = Claims { exact: false, bounded: false, folded_once: false, ..Claims::ALL };
    type On<Q: Locks> = UnmergedLocals<C, Q>;
    /// The locals.
    type Own = Cell<[ClassCounts; C]>;

    fn new() -> Self {
        Self(Cells::named(format_args!("")))
    }

    fn register(&self) -> Cell<[ClassCounts; C]> {
        Cell::new(nothing())
    }

    fn count(&self, locals: &Cell<[ClassCounts; C]>, event: Event, class: usize) {
        let mut counts = locals.get();
        counts[class].count(event);
        locals.set(counts);
    }

    fn retire(&self, locals: &Cell<[ClassCounts; C]>) {
        for (class, counts) in locals.get().into_iter().enumerate() {
            // Relaxed and Release, as in `record_shared`. The fault is the time.
            self.0.allocs[class].fetch_add(counts.allocs, Relaxed);
            self.0.frees[class].fetch_add(counts.frees, Release);
        }
    }

    fn count_unregistered(&self, event: Event, class: usize) {
        self.0.record_shared(event, class);
    }

    fn read(&self) -> [ClassCounts; C] {
        self.0.read()
    }
}
