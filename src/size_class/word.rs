//! What an index computes with, so that one source serves programs and proofs.

use core::ops::{Add, BitOr, Shl, Shr, Sub};

/// A 64-bit word: `u64` in programs, and a term of 64 bits where a solver reasons about all of them.
///
/// The operations are those of `u64`, and have its preconditions: an operation that overflows, a shift by 64 or more
/// and the logarithm of 0 are faults of the caller. A symbolic word collects these preconditions, to be proved too.
///
/// Implement it to run a table's [`Formula`] on words of another kind.
pub trait Word:
    Copy + Add<Output = Self> + Sub<Output = Self> + BitOr<Output = Self> + Shl<Output = Self> + Shr<Output = Self>
{
    /// The word of this value, of the same kind as `self`.
    #[must_use]
    fn constant(self, value: u64) -> Self;

    /// The position of the highest bit that is set. Not for 0.
    #[must_use]
    fn log2(self) -> Self;

    /// The smaller one.
    #[must_use]
    fn smaller(self, other: Self) -> Self;

    /// 1 if `self` is less than `other`, otherwise 0.
    #[must_use]
    fn less(self, other: Self) -> Self;

    /// The entry of `table` at `self` modulo `N`, which is a power of two.
    #[must_use]
    fn load<T: Copy + Into<u64>, const N: usize>(self, table: &[T; N]) -> Self;
}

/// A table whose index is written over any [`Word`].
///
/// [`SizeClasses::index`](crate::SizeClasses::index) of such a table is this formula on `u64`, and the proofs are about
/// this formula.
pub trait Formula {
    /// The class of a block of `size` bytes, as a word.
    fn class<W: Word>(size: W) -> W;
}

impl Word for u64 {
    #[inline]
    fn constant(self, value: u64) -> Self {
        value
    }

    #[inline]
    fn log2(self) -> Self {
        self.ilog2().into()
    }

    #[inline]
    fn smaller(self, other: Self) -> Self {
        self.min(other)
    }

    #[inline]
    fn less(self, other: Self) -> Self {
        (self < other).into()
    }

    #[inline]
    fn load<T: Copy + Into<u64>, const N: usize>(self, table: &[T; N]) -> Self {
        const { assert!(N.is_power_of_two(), "a table to load from has a power of two entries") };
        table[self as usize & (N - 1)].into()
    }
}

/// One less, or 0 for 0.
#[inline]
pub(crate) fn one_less<W: Word>(word: W) -> W {
    word - word.smaller(word.constant(1))
}
