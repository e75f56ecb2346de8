//! The settings in which the groups are timed.

use std::thread;

use super::setting::{Group, Mode, Setting};
use super::{alignment, allocations, counter, program, records, snapshots};
use crate::workload::sizes;

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
