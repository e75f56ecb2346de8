//! What the threads of scenarios record, and what their readers see.

use countersign::{ClassCounts, Event, Recorder};

use super::interface::Size;
use crate::engine::Engine;
use crate::subject::Subject;
use crate::verdict::Outcome;

/// The `index`-th event of a thread and its class: alloc, free, alloc, free, and on to the next class after each pair.
pub(crate) fn event(index: usize, classes: usize) -> (Event, usize) {
    (if index.is_multiple_of(2) { Event::Alloc } else { Event::Free }, index / 2 % classes)
}

/// Records a thread's events.
pub(crate) fn record_events(recorder: &dyn Recorder, size: Size) {
    for (event, class) in (0..size.events).map(|index| event(index, size.classes)) {
        recorder.record(event, class);
    }
}

/// What `threads` threads record, each `events` events.
pub(crate) fn recorded(threads: usize, events: usize, classes: usize) -> Vec<ClassCounts> {
    let mut counts = nothing(classes);
    for _ in 0..threads {
        for (event, class) in (0..events).map(|index| event(index, classes)) {
            counts[class].count(event);
        }
    }
    counts
}

/// No events at all.
pub(crate) fn nothing(classes: usize) -> Vec<ClassCounts> {
    vec![ClassCounts::default(); classes]
}

/// The snapshots of a reader, in turn, beside the threads that the caller spawned.
pub(crate) fn take_snapshots<E: Engine>(layout: &dyn Subject, number: usize) -> Vec<Vec<ClassCounts>> {
    E::run_together();
    (0..number).map(|_| layout.snapshot()).collect()
}

/// Everything a reader saw: allocs and frees of each class of each snapshot.
pub(crate) fn outcome(snapshots: &[Vec<ClassCounts>]) -> Outcome {
    Outcome(snapshots.iter().flatten().flat_map(|counts| [counts.allocs, counts.frees]).collect())
}
