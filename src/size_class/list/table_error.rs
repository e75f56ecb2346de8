//! What may be wrong with a list of upper bounds.

use core::error::Error;
use core::fmt;

/// Why a list of upper bounds makes no table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TableError {
    /// The list is empty.
    Empty,
    /// The bound at this position, counted from 0, is not greater than the one before it.
    NotAscending {
        /// The position, counted from 0.
        position: usize,
    },
    /// The first bound is 0. Blocks of no bytes are not recorded, so the class would be empty.
    Zero,
    /// There are more than [`RuntimeTable::MAX_CLASSES`](crate::RuntimeTable::MAX_CLASSES).
    TooMany {
        /// How many bounds there are.
        classes: usize,
    },
}

impl TableError {
    /// What must hold of a list and does not, for where nothing can be formatted.
    pub(crate) const fn claim(self) -> &'static str {
        match self {
            Self::Empty => "a table must have a class",
            Self::NotAscending { .. } => "the upper bounds of a table must be strictly ascending",
            Self::Zero => "the upper bounds of a table must not be 0",
            Self::TooMany { .. } => "a table must have 256 classes at most",
        }
    }
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.claim())?;
        match self {
            Self::Empty => f.write_str(": give at least one upper bound"),
            Self::NotAscending { position } => {
                write!(f, ": the one at position {position}, counted from 0, is not greater than the one before it")
            }
            Self::Zero => f.write_str(": leave it out, since blocks of no bytes are not recorded"),
            Self::TooMany { classes } => write!(f, ": there are {classes}"),
        }
    }
}

impl Error for TableError {}
