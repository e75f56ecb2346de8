//! The tables by name.

use super::jemalloc::Jemalloc;
use super::list::Go;
use super::log_linear::Llgo;
use super::size_classes::SizeClasses;

/// A table as a value, for whoever chooses one by name or goes through all of them.
///
/// The tests, proofs and fuzzers of the tables go through [`ALL`](Self::ALL), so a table that is listed is checked.
#[derive(Clone, Copy, Debug)]
pub struct NamedTable {
    /// The table's name, in lower case.
    pub name: &'static str,
    /// The upper bound of each class in bytes: see [`SizeClasses::UPPER_BOUNDS`].
    pub upper_bounds: &'static [u64],
    /// The class of a block by its size: see [`SizeClasses::index`].
    pub index: fn(u64) -> usize,
}

impl NamedTable {
    /// The tables of this crate.
    pub const ALL: [Self; 3] = [Self::new::<Llgo>("llgo"), Self::new::<Go>("go"), Self::new::<Jemalloc>("jemalloc")];

    /// The sizes where an index goes wrong if it does: every bound, every power of two, 0 and the largest size, each with
    /// both its neighbours. They are in no order, and some come more than once.
    pub fn edges(&self) -> impl Iterator<Item = u64> {
        let powers = (0..u64::BITS).map(|shift| 1 << shift);
        let centres = self.upper_bounds.iter().copied().chain(powers).chain([0, u64::MAX]);
        centres.flat_map(|size: u64| [size.saturating_sub(1), size, size.saturating_add(1)])
    }

    /// A table of one's own by a name.
    pub const fn new<S: SizeClasses>(name: &'static str) -> Self {
        Self { name, upper_bounds: S::UPPER_BOUNDS, index: S::index }
    }
}
