//! Correct cells: one alloc and one free counter for each class.

use std::array;
use std::fmt;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use countersign::{Atomic, ClassCounts, Event, Primitives};

/// One alloc and one free counter for each class.
pub(crate) struct Cells<const C: usize, P: Primitives> {
    pub(crate) allocs: [P::AtomicU64; C],
    pub(crate) frees: [P::AtomicU64; C],
}

impl<const C: usize, P: Primitives> Cells<C, P> {
    /// All counts zero; the cells are named with this in front: `slots[0].` makes `slots[0].allocs[1]`.
    pub(crate) fn named(prefix: fmt::Arguments<'_>) -> Self {
        Self {
            allocs: array::from_fn(|class| Atomic::named(0, format_args!("{prefix}allocs[{class}]"))),
            frees: array::from_fn(|class| Atomic::named(0, format_args!("{prefix}frees[{class}]"))),
        }
    }

    /// Counts one event in cells that only the caller writes.
    pub(crate) fn record_owned(&self, event: Event, class: usize) {
        match event {
            // Relaxed, as the core's owned cells: an alloc is ordered by its free.
            Event::Alloc => self.allocs[class].store(self.allocs[class].load_owned() + 1, Relaxed),
            // Release, with the Acquire in `add_frees_to`.
            Event::Free => self.frees[class].store(self.frees[class].load_owned() + 1, Release),
        }
    }

    /// Counts one event in cells that anyone writes.
    pub(crate) fn record_shared(&self, event: Event, class: usize) {
        match event {
            // Relaxed, as the core's shared cells.
            Event::Alloc => self.allocs[class].fetch_add(1, Relaxed),
            // Release, with the Acquire in `add_frees_to`.
            Event::Free => self.frees[class].fetch_add(1, Release),
        };
    }

    /// Adds the frees to `counts`.
    pub(crate) fn add_frees_to(&self, counts: &mut [ClassCounts; C]) {
        for (cell, counts) in self.frees.iter().zip(counts) {
            // Acquire, with the Release of the two `record`s: who counts a free counts its alloc.
            counts.frees += cell.load(Acquire);
        }
    }

    /// Adds the allocs to `counts`.
    pub(crate) fn add_allocs_to(&self, counts: &mut [ClassCounts; C]) {
        for (cell, counts) in self.allocs.iter().zip(counts) {
            // Relaxed: the frees that were read bring the allocs along.
            counts.allocs += cell.load(Relaxed);
        }
    }

    /// Sets every count. Only the owner may call this.
    pub(crate) fn fill(&self, value: u64) {
        for cell in self.allocs.iter().chain(&self.frees) {
            // Relaxed: whoever hands the cells on brings the edge.
            cell.store(value, Relaxed);
        }
    }

    /// The counts: all frees before any alloc.
    pub(crate) fn read(&self) -> [ClassCounts; C] {
        let mut counts = nothing();
        self.add_frees_to(&mut counts);
        self.add_allocs_to(&mut counts);
        counts
    }

    /// The counts, as their owner reads them.
    pub(crate) fn owned(&self) -> [ClassCounts; C] {
        array::from_fn(|class| ClassCounts {
            allocs: self.allocs[class].load_owned(),
            frees: self.frees[class].load_owned(),
        })
    }
}

/// No events at all.
pub(crate) fn nothing<const C: usize>() -> [ClassCounts; C] {
    [ClassCounts::default(); C]
}

/// Adds `counts` to `sums`, class by class.
pub(crate) fn add<const C: usize>(sums: &mut [ClassCounts; C], counts: [ClassCounts; C]) {
    for (sum, counts) in sums.iter_mut().zip(counts) {
        *sum = sum.plus(counts);
    }
}
