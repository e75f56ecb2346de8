//! jemalloc's size classes.

use super::log_linear::{LogLinear, step};
use super::size_classes::SizeClasses;
use super::word::{Formula, Word, one_less};

/// jemalloc's 232 size classes: 8 B, then steps of 16 B, and from 64 B on four steps to each doubling, up to 7 x 2^60 B.
///
/// These are the classes of jemalloc 5 on 64-bit platforms with a quantum of 16 B, as `jemalloc(3)` lists them; the
/// index is jemalloc's own.
#[derive(Clone, Copy, Debug)]
pub enum Jemalloc {}

/// All but the first class; jemalloc leaves out the last of these.
type Larger = LogLinear<MIN_SHIFT, 63, STEPS_SHIFT>;

const MIN_SHIFT: u32 = 4;
const STEPS_SHIFT: u32 = 2;

/// The first class, in bytes.
const TINY: u64 = 8;

impl Jemalloc {
    /// How many classes there are, for use in a type: `Slots<{ Jemalloc::COUNT }>`.
    pub const COUNT: usize = Larger::COUNT;
}

impl SizeClasses for Jemalloc {
    const COUNT: usize = Self::COUNT;

    const UPPER_BOUNDS: &'static [u64] = &{
        let mut bounds = [TINY; Self::COUNT];
        let mut class = 1;
        while class < Self::COUNT {
            bounds[class] = Larger::UPPER_BOUNDS[class - 1];
            class += 1;
        }
        bounds
    };

    #[inline]
    fn index(size: u64) -> usize {
        Self::class(size) as usize
    }
}

impl Formula for Jemalloc {
    #[inline]
    fn class<W: Word>(size: W) -> W {
        let beyond_tiny = size.constant(TINY).less(size);
        let class = step(one_less(size), MIN_SHIFT, STEPS_SHIFT) + beyond_tiny;
        class.smaller(size.constant(Self::COUNT as u64 - 1))
    }
}
