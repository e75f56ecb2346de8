//! The law of the size classes, and the sizes at which it is broken first.

use std::collections::BTreeSet;
use std::fmt;

use countersign::NamedTable;

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

/// The edges of some tables, ascending, each once.
pub fn edges<'a>(tables: impl IntoIterator<Item = &'a NamedTable>) -> Vec<u64> {
    let edges: BTreeSet<u64> = tables.into_iter().flat_map(NamedTable::edges).collect();
    edges.into_iter().collect()
}

impl fmt::Display for Refutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { size, class, lawful } = self;
        write!(f, "size {size} is in class {class}, but by the law in class {lawful}")
    }
}
