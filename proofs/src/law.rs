//! The law of the size classes, and the sizes at which it is broken first.

use std::fmt;

/// A size whose class is not the lawful one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refutation {
    /// The size.
    pub size: u64,
    /// The class that it has.
    pub class: usize,
    /// The class that it has by the law.
    pub lawful: usize,
}

/// The class of `size` by the law: the first whose upper bound is at least `size`, or the last.
pub fn class(upper_bounds: &[u64], size: u64) -> usize {
    upper_bounds.iter().position(|bound| *bound >= size).unwrap_or(upper_bounds.len() - 1)
}

/// The sizes of a class by the law, the smallest and the largest.
pub fn sizes(upper_bounds: &[u64], class: usize) -> (u64, u64) {
    let smallest = class.checked_sub(1).map_or(0, |before| upper_bounds[before] + 1);
    let largest = if class + 1 == upper_bounds.len() { u64::MAX } else { upper_bounds[class] };
    (smallest, largest)
}

/// Whether `index` gives `size` its lawful class.
pub fn check(upper_bounds: &[u64], index: impl Fn(u64) -> usize, size: u64) -> Result<(), Refutation> {
    let (class, lawful) = (index(size), class(upper_bounds, size));
    if class == lawful { Ok(()) } else { Err(Refutation { size, class, lawful }) }
}

/// The sizes where an index goes wrong if it does: every bound, every power of two, 0 and the largest size, each with
/// both its neighbours, ascending.
pub fn edges(upper_bounds: &[u64]) -> Vec<u64> {
    let powers = (0..u64::BITS).map(|shift| 1 << shift);
    let centres = upper_bounds.iter().copied().chain(powers).chain([0, u64::MAX]);
    let mut edges: Vec<u64> = centres.flat_map(|size| [size.saturating_sub(1), size, size.saturating_add(1)]).collect();
    edges.sort_unstable();
    edges.dedup();
    edges
}

impl fmt::Display for Refutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { size, class, lawful } = self;
        write!(f, "size {size} is in class {class}, but by the law in class {lawful}")
    }
}
