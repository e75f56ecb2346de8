//! The counts of all classes: those that one snapshot read, and the difference of two.

use core::error::Error;
use core::fmt;

use super::one_class::{ClassCounts, totals};
use super::table;
use crate::event::Event;

/// The counts of every class, as one [`Layout::snapshot`](crate::Layout::snapshot) read them.
///
/// Displays as a table of the classes that have events, labelled with upper bounds when it comes from an
/// [`AllocProfile`](crate::AllocProfile); the last class's label says "and larger", since it takes all larger sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Snapshot<const C: usize> {
    classes: [ClassCounts; C],
    pub(super) bounds: &'static [u64],
}

/// What was recorded between two snapshots: see [`Snapshot::since`].
///
/// Displays as a table, as [`Snapshot`] does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference<const C: usize> {
    classes: [ClassCounts; C],
    pub(super) bounds: &'static [u64],
}

/// Access to the counts of a snapshot, whatever its number of classes.
///
/// [`Snapshot`] implements it, and a layout of one's own has no reason to use anything else.
pub trait Counts: Clone + Send + 'static {
    /// The counts, by class.
    fn classes(&self) -> &[ClassCounts];

    /// The same counts, labelled with the upper bounds of the classes, in bytes.
    #[must_use]
    fn with_bounds(self, bounds: &'static [u64]) -> Self;
}

/// The second snapshot was not taken after the first: see [`Snapshot::since`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotLaterError {
    class: usize,
    event: Event,
    earlier: u64,
    later: u64,
}

impl<const C: usize> Snapshot<C> {
    /// A snapshot of these counts, for layouts to return.
    pub const fn new(classes: [ClassCounts; C]) -> Self {
        Self { classes, bounds: &[] }
    }

    /// The counts, by class.
    pub const fn classes(&self) -> &[ClassCounts; C] {
        &self.classes
    }

    /// The sums over all classes.
    pub fn totals(&self) -> ClassCounts {
        totals(&self.classes)
    }

    /// What was recorded between `earlier` and this snapshot.
    ///
    /// # Errors
    ///
    /// If a count of `earlier` is greater than its counterpart here: the two are in the wrong order, or come from
    /// different counters. (Subtracting them would give a number close to 2^64, as in sysstat #433.)
    pub fn since(&self, earlier: &Self) -> Result<Difference<C>, NotLaterError> {
        let mut classes = self.classes;
        for (class, (later, earlier)) in classes.iter_mut().zip(&earlier.classes).enumerate() {
            later.allocs = difference(class, Event::Alloc, later.allocs, earlier.allocs)?;
            later.frees = difference(class, Event::Free, later.frees, earlier.frees)?;
        }
        Ok(Difference { classes, bounds: self.bounds })
    }
}

impl<const C: usize> Difference<C> {
    /// What was recorded between two readings of the same counters, the later of which is nowhere smaller.
    #[cfg(feature = "std")]
    pub(crate) fn between(earlier: &[ClassCounts; C], later: &[ClassCounts; C], bounds: &'static [u64]) -> Self {
        let classes = core::array::from_fn(|class| ClassCounts {
            allocs: later[class].allocs.wrapping_sub(earlier[class].allocs),
            frees: later[class].frees.wrapping_sub(earlier[class].frees),
        });
        Self { classes, bounds }
    }

    /// The events recorded in between, by class. [`ClassCounts::in_use`] is the net use, and may be negative.
    pub const fn classes(&self) -> &[ClassCounts; C] {
        &self.classes
    }

    /// The sums over all classes.
    pub fn totals(&self) -> ClassCounts {
        totals(&self.classes)
    }
}

impl<const C: usize> Counts for Snapshot<C> {
    fn classes(&self) -> &[ClassCounts] {
        &self.classes
    }

    fn with_bounds(self, bounds: &'static [u64]) -> Self {
        Self { bounds, ..self }
    }
}

impl<const C: usize> fmt::Display for Snapshot<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        table::write(f, "in use", &self.classes, self.bounds)
    }
}

impl<const C: usize> fmt::Display for Difference<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        table::write(f, "net use", &self.classes, self.bounds)
    }
}

impl fmt::Display for NotLaterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { class, event, earlier, later } = self;
        let event = match event {
            Event::Alloc => "allocs",
            Event::Free => "frees",
        };
        write!(
            f,
            "the snapshot given as the earlier one has {earlier} {event} in class {class}, the later one {later}: \
             pass the snapshot that was taken first, of the same counters"
        )
    }
}

impl Error for NotLaterError {}

fn difference(class: usize, event: Event, later: u64, earlier: u64) -> Result<u64, NotLaterError> {
    later.checked_sub(earlier).ok_or(NotLaterError { class, event, earlier, later })
}
