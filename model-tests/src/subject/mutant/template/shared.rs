//! One atomic for each class and kind of event, with the writing and the reading open to a fault.

use std::array;
use std::marker::PhantomData;
use std::sync::atomic::Ordering::{self, Acquire, Relaxed, Release};

use countersign::{Atomic, Claims, ClassCounts, Event, Locks, Primitives};

use super::cells::Cells;
use super::protocol::Protocol;

/// The steps of [`SharedWith`], each in its sound form.
pub(crate) trait SharedFault: Send + Sync + 'static {
    /// What is promised.
    const CLAIMS: Claims = Claims::ALL;

    /// How frees are counted. Release, with the Acquire of [`FREE_READ`](Self::FREE_READ): who counts a free counts its
    /// alloc.
    const FREE_WRITTEN: Ordering = Release;

    /// How frees are read.
    const FREE_READ: Ordering = Acquire;

    /// A thread records.
    fn write<const C: usize, P: Primitives>(cells: &Cells<C, P>, event: Event, class: usize) {
        match event {
            // Relaxed: an alloc is ordered by its free.
            Event::Alloc => cells.allocs[class].fetch_add(1, Relaxed),
            Event::Free => cells.frees[class].fetch_add(1, Self::FREE_WRITTEN),
        };
    }

    /// A reader counts: all frees before any alloc.
    fn read<const C: usize, P: Primitives>(cells: &Cells<C, P>) -> [ClassCounts; C] {
        let frees: [u64; C] = array::from_fn(|class| cells.frees[class].load(Self::FREE_READ));
        // Relaxed: the frees that were read bring the allocs along.
        array::from_fn(|class| ClassCounts { allocs: cells.allocs[class].load(Relaxed), frees: frees[class] })
    }
}

/// A layout like `Shared`, which is also what one shard of `Sharded` is, but for what `F` overrides.
pub(crate) struct SharedWith<const C: usize, F, P: Primitives> {
    cells: Cells<C, P>,
    fault: PhantomData<fn() -> F>,
}

impl<const C: usize, F: SharedFault, P: Locks> Protocol<C> for SharedWith<C, F, P> {
    const CLAIMS: Claims = F::CLAIMS;
    type On<Q: Locks> = SharedWith<C, F, Q>;
    type Own = ();

    fn new() -> Self {
        Self { cells: Cells::named(format_args!("")), fault: PhantomData }
    }

    fn register(&self) {}

    fn count(&self, (): &(), event: Event, class: usize) {
        F::write(&self.cells, event, class);
    }

    fn retire(&self, (): &()) {}

    fn count_unregistered(&self, event: Event, class: usize) {
        F::write(&self.cells, event, class);
    }

    fn read(&self) -> [ClassCounts; C] {
        F::read(&self.cells)
    }
}
