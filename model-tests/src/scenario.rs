//! The scenarios: small concurrent programs, each of which races one thing, written once for every layout and engine.
//!
//! A scenario registers beforehand, and retires afterwards, whatever it does not race: that keeps the number of
//! executions small enough to enumerate all of them. Its main thread is the reader where there is one. It returns what
//! the readers saw, or the first claim that does not hold; it never panics, so that a failed execution ends like any
//! other, with every recorder retired.
//!
//! What the oracle must know (which events happen-before a snapshot) comes from spawn, join and hand-offs that are
//! themselves operations of the engine. Nothing on the side adds an edge that real threads would not have.

pub mod adopt_after_exit;
pub mod claim_race;
pub mod double_exit;
pub mod drain_by_difference;
pub mod exit_while_exit;
pub mod exit_while_snapshot;
pub mod free_on_another_thread;
pub mod late_record;
mod meeting;
pub mod monotonic_across_threads;
pub mod read_your_own_records;
pub mod record_then_join;
pub mod records_of_one_snapshot_add_up;
pub mod reentrant_register;
pub mod register_while_snapshot;
pub mod scope_exit;
pub mod slots_exhausted;
pub mod snapshot_while_adopting;
pub mod snapshot_while_recording;
pub mod threads_come_and_go;

pub use adopt_after_exit::AdoptAfterExit;
pub use claim_race::ClaimRace;
pub use double_exit::DoubleExit;
pub use drain_by_difference::DrainByDifference;
pub use exit_while_exit::ExitWhileExit;
pub use exit_while_snapshot::ExitWhileSnapshot;
pub use free_on_another_thread::{
    AllocInFreshSlot, AllocInOverflow, FreeFromAdoptedSlot, FreeInOverflow, FreeThroughSlots, FreeWithoutRecorder,
};
pub use late_record::LateRecord;
pub use monotonic_across_threads::MonotonicAcrossThreads;
pub use read_your_own_records::ReadYourOwnRecords;
pub use record_then_join::RecordThenJoin;
pub use records_of_one_snapshot_add_up::RecordsOfOneSnapshotAddUp;
pub use reentrant_register::ReentrantRegister;
pub use register_while_snapshot::RegisterWhileSnapshot;
pub use scope_exit::ScopeExit;
pub use slots_exhausted::SlotsExhausted;
pub use snapshot_while_adopting::SnapshotWhileAdopting;
pub use snapshot_while_recording::{SnapshotAfterHandoff, SnapshotWhileRecording};
pub use threads_come_and_go::ThreadsComeAndGo;

use std::sync::Arc;

use countersign::{ClassCounts, Event, Recorder};

use crate::engine::{Engine, EngineName};
use crate::subject::Subject;
use crate::verdict::{Outcome, Violation};

/// A small concurrent program that races one thing.
pub trait Scenario: 'static {
    /// The scenario's name: that of its module, with `/form` behind it where there are several forms.
    const NAME: &'static str;

    /// What is claimed, in a line.
    const CLAIM: &'static str;

    /// The sizes to explore on an engine, smallest first.
    fn sizes(engine: EngineName) -> Vec<Size>;

    /// The least of each number that makes sense, whether or not any engine explores such a size: a failure is made no
    /// smaller. Unless a scenario knows better, it is the least that any engine explores.
    fn least() -> Size {
        let sizes = EngineName::ALL.into_iter().flat_map(Self::sizes);
        sizes.reduce(Size::least).unwrap_or(Size { threads: 0, events: 0, snapshots: 0, classes: 1, slots: 1 })
    }

    /// The outcomes that a complete engine must reach at this size, whatever the (correct) layout.
    fn required(size: Size) -> Vec<Required>;

    /// One execution.
    fn run<E: Engine>(layout: Arc<dyn Subject>, size: Size) -> Result<Outcome, Violation>;
}

/// How large a scenario is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size {
    /// Threads that record, register or retire concurrently; the reader is not among them.
    pub threads: usize,
    /// Events that each thread records.
    pub events: usize,
    /// Concurrent snapshots.
    pub snapshots: usize,
    /// Classes of the layout.
    pub classes: usize,
    /// Slots of a layout that has slots. Others ignore it.
    pub slots: usize,
}

impl Size {
    /// The lesser of each number.
    fn least(self, other: Self) -> Self {
        Self {
            threads: self.threads.min(other.threads),
            events: self.events.min(other.events),
            snapshots: self.snapshots.min(other.snapshots),
            classes: self.classes.min(other.classes),
            slots: self.slots.min(other.slots),
        }
    }
}

/// An outcome that must be reachable.
#[derive(Clone, Copy, Debug)]
pub struct Required {
    /// What it is, in words.
    pub what: &'static str,
    /// Whether some interleaving has it, or only weak memory.
    pub under: Memory,
    /// Whether an outcome is it.
    pub is_met_by: fn(&Outcome) -> bool,
}

/// The memory model under which an outcome is reachable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// Sequential consistency already has it: every complete engine must reach it.
    SequentiallyConsistent,
    /// Only a weak model has it: not asked of shuttle.
    Weak,
}

impl Required {
    const fn sc(what: &'static str, is_met_by: fn(&Outcome) -> bool) -> Self {
        Self { what, under: Memory::SequentiallyConsistent, is_met_by }
    }

    const fn weak(what: &'static str, is_met_by: fn(&Outcome) -> bool) -> Self {
        Self { what, under: Memory::Weak, is_met_by }
    }
}

/// The `index`-th event of a thread and its class: alloc, free, alloc, free, and on to the next class after each pair.
fn event(index: usize, classes: usize) -> (Event, usize) {
    (if index.is_multiple_of(2) { Event::Alloc } else { Event::Free }, index / 2 % classes)
}

/// Records a thread's events.
fn record_events(recorder: &dyn Recorder, size: Size) {
    for (event, class) in (0..size.events).map(|index| event(index, size.classes)) {
        recorder.record(event, class);
    }
}

/// What `threads` threads record, each `events` events.
fn recorded(threads: usize, events: usize, classes: usize) -> Vec<ClassCounts> {
    let mut counts = nothing(classes);
    for _ in 0..threads {
        for (event, class) in (0..events).map(|index| event(index, classes)) {
            counts[class].count(event);
        }
    }
    counts
}

/// No events at all.
fn nothing(classes: usize) -> Vec<ClassCounts> {
    vec![ClassCounts::default(); classes]
}

/// The snapshots of a reader, in turn, beside the threads that the caller spawned.
fn take_snapshots<E: Engine>(layout: &dyn Subject, number: usize) -> Vec<Vec<ClassCounts>> {
    E::run_together();
    (0..number).map(|_| layout.snapshot()).collect()
}

/// Everything a reader saw: allocs and frees of each class of each snapshot.
fn outcome(snapshots: &[Vec<ClassCounts>]) -> Outcome {
    Outcome(snapshots.iter().flatten().flat_map(|counts| [counts.allocs, counts.frees]).collect())
}
