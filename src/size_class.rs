//! From the size of a block to its class.
//!
//! One law holds for every table: `index(size)` is the first class whose upper bound is at least `size`, and the last
//! class when there is none.
//!
//! ```text
//!   LogLinear   a formula: equal steps within each doubling       Llgo = LogLinear<4, 30, 0>
//!   Jemalloc    8, and then LogLinear as jemalloc has it
//!   Table       any ascending list, made a lookup by the compiler  Go = Table<GoBounds>
//!   RuntimeTable   the same lookup, made from a list at run time
//! ```
//!
//! Each index is written over [`Word`], so that what runs on `u64` is what the proofs run on a solver's terms.

mod jemalloc;
mod list;
mod log_linear;
mod named;
mod size_classes;
mod word;

pub use jemalloc::Jemalloc;
pub use list::{Go, GoBounds, RuntimeTable, Table, TableError, UpperBounds};
pub use log_linear::{Llgo, LogLinear};
pub use named::NamedTable;
pub use size_classes::SizeClasses;
pub(crate) use size_classes::class_of_size;
pub use word::{Formula, Word};
