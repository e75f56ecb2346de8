//! Layouts that engines misjudge: they are correct, and an engine's own verdict about them would be wrong.
//!
//! They keep every claim, so no engine catches anything in them, and on real hardware they are as good as `Slots`. What
//! they are for is the other question: whether the suite notices that an engine says less, or more, than is true. They
//! are selectable as layouts, under a mutant's name because what is broken is the way they are written and not what
//! they count, and are no part of a default run.
//!
//! - [`PlainOwnerLoad`]: loom is green after next to no execution, since it skips those in which a thread loads and
//!   then stores the same atomic (loom #166).
//! - [`ClaimBySwap`]: loom sees what cannot happen, since it lets a read-modify-write read past a store beside it
//!   (loom #254); the engine refuses the layout.

use std::array;
use std::marker::PhantomData;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use countersign::{Atomic, ClassCounts, Event, Layout, Locks, Primitives, Recorder, Snapshot, Std};

use super::entry::LayoutEntry;

/// The layouts that are correct, and about which an engine's own verdict would be wrong.
pub fn misjudged() -> Vec<LayoutEntry> {
    vec![
        LayoutEntry::new::<OneSlot<1, PlainOwnerLoad>>("mutant:plain_owner_load").or::<OneSlot<2, PlainOwnerLoad>>(),
        LayoutEntry::new::<OneSlot<1, ClaimBySwap>>("mutant:claim_by_swap").or::<OneSlot<2, ClaimBySwap>>(),
    ]
}

/// The owner reads its own cell by a relaxed load: for hardware the same as `load_owned`, for loom the access that hides
/// all others.
pub enum PlainOwnerLoad {}

/// The slot is claimed as a test-and-set lock is taken: whoever swaps the free mark out has it.
pub enum ClaimBySwap {}

/// The steps of [`OneSlot`] that each of them writes in its own way.
pub trait Way: Send + Sync + 'static {
    /// Claims the slot if it is free.
    fn claim(owner: &impl Atomic) -> bool {
        // Acquire, with the Release store that gives the slot back.
        owner.compare_exchange(FREE, TAKEN, Acquire, Relaxed).is_ok()
    }

    /// The owner's read of its own cell.
    fn read(cell: &impl Atomic) -> u64 {
        cell.load_owned()
    }
}

impl Way for PlainOwnerLoad {
    fn read(cell: &impl Atomic) -> u64 {
        // Relaxed: the value is this thread's own, or the previous owner's, which the claim acquired.
        cell.load(Relaxed)
    }
}

impl Way for ClaimBySwap {
    fn claim(owner: &impl Atomic) -> bool {
        // Acquire, with the Release store that gives the slot back. A swap that finds it taken leaves it so.
        owner.swap(TAKEN, Acquire) == FREE
    }
}

/// A layout of one slot, which successive threads adopt, and of overflow cells for everybody else.
pub struct OneSlot<const C: usize, W, P: Primitives = Std> {
    owner: P::AtomicU64,
    slot: Cells<C, P>,
    overflow: Cells<C, P>,
    way: PhantomData<W>,
}

/// The recorder of [`OneSlot`].
pub struct OneSlotRecorder<'a, const C: usize, W, P: Primitives> {
    layout: &'a OneSlot<C, W, P>,
    owns_slot: bool,
}

/// One alloc and one free counter for each class.
struct Cells<const C: usize, P: Primitives> {
    allocs: [P::AtomicU64; C],
    frees: [P::AtomicU64; C],
}

const FREE: u64 = 0;
const TAKEN: u64 = 1;

impl<const C: usize, W: Way, P: Primitives> Layout for OneSlot<C, W, P> {
    const CLASSES: usize = C;
    type On<Q: Locks> = OneSlot<C, W, Q>;
    type Snapshot = Snapshot<C>;
    type Recorder<'a> = OneSlotRecorder<'a, C, W, P>;

    fn register(&self) -> Self::Recorder<'_> {
        OneSlotRecorder { layout: self, owns_slot: W::claim(&self.owner) }
    }

    fn record(&self, event: Event, class: usize) {
        match event {
            // Relaxed: an alloc is ordered by its free.
            Event::Alloc => self.overflow.allocs[class].fetch_add(1, Relaxed),
            // Release, with the Acquire in `snapshot`.
            Event::Free => self.overflow.frees[class].fetch_add(1, Release),
        };
    }

    fn snapshot(&self) -> Snapshot<C> {
        let mut counts = [ClassCounts::default(); C];
        for cells in [&self.slot, &self.overflow] {
            for (cell, counts) in cells.frees.iter().zip(&mut counts) {
                // Acquire, with the Release of both ways to record a free: who counts a free counts its alloc.
                counts.frees += cell.load(Acquire);
            }
        }
        for cells in [&self.slot, &self.overflow] {
            for (cell, counts) in cells.allocs.iter().zip(&mut counts) {
                // Relaxed: the frees that were read bring the allocs along.
                counts.allocs += cell.load(Relaxed);
            }
        }
        Snapshot::new(counts)
    }
}

impl<const C: usize, W: Way, P: Primitives> Recorder for OneSlotRecorder<'_, C, W, P> {
    fn record(&self, event: Event, class: usize) {
        let OneSlot { slot, .. } = self.layout;
        match (self.owns_slot, event) {
            (false, _) => self.layout.record(event, class),
            // Relaxed: an alloc is ordered by its free.
            (true, Event::Alloc) => slot.allocs[class].store(W::read(&slot.allocs[class]) + 1, Relaxed),
            // Release, with the Acquire in `snapshot`.
            (true, Event::Free) => slot.frees[class].store(W::read(&slot.frees[class]) + 1, Release),
        }
    }
}

impl<const C: usize, W, P: Primitives> Drop for OneSlotRecorder<'_, C, W, P> {
    fn drop(&mut self) {
        if self.owns_slot {
            // Release, with the Acquire of the next claim.
            self.layout.owner.store(FREE, Release);
        }
    }
}

impl<const C: usize, W, P: Primitives> Default for OneSlot<C, W, P> {
    fn default() -> Self {
        Self {
            owner: Atomic::named(FREE, format_args!("slot.owner")),
            slot: Cells::named("slot"),
            overflow: Cells::named("overflow"),
            way: PhantomData,
        }
    }
}

impl<const C: usize, P: Primitives> Cells<C, P> {
    fn named(block: &str) -> Self {
        Self {
            allocs: array::from_fn(|class| Atomic::named(0, format_args!("{block}.allocs[{class}]"))),
            frees: array::from_fn(|class| Atomic::named(0, format_args!("{block}.frees[{class}]"))),
        }
    }
}
