//! The same statements as harnesses for Kani.
//!
//! `cargo kani -p countersign-proofs` would prove the functions that carry `kani::proof`, for all values of `kani::any`.
//! Kani is not run in this repository: without it a stand-in for the crate `kani` runs the same functions on chosen
//! values.

#[cfg(not(kani))]
mod shim;

#[cfg(kani)]
use ::kani;
use countersign::{Go, Jemalloc, Llgo, SizeClasses};
#[cfg(not(kani))]
use shim as kani;

/// A class holds its sizes, and is the first that does.
fn keeps_the_law(upper_bounds: &[u64], index: impl Fn(u64) -> usize) {
    let size: u64 = kani::any();
    let class = index(size);
    kani::assert(class < upper_bounds.len(), "the class is one of the table's");
    kani::assert(class == 0 || upper_bounds[class - 1] < size, "the class before does not hold the size");
    kani::assert(size <= upper_bounds[class] || class + 1 == upper_bounds.len(), "the class holds the size");
}

/// A bound is in its class, and one more is in the next.
fn is_exact_at_each_edge(upper_bounds: &[u64], index: impl Fn(u64) -> usize) {
    let class: usize = kani::any();
    kani::assume(class < upper_bounds.len());
    let bound = upper_bounds[class];
    kani::assert(index(bound) == class, "a bound is in its class");
    kani::assume(class + 1 < upper_bounds.len());
    kani::assert(index(bound + 1) == class + 1, "one more than a bound is in the next class");
}

/// A larger size is in no smaller class.
fn is_monotone(index: impl Fn(u64) -> usize) {
    let smaller: u64 = kani::any();
    let larger: u64 = kani::any();
    kani::assume(smaller <= larger);
    kani::assert(index(smaller) <= index(larger), "a larger size is in no smaller class");
}

macro_rules! harnesses {
    ($($module:ident: $table:ty;)*) => {
        $(
            /// The harnesses of one table.
            pub mod $module {
                use super::*;

                /// Every size has its lawful class.
                #[cfg_attr(kani, kani::proof)]
                pub fn law() {
                    keeps_the_law(<$table>::UPPER_BOUNDS, <$table>::index);
                }

                /// Each edge is exact, on both its sides.
                #[cfg_attr(kani, kani::proof)]
                pub fn edges() {
                    is_exact_at_each_edge(<$table>::UPPER_BOUNDS, <$table>::index);
                }

                /// A larger size is in no smaller class.
                #[cfg_attr(kani, kani::proof)]
                pub fn monotone() {
                    is_monotone(<$table>::index);
                }
            }
        )*

        /// The harnesses, by table.
        pub const HARNESSES: &[(&str, [fn(); 3])] =
            &[$((stringify!($module), [$module::law, $module::edges, $module::monotone])),*];
    };
}

harnesses! {
    llgo: Llgo;
    go: Go;
    jemalloc: Jemalloc;
}

/// Runs a harness on chosen values: those of `sizes` in place of each `u64`, and the classes of any table in place of each
/// `usize`. The error has the claim that does not hold, and the values; or it says that no value met the assumptions.
#[cfg(not(kani))]
pub fn run(sizes: &[u64], harness: impl Fn()) -> Result<(), (&'static str, Vec<u64>)> {
    shim::run(sizes, harness)
}

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
