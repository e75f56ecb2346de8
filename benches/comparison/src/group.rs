//! What is timed: the groups of modes, and the settings in which each is.

mod alignment;
mod allocations;
mod counter;
mod program;
mod records;
mod snapshots;

use std::fmt;
use std::thread;

use clap::ValueEnum;
use serde::Serialize;

use crate::sizes;

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

/// The settings of `groups`.
pub(crate) fn settings(groups: &[Group]) -> Vec<Setting> {
    groups.iter().flat_map(|group| of_group(*group)).collect()
}

fn of_group(group: Group) -> Vec<Setting> {
    let longer = if group == Group::Program { 10 } else { 1 };
    let timed = |workers: &[usize], sizes, modes: &dyn Fn(usize) -> Vec<Mode>| -> Vec<Setting> {
        workers.iter().map(|&workers| Setting { group, sizes, workers, modes: modes(workers), longer }).collect()
    };
    let by_sizes = |modes: &dyn Fn(&'static [u32], usize) -> Vec<Mode>| {
        let all = sizes::all().into_iter();
        all.flat_map(|sizes| timed(&workers(), sizes.name, &|workers| modes(sizes.list, workers))).collect()
    };
    match group {
        Group::Record => by_sizes(&|list, workers| counter::modes(records::counters(), list, workers)),
        Group::Alloc => by_sizes(&|list, workers| counter::modes(allocations::counters(), list, workers)),
        Group::Snapshot => timed(&snapshots::REGISTERED, "-", &|workers| snapshots::modes(workers)),
        Group::Alignment => timed(&[alignment::WORKERS], "-", &|_| alignment::modes()),
        Group::Program => {
            let workers: Vec<_> = workers().into_iter().filter(|workers| *workers <= program::MOST_WORKERS).collect();
            timed(&workers, "-", &|workers| program::modes(workers))
        }
    }
}

/// One, two, four, and as many as there are cores.
fn workers() -> Vec<usize> {
    let mut workers = vec![1, 2, 4, cores()];
    workers.sort_unstable();
    workers.dedup();
    workers
}

/// How many threads this machine runs at once.
pub(crate) fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}
