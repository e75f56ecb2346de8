//! What is timed: modes that do the same work.

use std::fmt;

use clap::ValueEnum;
use serde::Serialize;

/// Modes that do the same work, and so can be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Group {
    /// One record of an alloc: the layouts, plain and locked increments, other crates' counters
    Record,
    /// One call of `alloc` over an allocator that does nothing: counting allocators
    Alloc,
    /// One snapshot of a profile while so many threads are registered
    Snapshot,
    /// One increment by each of two threads in neighbouring lines, by the alignment of the slots
    Alignment,
    /// The example: a document of JSON parsed and written, by an allocator that counts and by one that does not
    Program,
}

/// A group's modes with given sizes and a given number of workers. The first mode is the reference.
pub(crate) struct Setting {
    pub(crate) group: Group,
    /// The name of the list of sizes, or `-` where blocks have none.
    pub(crate) sizes: &'static str,
    /// The threads that work, or, for snapshots, that are registered.
    pub(crate) workers: usize,
    pub(crate) modes: Vec<Mode>,
    /// How much longer a run takes than others', where the differences to be seen are small.
    pub(crate) longer: u32,
}

/// One of the ways to do a setting's work.
pub(crate) struct Mode {
    pub(crate) name: &'static str,
    /// Lets every worker do so many units of work, whatever a unit is.
    pub(crate) run: Box<dyn Fn(u64) -> Run>,
}

/// What was seen of one run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    /// By all workers together.
    pub(crate) operations: u64,
    pub(crate) elapsed_ns: u64,
    /// The operations that were found in what was counted, or `None` where a mode shows nothing or counts nothing.
    pub(crate) verified: Option<u64>,
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.to_possible_value();
        f.pad(value.as_ref().map_or("", |value| value.get_name()))
    }
}
