//! Failures are made as small as they get: nothing can be left out of what is printed.

use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::time::Duration;

use countersign::{Atomic, Claims, ClassCounts, Event, Layout, Locks, Primitives, Recorder, Snapshot, Std};
use countersign_models::engine::{self, Budget, EngineName};
use countersign_models::failure::{Shrunk, shrink};
use countersign_models::scenario::Cell;
use countersign_models::scenario::Size;
use countersign_models::scenario::{ScenarioEntry, scenarios};
use countersign_models::subject::LayoutEntry;
use countersign_models::subject::mutant::catalog::mutants;
use countersign_models::verdict::{Claim, Verdict};

const BUDGET: Budget = Budget { executions: 200_000, samples: 300, time: Duration::from_secs(300) };

fn mutant(name: &str) -> LayoutEntry {
    mutants().into_iter().find(|entry| entry.name == name).unwrap()
}

fn scenario(name: &str) -> ScenarioEntry {
    scenarios().into_iter().find(|entry| entry.name == name).unwrap()
}

/// Explores a size that fails, and makes the failure as small as it gets.
fn shrunk(layout: LayoutEntry, scenario: ScenarioEntry, engine: EngineName, size: Size) -> Shrunk {
    let cell = Cell { layout, scenario, engine, size };
    let exploration = engine::explore(engine, cell.program(), &BUDGET);
    assert!(matches!(exploration.verdict, Verdict::Failed(_)), "{cell}: {:?}", exploration.verdict);
    let shrunk = shrink(cell, exploration, &[], &BUDGET);
    assert!(shrunk.smallest && matches!(shrunk.exploration.verdict, Verdict::Failed(_)), "{}", shrunk.cell);
    shrunk
}

/// That with one thread, event, snapshot or class less, as far as that makes sense, every claim holds.
fn assert_smallest(cell: &Cell) {
    let Size { threads, events, snapshots, classes, .. } = cell.size;
    let least = (cell.scenario.least)();
    for size in [
        Size { threads: threads.wrapping_sub(1), ..cell.size },
        Size { events: events.wrapping_sub(1), ..cell.size },
        Size { snapshots: snapshots.wrapping_sub(1), ..cell.size },
        Size { classes: classes.wrapping_sub(1), ..cell.size },
    ] {
        let sensible = |number: usize, least: usize| number >= least && number != usize::MAX;
        if sensible(size.threads, least.threads)
            && sensible(size.events, least.events)
            && sensible(size.snapshots, least.snapshots)
            && sensible(size.classes, least.classes)
        {
            let smaller = Cell { size, ..cell.clone() };
            let verdict = engine::explore(cell.engine, smaller.program(), &BUDGET).verdict;
            assert!(matches!(verdict, Verdict::Exhaustive | Verdict::Sampled), "{smaller}: {verdict:?}");
        }
    }
}

const fn size(threads: usize, events: usize, snapshots: usize) -> Size {
    Size { threads, events, snapshots, classes: 1, slots: 1 }
}

#[test]
fn nothing_can_be_left_out_of_five_mutants_failures() {
    for (layout, scenario_name, large) in [
        (mutant("mutant:naive_fold"), "exit_while_snapshot", size(1, 3, 2)),
        (mutant("mutant:unlink_before_fold"), "exit_while_snapshot", size(1, 2, 2)),
        (mutant("mutant:claim_relaxed"), "adopt_after_exit", size(2, 3, 0)),
        (mutant("mutant:allocs_before_frees"), "snapshot_while_recording", Size { slots: 2, ..size(2, 3, 2) }),
        (LayoutEntry::new::<LostUpdate<1>>("lost_update").or::<LostUpdate<2>>(), "claim_race", size(3, 2, 0)),
    ] {
        let shrunk = shrunk(layout, scenario(scenario_name), EngineName::Graph, large);
        assert_smallest(&shrunk.cell);
        assert_ne!(shrunk.cell.size, large);
        let trace = shrunk.exploration.failing.unwrap().trace;
        let threads = trace.iter().map(|row| row.thread).max().unwrap();
        assert!(threads <= large.threads.max(2), "{trace:#?}");
    }
}

#[test]
fn every_engine_shrinks() {
    let layout = || LayoutEntry::new::<LostUpdate<1>>("lost_update").or::<LostUpdate<2>>();
    for engine in [EngineName::ShuttleRandom, EngineName::ShuttleDfs, EngineName::Graph] {
        let large = Size { classes: 2, slots: 2, ..size(3, 2, 0) };
        let shrunk = shrunk(layout(), scenario("record_then_join"), engine, large);
        // Two threads that count one event each: less cannot be lost.
        assert_eq!(shrunk.cell.size, Size { slots: 2, ..size(2, 1, 0) }, "{engine}");
        assert_smallest(&shrunk.cell);
    }
}

#[test]
fn what_cannot_be_finished_is_not_called_smallest() {
    let layout = LayoutEntry::new::<LostUpdate<1>>("lost_update");
    let cell = Cell { layout, scenario: scenario("claim_race"), engine: EngineName::Graph, size: size(2, 2, 0) };
    let exploration = engine::explore(cell.engine, cell.program(), &BUDGET);
    let no_time = Budget { time: Duration::ZERO, ..BUDGET };
    let shrunk = shrink(cell, exploration, &[], &no_time);
    let Verdict::Failed(violation) = shrunk.exploration.verdict else { panic!("it failed before") };
    assert!(!shrunk.smallest);
    assert_eq!(violation.claim, Claim::Exact);
}

/// Cells that all threads write by a load and a store.
struct LostUpdate<const C: usize, P: Primitives = Std> {
    allocs: [P::AtomicU64; C],
    frees: [P::AtomicU64; C],
}

struct LostUpdateRecorder<'a, const C: usize, P: Primitives>(&'a LostUpdate<C, P>);

impl<const C: usize, P: Primitives> Layout for LostUpdate<C, P> {
    const CLASSES: usize = C;
    const CLAIMS: Claims = Claims::ALL;
    type On<Q: Locks> = LostUpdate<C, Q>;
    type Snapshot = Snapshot<C>;
    type Recorder<'a> = LostUpdateRecorder<'a, C, P>;

    fn register(&self) -> Self::Recorder<'_> {
        LostUpdateRecorder(self)
    }

    fn record(&self, event: Event, class: usize) {
        let cell = match event {
            Event::Alloc => &self.allocs[class],
            Event::Free => &self.frees[class],
        };
        // The fault: another thread may store between the two. The orderings are as strong as they can help.
        cell.store(cell.load(Acquire) + 1, Release);
    }

    fn snapshot(&self) -> Snapshot<C> {
        let mut counts = [ClassCounts::default(); C];
        for (cell, counts) in self.frees.iter().zip(&mut counts) {
            // Acquire, with the Release in `record`.
            counts.frees = cell.load(Acquire);
        }
        for (cell, counts) in self.allocs.iter().zip(&mut counts) {
            // Relaxed: the frees that were read bring the allocs along.
            counts.allocs = cell.load(Relaxed);
        }
        Snapshot::new(counts)
    }
}

impl<const C: usize, P: Primitives> Recorder for LostUpdateRecorder<'_, C, P> {
    fn record(&self, event: Event, class: usize) {
        self.0.record(event, class);
    }
}

impl<const C: usize, P: Primitives> Default for LostUpdate<C, P> {
    fn default() -> Self {
        Self { allocs: std::array::from_fn(|_| Atomic::new(0)), frees: std::array::from_fn(|_| Atomic::new(0)) }
    }
}
