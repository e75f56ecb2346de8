//! What mutants are made of: correct cells, so that each mutant is broken in its own way only.

use std::array;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use countersign::{Atomic, ClassCounts, Event, Primitives};

/// One alloc and one free counter for each class.
pub(super) struct Cells<const C: usize, P: Primitives> {
    pub(super) allocs: [P::AtomicU64; C],
    pub(super) frees: [P::AtomicU64; C],
}

impl<const C: usize, P: Primitives> Cells<C, P> {
    /// Counts one event in cells that only the caller writes.
    pub(super) fn record_owned(&self, event: Event, class: usize) {
        match event {
            // Relaxed, as the core's owned cells: an alloc is ordered by its free.
            Event::Alloc => self.allocs[class].store(self.allocs[class].load_owned() + 1, Relaxed),
            // Release, with the Acquire in `add_frees_to`.
            Event::Free => self.frees[class].store(self.frees[class].load_owned() + 1, Release),
        }
    }

    /// Counts one event in cells that anyone writes.
    pub(super) fn record_shared(&self, event: Event, class: usize) {
        match event {
            // Relaxed, as the core's shared cells.
            Event::Alloc => self.allocs[class].fetch_add(1, Relaxed),
            // Release, with the Acquire in `add_frees_to`.
            Event::Free => self.frees[class].fetch_add(1, Release),
        };
    }

    /// Adds the frees to `counts`.
    pub(super) fn add_frees_to(&self, counts: &mut [ClassCounts; C]) {
        for (cell, counts) in self.frees.iter().zip(counts) {
            // Acquire, with the Release of the two `record`s: who counts a free counts its alloc.
            counts.frees += cell.load(Acquire);
        }
    }

    /// Adds the allocs to `counts`.
    pub(super) fn add_allocs_to(&self, counts: &mut [ClassCounts; C]) {
        for (cell, counts) in self.allocs.iter().zip(counts) {
            // Relaxed: the frees that were read bring the allocs along.
            counts.allocs += cell.load(Relaxed);
        }
    }

    /// The counts, as their owner reads them.
    pub(super) fn owned(&self) -> [ClassCounts; C] {
        array::from_fn(|class| ClassCounts {
            allocs: self.allocs[class].load_owned(),
            frees: self.frees[class].load_owned(),
        })
    }
}

impl<const C: usize, P: Primitives> Default for Cells<C, P> {
    fn default() -> Self {
        Self { allocs: array::from_fn(|_| Atomic::new(0)), frees: array::from_fn(|_| Atomic::new(0)) }
    }
}

/// Adds `counts` to `sums`, class by class.
pub(super) fn add<const C: usize>(sums: &mut [ClassCounts; C], counts: [ClassCounts; C]) {
    for (sum, counts) in sums.iter_mut().zip(counts) {
        *sum = sum.plus(counts);
    }
}
