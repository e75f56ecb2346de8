//! The counts of one class.

use crate::event::Event;

/// The events counted in one class, or in all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ClassCounts {
    /// How many blocks were allocated.
    pub allocs: u64,
    /// How many blocks were freed.
    pub frees: u64,
}

impl ClassCounts {
    /// `allocs - frees`.
    ///
    /// Negative where frees were counted whose allocs were not. In a [`Difference`](crate::Difference) these are the
    /// frees of blocks that are older than the first snapshot. In a [`Snapshot`](crate::Snapshot) of a layout that
    /// keeps the contract they come from the program: it frees blocks of before it began to record, or records a free
    /// under another size than its alloc, or without an alloc that happens-before it.
    pub const fn in_use(self) -> i64 {
        self.allocs.wrapping_sub(self.frees) as i64
    }

    /// Counts one event.
    pub const fn count(&mut self, event: Event) {
        let cell = match event {
            Event::Alloc => &mut self.allocs,
            Event::Free => &mut self.frees,
        };
        *cell = cell.wrapping_add(1);
    }

    /// The counts of both. Wraps at 2^64, which takes 584 years at a billion events a second.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self { allocs: self.allocs.wrapping_add(other.allocs), frees: self.frees.wrapping_add(other.frees) }
    }
}

/// The sums over all classes.
pub(super) fn totals(classes: &[ClassCounts]) -> ClassCounts {
    classes.iter().fold(ClassCounts::default(), |sum, counts| sum.plus(*counts))
}
