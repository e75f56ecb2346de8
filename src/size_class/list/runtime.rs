//! A table from a list that is not known before the program runs.

use core::alloc::Layout;

use super::lookup::{Lookup, MAX_CLASSES};
use super::table_error::TableError;
use crate::size_class::size_classes::class_of_size;
use crate::size_class::word::Word;

/// The table of a list of upper bounds that comes from a file, say, or a command line.
///
/// It finds classes as [`Table`](crate::Table) does, allocates nothing, and takes 3 KiB.
///
/// ```
/// use countersign::{RuntimeTable, TableError};
///
/// let table = RuntimeTable::try_new(&[100, 4096, 12_288]).unwrap();
/// assert_eq!(table.index(101), 1);
/// assert_eq!(RuntimeTable::try_new(&[100, 100]).unwrap_err(), TableError::NotAscending { position: 1 });
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuntimeTable {
    lookup: Lookup,
}

impl RuntimeTable {
    /// The most classes that a table may have.
    pub const MAX_CLASSES: usize = MAX_CLASSES;

    /// The table with these upper bounds, in bytes.
    ///
    /// # Errors
    ///
    /// If the list is empty, longer than [`MAX_CLASSES`](Self::MAX_CLASSES), or not strictly ascending from 1 or more.
    /// Of several faults it is the first of these that is named.
    pub const fn try_new(upper_bounds: &[u64]) -> Result<Self, TableError> {
        match Lookup::new(upper_bounds) {
            Ok(lookup) => Ok(Self { lookup }),
            Err(error) => Err(error),
        }
    }

    /// The class of a block of `size` bytes: the first whose upper bound is at least `size`, or the last class.
    #[inline]
    pub fn index(&self, size: u64) -> usize {
        self.class(size) as usize
    }

    /// The class as a word of any kind, for proofs: see [`Formula`](crate::Formula).
    #[inline]
    pub fn class<W: Word>(&self, size: W) -> W {
        self.lookup.class(size)
    }

    /// The class of a block of this layout, or `None` for one of no bytes, which is not recorded. See
    /// [`SizeClasses::class_of`](crate::SizeClasses::class_of).
    #[inline]
    pub fn class_of(&self, layout: Layout) -> Option<usize> {
        class_of_size(layout.size(), |size| self.index(size))
    }

    /// How many classes there are.
    pub const fn count(&self) -> usize {
        self.upper_bounds().len()
    }

    /// The upper bound of each class in bytes. Sizes beyond the last are in the last class all the same.
    pub const fn upper_bounds(&self) -> &[u64] {
        self.lookup.upper_bounds()
    }
}
