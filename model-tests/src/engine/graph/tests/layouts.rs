//! The layouts' own source, on this engine.

use std::sync::Arc;

use countersign::{Counts, Event, Folding, Layout, Recorder, Sharded, Shared, Slots};

use super::explore;
use crate::engine::graph::Graph;
use crate::engine::{Engine, JoinHandle};
use crate::verdict::{Exploration, Outcome};

/// Threads that each register, record `events` allocs and retire, and a main thread that takes one or two snapshots
/// meanwhile and one at the end.
fn race<L: Layout>(threads: usize, events: u64, snapshots: usize) -> Exploration {
    let explored = explore(move || {
        let layout = Arc::new(L::On::<Graph>::default());
        let spawn = |_| {
            let layout = Arc::clone(&layout);
            Graph::spawn(move || {
                let recorder = layout.register();
                (0..events).for_each(|_| recorder.record(Event::Alloc, 0));
            })
        };
        let handles: Vec<_> = (0..threads).map(spawn).collect();
        let allocs = || layout.snapshot().classes()[0].allocs;
        let seen: Vec<u64> = (0..snapshots).map(|_| allocs()).collect();
        handles.into_iter().for_each(JoinHandle::join);
        assert_eq!(allocs(), threads as u64 * events, "exact");
        assert!(seen.is_sorted(), "monotonic");
        Outcome(seen)
    });
    // Whatever is monotonic and bounded can be seen.
    let total = threads as u64 * events;
    let firsts = (0..=total).map(|first| if snapshots == 2 { total - first + 1 } else { 1 });
    assert_eq!(explored.outcomes.len() as u64, firsts.sum::<u64>());
    explored
}

#[test]
fn slots() {
    race::<Slots<1, 2>>(2, 2, 2);
    // The third thread adopts the slot of one that has retired, or counts in the overflow.
    race::<Slots<1, 2>>(3, 1, 1);
}

#[test]
fn sharded_and_shared() {
    race::<Sharded<1, 2>>(2, 2, 2);
    race::<Shared<1>>(3, 1, 2);
}

/// Complete executions as GenMC counts them, and how many blocked graphs are visited besides; without the saving for
/// locks that are released there are 208 and 1,194 blocked ones with two threads.
#[test]
fn folding() {
    let count = |[threads, snapshots]: [usize; 2]| {
        let explored = explore(move || {
            let layout = Arc::new(Folding::<1, Graph>::default());
            let spawn = |_| {
                let layout = Arc::clone(&layout);
                Graph::spawn(move || layout.register().record(Event::Alloc, 0))
            };
            let handles: Vec<_> = (0..threads).map(spawn).collect();
            let seen = (0..snapshots).map(|_| layout.snapshot().classes()[0].allocs).collect();
            handles.into_iter().for_each(JoinHandle::join);
            Outcome(seen)
        });
        (explored.executions, explored.blocked)
    };
    assert_eq!([[2, 1], [2, 2]].map(count), [(54, 56), (254, 237)]);
    assert_eq!(count([3, 1]).0, 1548);
    race::<Folding<1>>(2, 2, 2);
}
