//! Blocks to be counted, of sizes that a test has to itself.

use std::hint::black_box;

use countersign::{ClassCounts, Llgo, SizeClasses, Snapshot};

/// A block of `size` bytes from the global allocator, which the optimiser must not leave out. Its pages are never
/// touched, so large ones, whose class nobody else uses, cost nothing.
pub(crate) fn block(size: usize) -> Vec<u8> {
    black_box(Vec::with_capacity(size))
}

/// What was counted in the class of `size`.
pub(crate) fn counts_of(snapshot: &Snapshot<{ Llgo::COUNT }>, size: usize) -> (u64, u64) {
    let ClassCounts { allocs, frees } = snapshot.classes()[Llgo::index(size as u64)];
    (allocs, frees)
}
