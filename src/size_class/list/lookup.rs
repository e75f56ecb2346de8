//! A list of upper bounds, turned into a direct lookup.
//!
//! Sizes are divided into the steps of a log-linear scale, fine enough for the list, and a byte for each step says which
//! class its first size has. Where no bound lies within a step, that is the class of all its sizes. Where bounds do, a
//! binary search of fixed length among as many classes as share a step finds the rest of the way.

#[cfg(test)]
mod tests;

use super::table_error::TableError;
use crate::size_class::log_linear::{step, step_start};
use crate::size_class::word::{Word, one_less};

/// The most classes that a list may have: a class must fit in a byte.
pub(crate) const MAX_CLASSES: usize = 256;

/// How many steps the lookup has room for.
const MAX_STEPS: usize = 1024;

/// The finest scale that is tried has so many steps to a doubling, as a power of two.
const MAX_STEPS_SHIFT: u32 = 9;

/// A lookup of classes by size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Lookup {
    count: usize,
    /// The bounds, and beyond the last the largest word, which no size exceeds.
    bounds: [u64; MAX_CLASSES],
    last_bound: u64,
    scale: Scale,
    /// The class of the first size in each step.
    first: [u8; MAX_STEPS],
}

/// A log-linear scale, and how well it divides a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Scale {
    min_shift: u32,
    steps_shift: u32,
    /// The length of the binary search: so many bits has the largest number of bounds within one step.
    probes: u32,
}

impl Lookup {
    /// The lookup for these upper bounds, or the first of the faults that they have.
    pub(crate) const fn new(upper_bounds: &[u64]) -> Result<Self, TableError> {
        if let Some(error) = fault(upper_bounds) {
            return Err(error);
        }
        let count = upper_bounds.len();
        let mut bounds = [u64::MAX; MAX_CLASSES];
        bounds.split_at_mut(count).0.copy_from_slice(upper_bounds);
        let scale = Scale::best(upper_bounds);
        let last_bound = upper_bounds[count - 1];
        Ok(Self { count, bounds, last_bound, scale, first: scale.first_classes(upper_bounds) })
    }

    pub(crate) const fn upper_bounds(&self) -> &[u64] {
        self.bounds.split_at(self.count).0
    }

    /// The class of a block of `size` bytes.
    #[inline]
    pub(crate) fn class<W: Word>(&self, size: W) -> W {
        let Scale { min_shift, steps_shift, probes } = self.scale;
        // What is larger than the last bound is in the last class, as the last bound itself is.
        let size = size.smaller(size.constant(self.last_bound));
        let mut class = step(one_less(size), min_shift, steps_shift).load(&self.first);
        // The class is `class` plus the number of bounds from there that are less than `size`, of which there are fewer
        // than 2^probes.
        for probe in (0..probes).rev() {
            let last_of_half = class + size.constant((1 << probe) - 1);
            let bound = last_of_half.smaller(size.constant(MAX_CLASSES as u64 - 1)).load(&self.bounds);
            class = class + (bound.less(size) << size.constant(probe.into()));
        }
        class
    }
}

impl Scale {
    /// The scale with the shortest search, and of these the coarsest.
    const fn best(upper_bounds: &[u64]) -> Self {
        // Steps that are as wide as the bounds allow. What is larger than the last bound is never looked up, so the last
        // bound has no say, and if there is no other then one step does.
        let mut bits = 1 << 63;
        let mut class = 0;
        while class + 1 < upper_bounds.len() {
            bits |= upper_bounds[class];
            class += 1;
        }
        let min_shift = bits.trailing_zeros();
        let mut best = Self { min_shift, steps_shift: 0, probes: u32::MAX };
        let mut steps_shift = 0;
        while best.may_be_beaten(steps_shift) {
            let mut scale = Self { min_shift, steps_shift, probes: 0 };
            scale.probes = scale.probes_for(upper_bounds);
            if scale.probes < best.probes {
                best = scale;
            }
            steps_shift += 1;
        }
        best
    }

    /// Whether a scale with the same narrowest steps, and so many of them to a doubling, is worth a try.
    const fn may_be_beaten(self, steps_shift: u32) -> bool {
        self.probes > 0 && steps_shift <= MAX_STEPS_SHIFT && self.min_shift + steps_shift < 64
    }

    /// How long the search must be, or `u32::MAX` if there is no room for the steps.
    const fn probes_for(self, upper_bounds: &[u64]) -> u32 {
        let last = upper_bounds[upper_bounds.len() - 1];
        let mut bits = 0_u32;
        let (mut step, mut class) = (0, 0);
        while self.start(step) < last as u128 {
            if step as usize == MAX_STEPS {
                return u32::MAX;
            }
            // A bound at the end of a step is the beginning of the next one, and is not within it.
            let mut within = 0;
            while upper_bounds[class] < last && (upper_bounds[class] as u128) < self.start(step + 1) {
                within += (upper_bounds[class] as u128 > self.start(step)) as u32;
                class += 1;
            }
            // Only the length of the longest number matters.
            bits |= within;
            step += 1;
        }
        u32::BITS - bits.leading_zeros()
    }

    /// The class of the first size in each step: the first class whose bound is greater than the step's first offset. Only
    /// for a scale whose steps there is room for.
    const fn first_classes(self, upper_bounds: &[u64]) -> [u8; MAX_STEPS] {
        let last = upper_bounds[upper_bounds.len() - 1];
        let mut first = [0; MAX_STEPS];
        let (mut step, mut class) = (0, 0);
        while self.start(step as u64) < last as u128 {
            while upper_bounds[class] as u128 <= self.start(step as u64) {
                class += 1;
            }
            first[step] = class as u8;
            step += 1;
        }
        first
    }

    const fn start(self, step: u64) -> u128 {
        step_start(step, self.min_shift, self.steps_shift)
    }
}

/// What is wrong with a list, if anything is.
const fn fault(upper_bounds: &[u64]) -> Option<TableError> {
    let classes = upper_bounds.len();
    if classes == 0 {
        return Some(TableError::Empty);
    }
    if classes > MAX_CLASSES {
        return Some(TableError::TooMany { classes });
    }
    if upper_bounds[0] == 0 {
        return Some(TableError::Zero);
    }
    let mut position = 1;
    while position < classes {
        if upper_bounds[position] <= upper_bounds[position - 1] {
            return Some(TableError::NotAscending { position });
        }
        position += 1;
    }
    None
}
