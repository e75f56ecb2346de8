//! The tables by name.

use super::{Go, Jemalloc, Llgo, SizeClasses};

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

    /// A table of one's own by a name.
    pub const fn new<S: SizeClasses>(name: &'static str) -> Self {
        Self { name, upper_bounds: S::UPPER_BOUNDS, index: S::index }
    }
}
