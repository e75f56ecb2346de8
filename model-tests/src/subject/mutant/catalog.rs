//! The mutants, and what is to become of each.

mod claim;
mod entry;
mod exit;
mod list;
mod locks;
mod reading;

pub use entry::MutantEntry;
pub use list::{mutant_entries, mutants};
