//! Slots that successive threads own, and overflow cells, with every step open to a fault.

use std::array;
use std::marker::PhantomData;
use std::sync::atomic::Ordering::{self, AcqRel, Acquire, Relaxed, Release};

use countersign::{Atomic, ClassCounts, Event, Locks, Primitives};

use super::cells::{Cells, nothing};
use super::protocol::Protocol;

/// What differs from [`Rules::SOUND`].
pub(crate) trait SlotsFault: Send + Sync + 'static {
    /// The rules that the layout goes by.
    const RULES: Rules = Rules::SOUND;
}

/// How the steps of [`SlotsWith`] are done.
pub(crate) struct Rules {
    /// The claim of a slot. Acquire, with the Release of `release`: the new owner goes on from the old one's counts.
    pub(crate) claim: Ordering,
    /// The release of a slot.
    pub(crate) release: Ordering,
    /// The store of a free in a slot. Release, with the Acquire of `slot_free_read`: who counts a free counts its alloc.
    pub(crate) slot_free_written: Ordering,
    /// A snapshot's read of a free in a slot.
    pub(crate) slot_free_read: Ordering,
    /// The addition of a free in overflow. Release, with the Acquire of `overflow_free_read`.
    pub(crate) overflow_free_written: Ordering,
    /// A snapshot's read of a free in overflow.
    pub(crate) overflow_free_read: Ordering,
    /// When a snapshot reads the mark for the second time.
    pub(crate) mark_reread: MarkReread,
    /// What a claimed slot's counts become.
    pub(crate) reuse: Reuse,
    /// How events are counted in overflow.
    pub(crate) overflow: Overflow,
}

/// When a snapshot reads the mark for the second time.
#[derive(PartialEq, Eq)]
pub(crate) enum MarkReread {
    /// After all frees.
    AfterAllFrees,
    /// After the frees of the slots, but before those in overflow.
    BeforeOverflow,
    /// Not at all.
    Never,
}

/// What a claimed slot's counts become.
pub(crate) enum Reuse {
    /// The new owner goes on from them.
    Adopted,
    /// The new owner moves them to the overflow cells and starts from zero.
    Cleared,
}

/// How events are counted in overflow.
pub(crate) enum Overflow {
    /// By `fetch_add`.
    Added,
    /// By a load and a store.
    Stored,
    /// Not at all.
    Dropped,
    /// Frees as allocs.
    FreesAsAllocs,
}

impl Rules {
    /// Those of `Slots`.
    pub(crate) const SOUND: Self = Self {
        claim: Acquire,
        release: Release,
        slot_free_written: Release,
        slot_free_read: Acquire,
        overflow_free_written: Release,
        overflow_free_read: Acquire,
        mark_reread: MarkReread::AfterAllFrees,
        reuse: Reuse::Adopted,
        overflow: Overflow::Added,
    };
}

/// A layout like `Slots`, but for what `F` overrides.
pub(crate) struct SlotsWith<const C: usize, const N: usize, F, P: Primitives> {
    slots: [Slot<C, P>; N],
    overflow: Cells<C, P>,
    mark: P::AtomicU64,
    fault: PhantomData<fn() -> F>,
}

struct Slot<const C: usize, P: Primitives> {
    owner: P::AtomicU64,
    cells: Cells<C, P>,
}

impl<const C: usize, const N: usize, F: SlotsFault, P: Locks> Protocol<C> for SlotsWith<C, N, F, P> {
    type On<Q: Locks> = SlotsWith<C, N, F, Q>;
    /// The index of the slot.
    type Own = Option<usize>;

    fn new() -> Self {
        let slots = array::from_fn(|index| Slot {
            owner: Atomic::named(0, format_args!("slots[{index}].owner")),
            cells: Cells::named(format_args!("slots[{index}].")),
        });
        let overflow = Cells::named(format_args!("overflow."));
        Self { slots, overflow, mark: Atomic::named(0, format_args!("mark")), fault: PhantomData }
    }

    fn register(&self) -> Option<usize> {
        // Relaxed on failure: a slot that is taken is not looked into.
        let claimed = |slot: &Slot<C, P>| slot.owner.compare_exchange(0, 1, F::RULES.claim, Relaxed).is_ok();
        let index = self.slots.iter().position(claimed)?;
        if let Reuse::Cleared = F::RULES.reuse {
            self.clear(&self.slots[index].cells);
        }
        // Relaxed: an event that the caller records from now on brings its mark along.
        self.mark.fetch_max(index as u64 + 1, Relaxed);
        Some(index)
    }

    fn count(&self, slot: &Option<usize>, event: Event, class: usize) {
        let Some(index) = *slot else { return self.count_unregistered(event, class) };
        let Cells { allocs, frees } = &self.slots[index].cells;
        match event {
            // Relaxed: an alloc is ordered by its free.
            Event::Alloc => allocs[class].store(allocs[class].load_owned() + 1, Relaxed),
            Event::Free => frees[class].store(frees[class].load_owned() + 1, F::RULES.slot_free_written),
        }
    }

    fn retire(&self, slot: &Option<usize>) {
        if let Some(index) = *slot {
            self.slots[index].owner.store(0, F::RULES.release);
        }
    }

    fn count_unregistered(&self, event: Event, class: usize) {
        let Cells { allocs, frees } = &self.overflow;
        let (cell, order) = match event {
            // Relaxed: as above.
            Event::Alloc => (&allocs[class], Relaxed),
            Event::Free => (&frees[class], F::RULES.overflow_free_written),
        };
        match F::RULES.overflow {
            Overflow::Added => {
                cell.fetch_add(1, order);
            }
            Overflow::Stored => cell.store(cell.load(Relaxed) + 1, order),
            Overflow::Dropped => {}
            Overflow::FreesAsAllocs => {
                allocs[class].fetch_add(1, order);
            }
        }
    }

    fn read(&self) -> [ClassCounts; C] {
        let mut counts = nothing();
        // Relaxed, here and below: the frees acquired bring along the marks that their allocs stand behind.
        let mut mark = self.mark.load(Relaxed) as usize;
        for slot in &self.slots[..mark] {
            add_frees(&slot.cells, F::RULES.slot_free_read, &mut counts);
        }
        if F::RULES.mark_reread == MarkReread::BeforeOverflow {
            mark = self.mark.load(Relaxed) as usize;
        }
        add_frees(&self.overflow, F::RULES.overflow_free_read, &mut counts);
        if F::RULES.mark_reread == MarkReread::AfterAllFrees {
            mark = self.mark.load(Relaxed) as usize;
        }
        self.slots[..mark].iter().for_each(|slot| slot.cells.add_allocs_to(&mut counts));
        self.overflow.add_allocs_to(&mut counts);
        counts
    }
}

impl<const C: usize, const N: usize, F, P: Primitives> SlotsWith<C, N, F, P> {
    /// Moves the counts of a slot, which the caller owns, to the overflow cells.
    fn clear(&self, cells: &Cells<C, P>) {
        for (class, counts) in cells.owned().into_iter().enumerate() {
            // As strong as orderings can be: it is the two steps that are wrong.
            cells.frees[class].store(0, Release);
            self.overflow.frees[class].fetch_add(counts.frees, AcqRel);
            cells.allocs[class].store(0, Release);
            self.overflow.allocs[class].fetch_add(counts.allocs, AcqRel);
        }
    }
}

fn add_frees<const C: usize, P: Primitives>(cells: &Cells<C, P>, order: Ordering, counts: &mut [ClassCounts; C]) {
    for (cell, counts) in cells.frees.iter().zip(counts) {
        counts.frees += cell.load(order);
    }
}
