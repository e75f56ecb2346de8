//! What a reader gets: the counts that one snapshot read, and the difference of two.

mod all_classes;
mod one_class;
#[cfg(feature = "serde")]
mod serialize;
mod table;

pub use all_classes::{Counts, Difference, NotLaterError, Snapshot};
pub use one_class::ClassCounts;
