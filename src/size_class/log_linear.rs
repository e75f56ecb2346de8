//! Classes of equal width within each doubling.

use super::size_classes::SizeClasses;
use super::word::{Formula, Word, one_less};

/// Powers of two from 16 B to 1 GiB: 27 classes.
pub type Llgo = LogLinear<4, 30, 0>;

/// Upper bounds up to 2^`MAX_SHIFT` bytes, with 2^`STEPS_SHIFT` steps of equal width to each doubling, but none
/// narrower than 2^`MIN_SHIFT` bytes.
///
/// `LogLinear<4, 8, 2>`, of which jemalloc's classes are made, has the bounds
///
/// ```text
///   16 32 48 64 │ 80 96 112 128 │ 160 192 224 256
///   width 16      width 16        width 32
/// ```
///
/// ```
/// use countersign::{LogLinear, SizeClasses};
///
/// assert_eq!(LogLinear::<4, 8, 2>::UPPER_BOUNDS, [16, 32, 48, 64, 80, 96, 112, 128, 160, 192, 224, 256]);
/// ```
///
/// Parameters that make no table do not compile:
///
/// ```compile_fail,E0080
/// // error: the smallest class times the steps of a doubling is more than the largest bound
/// println!("{}", countersign::LogLinear::<10, 11, 2>::COUNT);
/// ```
#[derive(Clone, Copy, Debug)]
pub enum LogLinear<const MIN_SHIFT: u32, const MAX_SHIFT: u32, const STEPS_SHIFT: u32> {}

impl<const MIN_SHIFT: u32, const MAX_SHIFT: u32, const STEPS_SHIFT: u32> LogLinear<MIN_SHIFT, MAX_SHIFT, STEPS_SHIFT> {
    /// How many classes there are, for use in a type: `Slots<{ Llgo::COUNT }>`.
    pub const COUNT: usize = {
        assert!(MAX_SHIFT < 64, "the largest bound must be a size of 64 bits");
        assert!(STEPS_SHIFT < 64 && MIN_SHIFT < 64, "the shifts must be below 64");
        assert!(
            MIN_SHIFT + STEPS_SHIFT <= MAX_SHIFT,
            "the smallest class times the steps of a doubling is more than the largest bound"
        );
        assert!(STEPS_SHIFT <= 3, "there may be 8 steps to a doubling at most");
        ((MAX_SHIFT - MIN_SHIFT - STEPS_SHIFT + 1) as usize) << STEPS_SHIFT
    };

    /// The bounds, with room to spare: an array's length cannot depend on a type's parameters.
    const fn bounds<const CAPACITY: usize>() -> [u64; CAPACITY] {
        let mut bounds = [0; CAPACITY];
        let mut class = 0;
        while class < Self::COUNT && class < CAPACITY {
            bounds[class] = step_start(class as u64 + 1, MIN_SHIFT, STEPS_SHIFT) as u64;
            class += 1;
        }
        bounds
    }
}

/// The most classes that the parameters allow: 8 to each doubling from 8 B to 2^63 B, and 8 below.
const MOST_CLASSES: usize = 488;

impl<const MIN_SHIFT: u32, const MAX_SHIFT: u32, const STEPS_SHIFT: u32> SizeClasses
    for LogLinear<MIN_SHIFT, MAX_SHIFT, STEPS_SHIFT>
{
    const COUNT: usize = Self::COUNT;

    const UPPER_BOUNDS: &'static [u64] = if Self::COUNT <= 32 {
        let all: &[u64; 32] = &const { Self::bounds() };
        all.split_at(Self::COUNT).0
    } else {
        let all: &[u64; MOST_CLASSES] = &const { Self::bounds() };
        all.split_at(Self::COUNT).0
    };

    #[inline]
    fn index(size: u64) -> usize {
        Self::class(size) as usize
    }
}

impl<const MIN_SHIFT: u32, const MAX_SHIFT: u32, const STEPS_SHIFT: u32> Formula
    for LogLinear<MIN_SHIFT, MAX_SHIFT, STEPS_SHIFT>
{
    #[inline]
    fn class<W: Word>(size: W) -> W {
        // For an upper bound b, size <= b is (size - 1) < b: counted from 0, a class begins where the one before it
        // has its bound.
        let offset = one_less(size);
        if STEPS_SHIFT == 0 && MIN_SHIFT > 0 {
            // With one step to a doubling the class is a bit length. The lowest bit stands for all sizes below the smallest
            // bound. Sizes beyond the largest bound are clamped before and not after: on x86-64 the logarithm is `bsr`, which
            // has its result's register as an input too, so that a record may wait for the index of the one before it; and
            // that is there the sooner, the less is done to it after the logarithm.
            let clamped = offset.smaller(size.constant((1 << MAX_SHIFT) - 1));
            ((clamped >> size.constant(u64::from(MIN_SHIFT) - 1)) | size.constant(1)).log2()
        } else {
            step(offset, MIN_SHIFT, STEPS_SHIFT).smaller(size.constant(Self::COUNT as u64 - 1))
        }
    }
}

/// The step that `offset` lies in. Steps are counted from 0; the first 2^`steps_shift` + 1 doublings have steps of width
/// 2^`min_shift`, and each doubling after them has 2^`steps_shift` steps of equal width.
#[inline]
pub(crate) fn step<W: Word>(offset: W, min_shift: u32, steps_shift: u32) -> W {
    let word = |value: u32| offset.constant(value.into());
    // Setting this bit makes all of the first doublings use the first width.
    let log = (offset | offset.constant(1 << (min_shift + steps_shift))).log2();
    ((log - word(min_shift + steps_shift)) << word(steps_shift)) + (offset >> (log - word(steps_shift)))
}

/// The smallest offset in a step: the inverse of [`step`]. After the last step it is 2^64.
pub(crate) const fn step_start(step: u64, min_shift: u32, steps_shift: u32) -> u128 {
    let (doubling, within) = (step >> steps_shift, (step & ((1 << steps_shift) - 1)) as u128);
    match doubling.checked_sub(1) {
        None => within << min_shift,
        Some(widenings) => ((1 << steps_shift) + within) << (min_shift as u64 + widenings),
    }
}
