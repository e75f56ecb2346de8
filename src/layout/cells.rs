//! Blocks of cells: one alloc and one free counter for each class.
//!
//! There are two kinds, which differ in who writes them, and every layout is made of them:
//!
//! - [`OwnedCells`]: one writer at a time, so counting is an owner's read, an addition and a store;
//! - [`SharedCells`]: any number of writers, so counting is a `fetch_add`.
//!
//! # Why in use is never negative
//!
//! ```text
//!   allocating thread        freeing thread            snapshot
//!   ─────────────────        ──────────────            ────────
//!   count alloc (Relaxed)
//!          │ the block is handed over
//!          └────────────────▶ count free (Release) ──▶ read frees (Acquire)
//!                                                      read allocs (Relaxed)
//! ```
//!
//! A snapshot reads *all* frees before *any* alloc. A free that it reads was published with Release, by a thread for
//! which the alloc had happened before; reading it with Acquire makes that alloc happen-before the reading of the
//! allocs, so coherence forbids to miss it. The race to fear is the other order: allocs read first, then another
//! thread allocates and frees, then frees read: one free, no alloc.
//!
//! Each kind of cell has its reads at source positions of their own: what a checker learns about the ordering of one
//! says nothing about the other.

use core::array;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use crate::event::Event;
use crate::primitives::{Atomic, Primitives, Std};
use crate::snapshot::ClassCounts;

/// Cells with a single writer at a time, the *owner*.
///
/// Ownership is handed on by the layout, with an edge: the last store of one owner happens-before the first read of
/// the next.
pub(crate) struct OwnedCells<const C: usize, P: Primitives> {
    allocs: [P::AtomicU64; C],
    frees: [P::AtomicU64; C],
}

/// Cells that any thread may write at any time.
pub(crate) struct SharedCells<const C: usize, P: Primitives> {
    allocs: [P::AtomicU64; C],
    frees: [P::AtomicU64; C],
}

impl<const C: usize, P: Primitives> OwnedCells<C, P> {
    /// All counts zero. `cell` makes the cell of the "allocs" or the "frees" of a class, under its name in the layout.
    pub(crate) fn from_fn(cell: impl Fn(&str, usize) -> P::AtomicU64) -> Self {
        let cells = |events| array::from_fn(|class| cell(events, class));
        Self { allocs: cells("allocs"), frees: cells("frees") }
    }

    /// Counts one event. Only the owner may call this.
    #[inline(always)]
    pub(crate) fn record(&self, event: Event, class: usize) {
        let class = in_range::<C>(class);
        match event {
            Event::Alloc => {
                let cell = &self.allocs[class];
                // The owner's read: its own last store, or the previous owner's, which the claim brought along.
                let count = cell.load_owned();
                // Relaxed: what orders an alloc before a snapshot is the record of its free (see the module), or
                // whatever edge the caller has to the snapshot.
                cell.store(count.wrapping_add(1), Relaxed);
            }
            Event::Free => {
                let cell = &self.frees[class];
                // The owner's read, as of an alloc.
                let count = cell.load_owned();
                // Release, with the Acquire in `add_frees_to`: who counts this free counts its alloc.
                cell.store(count.wrapping_add(1), Release);
            }
        }
    }

    /// Adds all counts to `counts`. Only the owner may call this.
    pub(crate) fn add_owned_to(&self, counts: &mut [ClassCounts; C]) {
        for ((allocs, frees), counts) in self.allocs.iter().zip(&self.frees).zip(counts) {
            // The owner's reads: whoever may call this has stored the counts itself.
            let allocs = allocs.load_owned();
            let frees = frees.load_owned();
            *counts = counts.plus(ClassCounts { allocs, frees });
        }
    }

    /// Adds the frees to `counts`. A snapshot does this for all cells before it reads any alloc.
    pub(crate) fn add_frees_to(&self, counts: &mut [ClassCounts; C]) {
        for (cell, counts) in self.frees.iter().zip(counts) {
            // Acquire, with the Release store in `record`: the allocs of the frees counted here happen-before the
            // reads in `add_allocs_to`.
            counts.frees = counts.frees.wrapping_add(cell.load(Acquire));
        }
    }

    /// Adds the allocs to `counts`. A snapshot does this after it has read all frees.
    pub(crate) fn add_allocs_to(&self, counts: &mut [ClassCounts; C]) {
        for (cell, counts) in self.allocs.iter().zip(counts) {
            // Relaxed: nothing is read through an alloc count. That it is not too low comes from the frees read before,
            // and from whatever edge the caller has to this snapshot.
            counts.allocs = counts.allocs.wrapping_add(cell.load(Relaxed));
        }
    }
}

impl<const C: usize, P: Primitives> SharedCells<C, P> {
    /// All counts zero. `cell` makes the cell of the "allocs" or the "frees" of a class, under its name in the layout.
    pub(crate) fn from_fn(cell: impl Fn(&str, usize) -> P::AtomicU64) -> Self {
        let cells = |events| array::from_fn(|class| cell(events, class));
        Self { allocs: cells("allocs"), frees: cells("frees") }
    }

    /// Counts one event.
    #[inline(always)]
    pub(crate) fn record(&self, event: Event, class: usize) {
        let class = in_range::<C>(class);
        match event {
            // Relaxed: as for an owned alloc; atomicity alone keeps concurrent additions from being lost.
            Event::Alloc => self.allocs[class].fetch_add(1, Relaxed),
            // Release, with the Acquire in `add_frees_to`: who counts this free counts its alloc. A later
            // `fetch_add` by another thread continues the release sequence, so reading that one counts for both.
            Event::Free => self.frees[class].fetch_add(1, Release),
        };
    }

    /// Adds the frees to `counts`. A snapshot does this for all cells before it reads any alloc.
    pub(crate) fn add_frees_to(&self, counts: &mut [ClassCounts; C]) {
        for (cell, counts) in self.frees.iter().zip(counts) {
            // Acquire, with the Release `fetch_add` in `record`: the allocs of the frees counted here happen-before
            // the reads in `add_allocs_to`.
            counts.frees = counts.frees.wrapping_add(cell.load(Acquire));
        }
    }

    /// Adds the allocs to `counts`. A snapshot does this after it has read all frees.
    pub(crate) fn add_allocs_to(&self, counts: &mut [ClassCounts; C]) {
        for (cell, counts) in self.allocs.iter().zip(counts) {
            // Relaxed: nothing is read through an alloc count. That it is not too low comes from the frees read before,
            // and from whatever edge the caller has to this snapshot.
            counts.allocs = counts.allocs.wrapping_add(cell.load(Relaxed));
        }
    }
}

impl<const C: usize> OwnedCells<C, Std> {
    /// All counts zero; for statics, where [`from_fn`](Self::from_fn) can not be called.
    pub(crate) const fn zeroed() -> Self {
        Self { allocs: zeroed(), frees: zeroed() }
    }
}

impl<const C: usize> SharedCells<C, Std> {
    /// All counts zero; for statics, where [`from_fn`](Self::from_fn) can not be called.
    pub(crate) const fn zeroed() -> Self {
        Self { allocs: zeroed(), frees: zeroed() }
    }
}

/// `index`, or the last one for an index that does not exist. The tables clamp in the same way, so after inlining one
/// conditional move does for both, and the array access needs no bounds check.
#[inline(always)]
pub(crate) fn in_range<const C: usize>(index: usize) -> usize {
    const { assert!(C > 0, "a layout needs at least one class, and one shard where there are shards") };
    index.min(C - 1)
}

const fn zeroed<const C: usize>() -> [<Std as Primitives>::AtomicU64; C] {
    [const { core::sync::atomic::AtomicU64::new(0) }; C]
}
