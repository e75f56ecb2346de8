//! From the size of a block to its class.
//!
//! One law holds for every table: `index(size)` is the first class whose upper bound is at least `size`, and the last
//! class when there is none.

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

    /// The upper bound of a class in bytes, or `None` if there is no such class.
    fn upper_bound(class: usize) -> Option<u64> {
        Self::UPPER_BOUNDS.get(class).copied()
    }
}

/// Powers of two from 16 B to 1 GiB: 27 classes. Larger sizes are in the last class.
#[derive(Clone, Copy, Debug)]
pub enum Llgo {}

impl Llgo {
    /// How many classes there are, for use in a type: `Slots<{ Llgo::COUNT }>`.
    pub const COUNT: usize = (MAX_SHIFT - MIN_SHIFT + 1) as usize;
}

const MIN_SHIFT: u32 = 4;
const MAX_SHIFT: u32 = 30;

const LLGO_UPPER_BOUNDS: [u64; Llgo::COUNT] = {
    let mut bounds = [0; Llgo::COUNT];
    let mut class = 0;
    while class < bounds.len() {
        bounds[class] = 1 << (MIN_SHIFT as usize + class);
        class += 1;
    }
    bounds
};

impl SizeClasses for Llgo {
    const COUNT: usize = Self::COUNT;
    const UPPER_BOUNDS: &'static [u64] = &LLGO_UPPER_BOUNDS;

    #[inline]
    fn index(size: u64) -> usize {
        // For a power of two bound 2^k, size <= 2^k is (size - 1) < 2^k: the class is the bit length of size - 1.
        // Setting the bits below the smallest bound puts all small sizes into class 0 without a branch, and 0 with
        // them.
        let log = (size.saturating_sub(1) | ((1 << MIN_SHIFT) - 1)).ilog2();
        ((log - (MIN_SHIFT - 1)) as usize).min(Self::COUNT - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The law, read aloud.
    fn linear_scan(size: u64) -> usize {
        LLGO_UPPER_BOUNDS.iter().position(|bound| *bound >= size).unwrap_or(Llgo::COUNT - 1)
    }

    #[test]
    fn index_is_the_first_class_that_holds_the_size() {
        let edges = (0..64).map(|shift| 1_u64 << shift).flat_map(|power| [power - 1, power, power + 1]);
        for size in (0..=131_072).chain(edges).chain([u64::MAX - 1, u64::MAX]) {
            assert_eq!(Llgo::index(size), linear_scan(size), "size {size}");
        }
    }

    #[test]
    fn the_table_is_16_b_to_1_gib() {
        assert_eq!(Llgo::COUNT, 27);
        assert_eq!(Llgo::upper_bound(0), Some(16));
        assert_eq!(Llgo::upper_bound(26), Some(1 << 30));
        assert_eq!(Llgo::upper_bound(27), None);
    }
}
