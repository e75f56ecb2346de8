//! What every table of size classes is used through.

use core::alloc::Layout;

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
