//! What the harnesses claim of an index, whatever table it is of.

#[cfg(kani)]
use ::kani;

#[cfg(not(kani))]
use super::kani_stand_in as kani;

/// A harness of an index that need not be a table's, with these upper bounds.
#[cfg(not(kani))]
pub type Claim = fn(&[u64], fn(u64) -> usize);

/// What the harnesses of a table claim, in their order, by name.
#[cfg(not(kani))]
pub const CLAIMS: [(&str, Claim); 3] = [
    ("law", |upper_bounds, index| keeps_the_law(upper_bounds, index)),
    ("edges", |upper_bounds, index| is_exact_at_each_edge(upper_bounds, index)),
    ("monotone", |_, index| is_monotone(index)),
];

/// A class holds its sizes, and is the first that does.
pub(super) fn keeps_the_law(upper_bounds: &[u64], index: impl Fn(u64) -> usize) {
    let size: u64 = kani::any();
    let class = index(size);
    kani::assert(class < upper_bounds.len(), "the class is one of the table's");
    kani::assert(class == 0 || upper_bounds[class - 1] < size, "the class before does not hold the size");
    kani::assert(size <= upper_bounds[class] || class + 1 == upper_bounds.len(), "the class holds the size");
}

/// A bound is in its class, and one more is in the next.
pub(super) fn is_exact_at_each_edge(upper_bounds: &[u64], index: impl Fn(u64) -> usize) {
    let class: usize = kani::any();
    kani::assume(class < upper_bounds.len());
    let bound = upper_bounds[class];
    kani::assert(index(bound) == class, "a bound is in its class");
    kani::assume(class + 1 < upper_bounds.len());
    kani::assert(index(bound + 1) == class + 1, "one more than a bound is in the next class");
}

/// A larger size is in no smaller class.
pub(super) fn is_monotone(index: impl Fn(u64) -> usize) {
    let smaller: u64 = kani::any();
    let larger: u64 = kani::any();
    kani::assume(smaller <= larger);
    kani::assert(index(smaller) <= index(larger), "a larger size is in no smaller class");
}
