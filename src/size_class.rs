//! From the size of a block to its class.
//!
//! One law holds for every table: `index(size)` is the first class whose upper bound is at least `size`, and the last
//! class when there is none.
//!
//! ```text
//!   LogLinear   a formula: equal steps within each doubling       Llgo = LogLinear<4, 30, 0>
//!   Jemalloc    8, and then LogLinear as jemalloc has it
//!   Table       any ascending list, made a lookup by the compiler  Go = Table<GoBounds>
//!   RuntimeTable   the same lookup, made from a list at run time
//! ```
//!
//! Each index is written over [`Word`], so that what runs on `u64` is what the proofs run on a solver's terms.

mod go;
mod jemalloc;
mod log_linear;
mod lookup;
mod named;
mod runtime;
mod table;
mod word;

use core::alloc::Layout;

pub use go::{Go, GoBounds};
pub use jemalloc::Jemalloc;
pub use log_linear::{Llgo, LogLinear};
pub use named::NamedTable;
pub use runtime::{RuntimeTable, TableError};
pub use table::{Table, UpperBounds};
pub use word::{Formula, Word};

/// A table of size classes, as a type.
pub trait SizeClasses: 'static {
    /// How many classes there are.
    const COUNT: usize;

    /// The upper bound of each class in bytes, strictly ascending. Sizes beyond the last are in the last class all
    /// the same.
    const UPPER_BOUNDS: &'static [u64];

    /// The class of a block of `size` bytes: the first whose upper bound is at least `size`, or the last class. Below
    /// [`COUNT`](Self::COUNT) for every size.
    fn index(size: u64) -> usize;

    /// The class of a block of this layout, or `None` for one of no bytes, which is not recorded.
    ///
    /// It is the class of the layout's size as given. The alignment has no part in it: rounding the two together
    /// wraps to 0 near the largest size (as in snmalloc #752), and would put one size into several classes.
    #[inline]
    fn class_of(layout: Layout) -> Option<usize> {
        class_of_size(layout.size(), Self::index)
    }

    /// The upper bound of a class in bytes, or `None` if there is no such class.
    fn upper_bound(class: usize) -> Option<u64> {
        Self::UPPER_BOUNDS.get(class).copied()
    }
}

/// The class of a block of `size` bytes by `index`, or `None` for one of no bytes.
#[inline]
pub(crate) fn class_of_size(size: usize, index: impl FnOnce(u64) -> usize) -> Option<usize> {
    // `usize` has 64 bits at most, so nothing is lost.
    (size != 0).then(|| index(size as u64))
}
