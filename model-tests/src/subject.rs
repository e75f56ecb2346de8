//! What is verified: the layouts of the core, and broken ones that the suite must catch.

mod entry;
mod erased;
pub mod layouts;
pub mod misjudged;
pub mod mutant;

pub use entry::LayoutEntry;
pub use erased::{MakeSubject, Subject, make, with_classes};
