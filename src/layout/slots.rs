//! Slots: a fixed array of single-writer cells that successive threads own. The default layout.
//!
//! # The protocol
//!
//! ```text
//!                 claim: CAS FREE -> TAKEN, Acquire
//!          ┌──────────────────────────────────────────┐
//!          │                                          ▼
//!      ┌───┴──┐                                   ┌───────┐
//!      │ FREE │                                   │ TAKEN │──┐ count: owner's read, add, store
//!      └──────┘                                   └───┬───┘◀─┘
//!          ▲                                          │
//!          └──────────────────────────────────────────┘
//!                 release: store FREE, Release
//! ```
//!
//! **claim.** A registering thread tries the slots in turn, by CAS alone. It goes on from the counts it finds: a slot
//! is *adopted*, never cleared, so there is nothing to fold at exit and nothing to lose. If no slot is free the
//! recorder counts in the *overflow* cells, which all threads share.
//!
//! **raise.** After the claim and before its first record, the owner raises the *mark* (the number of slots that
//! were ever claimed), so that snapshots need not look at slots that no thread ever had.
//!
//! **count.** The owner reads its own cell, adds one and stores: no locked instruction, nobody else writes there.
//!
//! **release.** Dropping the recorder gives the slot back. Its counts stay where they are.
//!
//! **snapshot.** 1. read the mark; 2. read the frees of the slots below it, and of overflow, with Acquire; 3. read
//! the mark again; 4. read the allocs of the slots below the new mark, and of overflow.
//!
//! # The races to fear
//!
//! *A stale adopter.* Without the edge from release to claim, the new owner could read an old count of the cell and
//! store it back plus one: the last events of the previous owner would be lost.
//!
//! *A mark that is too old.* Thread A claims a fresh slot and allocates, thread B below the mark frees that block.
//! A snapshot that counts B's free has to look into A's slot, which lay above the mark when it started: so the mark
//! is read again, after *all* frees (those in overflow too: B may have no slot) and before any alloc. The mark's own
//! accesses may be relaxed: A raised it before its alloc, which happens-before B's free, which the snapshot acquired;
//! coherence does the rest.

use core::array;
use core::cell::Cell;
use core::marker::PhantomData;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use crossbeam_utils::CachePadded;

use super::cells::{OwnedCells, SharedCells};
use super::contract::{Handle, Layout, LendHandle, Recorder};
use crate::event::Event;
use crate::primitives::{Atomic, Locks, Primitives, Std};
use crate::snapshot::{ClassCounts, Snapshot};

/// `N` slots, each on cache lines of its own and with one alloc and one free counter for each class, and one block of
/// overflow cells.
///
/// Memory: with 64 slots and 27 classes 33 KiB (33,920 bytes on x86-64), whatever the number of threads that ever lived.
///
/// Slots begin at multiples of 128 bytes on x86-64, as [`CachePadded`] has it: some processors fetch lines of 64 bytes in
/// pairs. `countersign bench --group alignment` has two threads count in neighbouring slots at multiples of 64, 128 and 256
/// bytes: on two cores of a Xeon in a virtual machine none differed (0.96 to 1.02 x, and 0.95 to 1.01 x, the time at 128),
/// so the one is taken that is right for those processors and costs 64 bytes for each slot of 27 classes.
///
/// Cost: a record is a load, an addition and a store in the thread's own lines, without a locked instruction; one
/// `fetch_add` for a thread that found no slot free. (On targets with 64-bit atomics of one instruction.) `register` tries at most `N` slots. A snapshot reads `2 * C`
/// cells for each slot that was ever claimed: no more than the most threads that at once held a recorder or were
/// obtaining one.
pub struct Slots<const C: usize, const N: usize = 64, P: Primitives = Std> {
    /// Who owns each slot. Apart from the counters: a thread that looks for a slot must not take the lines in which
    /// others count.
    owners: CachePadded<[P::AtomicU64; N]>,
    slots: [CachePadded<OwnedCells<C, P>>; N],
    overflow: CachePadded<SharedCells<C, P>>,
    /// The slots below this index were claimed at least once.
    mark: CachePadded<P::AtomicU64>,
}

/// The recorder of [`Slots`]: it owns a slot, or counts in the overflow cells where none was free.
pub struct SlotsRecorder<'a, const C: usize, const N: usize, P: Primitives> {
    layout: &'a Slots<C, N, P>,
    slot: Option<Slot<'a, C, P>>,
    not_sync: PhantomData<Cell<()>>,
}

/// The handle of a [`SlotsRecorder`] that owns a slot.
pub struct SlotsHandle<'a, const C: usize, P: Primitives> {
    cells: &'a OwnedCells<C, P>,
    not_send: PhantomData<*const ()>,
}

/// A slot that a recorder owns.
struct Slot<'a, const C: usize, P: Primitives> {
    owner: &'a P::AtomicU64,
    cells: &'a OwnedCells<C, P>,
}

/// The owner word of a slot that a thread may claim.
const FREE: u64 = 0;
/// The owner word of a slot that a recorder owns.
const TAKEN: u64 = 1;

impl<const C: usize, const N: usize> Slots<C, N> {
    /// All counts zero and all slots free.
    pub const fn new() -> Self {
        Self {
            owners: CachePadded::new([const { core::sync::atomic::AtomicU64::new(FREE) }; N]),
            slots: [const { CachePadded::new(OwnedCells::zeroed()) }; N],
            overflow: CachePadded::new(SharedCells::zeroed()),
            mark: CachePadded::new(core::sync::atomic::AtomicU64::new(0)),
        }
    }
}

impl<const C: usize, const N: usize, P: Primitives> Slots<C, N, P> {
    /// Claims the first slot that is free.
    ///
    /// By CAS alone: looking first would change nothing about what is right, and hides this very race from checkers that
    /// remember only the latest access to a location.
    fn claim(&self) -> Option<Slot<'_, C, P>> {
        let slots = self.owners.iter().zip(&self.slots).enumerate();
        // claim. Acquire, with the Release store of `drop`: this owner's first read of a cell is the previous owner's last
        // store. Relaxed on failure: a slot that is taken is not looked into.
        let is_claimed = |owner: &P::AtomicU64| owner.compare_exchange(FREE, TAKEN, Acquire, Relaxed).is_ok();
        let (index, (owner, cells)) = slots.into_iter().find(|(_, (owner, _))| is_claimed(owner))?;
        // raise. Relaxed, with the two loads in `snapshot`: it is sequenced before this owner's records, and an edge
        // from one of those to a snapshot carries the mark along.
        self.mark.fetch_max(index as u64 + 1, Relaxed);
        Some(Slot { owner, cells })
    }

    /// The cells of the slots below `mark`.
    fn below(&self, mark: u64) -> impl Iterator<Item = &OwnedCells<C, P>> {
        self.slots.iter().take(mark as usize).map(|cells| &**cells)
    }
}

impl<const C: usize, const N: usize, P: Primitives> Layout for Slots<C, N, P> {
    const CLASSES: usize = C;
    type On<Q: Locks> = Slots<C, N, Q>;
    type Snapshot = Snapshot<C>;
    type Recorder<'a> = SlotsRecorder<'a, C, N, P>;

    fn register(&self) -> Self::Recorder<'_> {
        SlotsRecorder { layout: self, slot: self.claim(), not_sync: PhantomData }
    }

    #[inline]
    fn record(&self, event: Event, class: usize) {
        self.overflow.record(event, class);
    }

    fn snapshot(&self) -> Snapshot<C> {
        let mut counts = [ClassCounts::default(); C];
        // Relaxed, with `fetch_max` in `claim`: an event that happens-before this snapshot brings its mark along.
        let mark = self.mark.load(Relaxed);
        self.below(mark).for_each(|cells| cells.add_frees_to(&mut counts));
        self.overflow.add_frees_to(&mut counts);
        // Relaxed, with `fetch_max` in `claim`: the frees acquired above bring along the marks that their allocs
        // stand behind.
        let mark = self.mark.load(Relaxed);
        self.below(mark).for_each(|cells| cells.add_allocs_to(&mut counts));
        self.overflow.add_allocs_to(&mut counts);
        Snapshot::new(counts)
    }
}

impl<const C: usize, const N: usize, P: Primitives> Recorder for SlotsRecorder<'_, C, N, P> {
    #[inline]
    fn record(&self, event: Event, class: usize) {
        match &self.slot {
            Some(slot) => slot.cells.record(event, class),
            None => self.layout.record(event, class),
        }
    }
}

impl<const C: usize, const N: usize, P: Primitives> Drop for SlotsRecorder<'_, C, N, P> {
    fn drop(&mut self) {
        if let Some(slot) = &self.slot {
            // release. Release, with the Acquire of the next `claim`: the next owner goes on from the counts
            // stored here.
            slot.owner.store(FREE, Release);
        }
    }
}

impl<'a, const C: usize, const N: usize, P: Primitives> LendHandle for SlotsRecorder<'a, C, N, P> {
    type Handle = SlotsHandle<'a, C, P>;

    fn handle(&self) -> Option<Self::Handle> {
        self.slot.as_ref().map(|slot| SlotsHandle { cells: slot.cells, not_send: PhantomData })
    }
}

impl<const C: usize, P: Primitives> SlotsHandle<'_, C, P> {
    /// What was recorded in this slot: by its owner, and by those that owned it before. While the handle may be used,
    /// the difference of two such readings is what this recorder recorded in between, to the event.
    pub fn counts(self) -> [ClassCounts; C] {
        let mut counts = [ClassCounts::default(); C];
        self.cells.add_owned_to(&mut counts);
        counts
    }
}

impl<const C: usize, P: Primitives> Handle for SlotsHandle<'_, C, P> {
    #[inline(always)]
    fn record(self, event: Event, class: usize) {
        self.cells.record(event, class);
    }
}

impl<const C: usize, P: Primitives> Copy for SlotsHandle<'_, C, P> {}

impl<const C: usize, P: Primitives> Clone for SlotsHandle<'_, C, P> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<const C: usize, const N: usize, P: Primitives> Default for Slots<C, N, P> {
    fn default() -> Self {
        let overflow = |events: &str, class| Atomic::named(0, format_args!("overflow.{events}[{class}]"));
        Self {
            owners: CachePadded::new(array::from_fn(|slot| Atomic::named(FREE, format_args!("slots[{slot}].owner")))),
            slots: array::from_fn(|slot| {
                let cell = |events: &str, class| Atomic::named(0, format_args!("slots[{slot}].{events}[{class}]"));
                CachePadded::new(OwnedCells::from_fn(cell))
            }),
            overflow: CachePadded::new(SharedCells::from_fn(overflow)),
            mark: CachePadded::new(Atomic::named(0, format_args!("mark"))),
        }
    }
}
