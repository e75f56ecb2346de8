//! A slot is claimed without Acquire.
//!
//! Source: slot adoption as such; crossbeam-epoch #54 handed a participant's data over unprotected in the same way.
//! Breaks: exact. The new owner may go on from a stale count, and the last events of the previous owner are overwritten.
//! loom and the complete engine must catch it; an engine that knows no weak memory cannot.

use std::sync::atomic::Ordering::{Relaxed, Release};

use countersign::{Atomic, ClassCounts, Event, Layout, Locks, Primitives, Recorder, Snapshot, Std};

use super::parts::Cells;

/// See the [module](self): one slot, and overflow cells.
pub struct ClaimRelaxed<const C: usize, P: Primitives = Std> {
    owner: P::AtomicU64,
    slot: Cells<C, P>,
    overflow: Cells<C, P>,
}

/// The recorder of [`ClaimRelaxed`].
pub struct ClaimRelaxedRecorder<'a, const C: usize, P: Primitives> {
    layout: &'a ClaimRelaxed<C, P>,
    owns_slot: bool,
}

impl<const C: usize, P: Primitives> Layout for ClaimRelaxed<C, P> {
    const CLASSES: usize = C;
    type On<Q: Locks> = ClaimRelaxed<C, Q>;
    type Snapshot = Snapshot<C>;
    type Recorder<'a> = ClaimRelaxedRecorder<'a, C, P>;

    fn register(&self) -> Self::Recorder<'_> {
        // The fault: nothing pairs with the Release in `drop`.
        let owns_slot = self.owner.compare_exchange(0, 1, Relaxed, Relaxed).is_ok();
        ClaimRelaxedRecorder { layout: self, owns_slot }
    }

    fn record(&self, event: Event, class: usize) {
        self.overflow.record_shared(event, class);
    }

    fn snapshot(&self) -> Snapshot<C> {
        let mut counts = [ClassCounts::default(); C];
        self.slot.add_frees_to(&mut counts);
        self.overflow.add_frees_to(&mut counts);
        self.slot.add_allocs_to(&mut counts);
        self.overflow.add_allocs_to(&mut counts);
        Snapshot::new(counts)
    }
}

impl<const C: usize, P: Primitives> Recorder for ClaimRelaxedRecorder<'_, C, P> {
    fn record(&self, event: Event, class: usize) {
        if self.owns_slot {
            self.layout.slot.record_owned(event, class);
        } else {
            self.layout.record(event, class);
        }
    }
}

impl<const C: usize, P: Primitives> Drop for ClaimRelaxedRecorder<'_, C, P> {
    fn drop(&mut self) {
        if self.owns_slot {
            // Release, as in `Slots`, but no claim acquires it.
            self.layout.owner.store(0, Release);
        }
    }
}

impl<const C: usize, P: Primitives> Default for ClaimRelaxed<C, P> {
    fn default() -> Self {
        Self { owner: Atomic::new(0), slot: Cells::default(), overflow: Cells::default() }
    }
}
