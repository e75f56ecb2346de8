//! Traces and schedules: each execution is repeated from its schedule, to the event.

use std::sync::Arc;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release, SeqCst};

use countersign::{Atomic, Counts, Event, Folding, Layout, Lock, Locks, Primitives, Recorder, Slots};

use super::search;
use crate::engine::graph::{Graph, Search, fence, rerun};
use crate::engine::{Engine, JoinHandle, Program};
use crate::trace::{Action, Execution, Row, Source};
use crate::verdict::{Claim, Outcome, Verdict};

type Cell = <Graph as Primitives>::AtomicU64;
type Mutex<T> = <Graph as Locks>::Mutex<T>;

/// Explores, re-runs every execution from its schedule, and gives how many there are.
fn rerun_all(program: Program) -> usize {
    let mut executions: Vec<(Execution, Outcome)> = Vec::new();
    let explored = Search::new(Arc::clone(&program))
        .run_with(|complete| executions.push((complete.execution(), complete.outcome().clone())));
    assert_eq!(explored.verdict, Verdict::Exhaustive);
    for (execution, outcome) in &executions {
        let again = rerun(Arc::clone(&program), schedule(execution)).expect("the schedule is this program's");
        assert_eq!(again.result.as_ref(), Ok(outcome));
        assert_eq!(&again.execution, execution);
    }
    executions.len()
}

fn schedule(execution: &Execution) -> &str {
    execution.schedule.as_deref().expect("a graph can be repeated")
}

fn layout_program<L: Layout>() -> Program {
    Arc::new(|| {
        let layout = Arc::new(L::default());
        let spawn = |_| {
            let layout = Arc::clone(&layout);
            Graph::spawn(move || {
                let recorder = layout.register();
                recorder.record(Event::Alloc, 0);
            })
        };
        let handles: Vec<_> = (0..2).map(spawn).collect();
        let seen = layout.snapshot().classes()[0].allocs;
        handles.into_iter().for_each(JoinHandle::join);
        assert_eq!(layout.snapshot().classes()[0].allocs, 2);
        Ok(Outcome(vec![seen]))
    })
}

#[test]
fn every_execution_is_repeated_from_its_schedule() {
    assert!(rerun_all(layout_program::<Slots<1, 2, Graph>>()) > 10);
    assert!(rerun_all(layout_program::<Folding<1, Graph>>()) > 10);
    // Nested threads, all operations, conditional spawns.
    let executions = rerun_all(Arc::new(|| {
        let cells = Arc::new([Cell::new(0), Cell::new(5)]);
        let spawn = |start: u64| {
            let cells = Arc::clone(&cells);
            Graph::spawn(move || {
                let seen = cells[0].fetch_max(start, AcqRel);
                if seen == 0 {
                    let cells = Arc::clone(&cells);
                    Graph::spawn(move || cells[1].swap(start, SeqCst)).join();
                } else {
                    fence(SeqCst);
                    _ = cells[1].compare_exchange(1, 9, Release, Relaxed);
                }
                seen
            })
        };
        let handles = [1, 2].map(spawn);
        Ok(Outcome(handles.map(JoinHandle::join).to_vec()))
    }));
    // Two orders of the `fetch_max`, and in each the CAS reads the initial value or what was swapped in.
    assert_eq!(executions, 4);
}

/// A thread that panics if its addition comes first: then the other's addition comes later, though that thread is
/// the first to run.
fn fails_before_the_other(behind_a_spawn: bool) -> Program {
    Arc::new(move || {
        let cell = Arc::new(Cell::new(0));
        let spawn = |late: bool| {
            let cell = Arc::clone(&cell);
            Graph::spawn(move || {
                if cell.fetch_add(1, Relaxed) == 0 && late {
                    let idle = behind_a_spawn.then(|| Graph::spawn(|| ()));
                    panic!("the later one came first, {}", idle.is_some());
                }
            })
        };
        [spawn(false), spawn(true)].into_iter().for_each(JoinHandle::join);
        Ok(Outcome::default())
    })
}

#[test]
fn a_failure_is_repeated_from_its_schedule() {
    let programs: [(Claim, Program); 5] = [
        (
            Claim::NoPanic,
            Arc::new(|| {
                let cell = Arc::new(Cell::new(0));
                let spawn = |_| {
                    let cell = Arc::clone(&cell);
                    Graph::spawn(move || assert_ne!(cell.fetch_add(1, Relaxed), 2))
                };
                let handles: Vec<_> = (0..3).map(spawn).collect();
                handles.into_iter().for_each(JoinHandle::join);
                Ok(Outcome::default())
            }),
        ),
        // Fails while another thread waits for what it did before; the second time, right behind a spawn.
        (Claim::NoPanic, fails_before_the_other(false)),
        (Claim::NoPanic, fails_before_the_other(true)),
        (
            Claim::NoDeadlock,
            Arc::new(|| {
                let locks = Arc::new([Mutex::new(()), Mutex::new(())]);
                let other = {
                    let locks = Arc::clone(&locks);
                    Graph::spawn(move || {
                        let _one = locks[1].lock();
                        drop(locks[0].lock());
                    })
                };
                {
                    let _one = locks[0].lock();
                    drop(locks[1].lock());
                }
                other.join();
                Ok(Outcome::default())
            }),
        ),
        (
            Claim::SingleWriter,
            Arc::new(|| {
                let cell = Arc::new(Cell::new(0));
                let other = {
                    let cell = Arc::clone(&cell);
                    Graph::spawn(move || cell.store(1, Relaxed))
                };
                cell.store(cell.load_owned() + 1, Relaxed);
                other.join();
                Ok(Outcome::default())
            }),
        ),
    ];
    for (claim, program) in programs {
        let explored = Search::new(Arc::clone(&program)).run();
        let Verdict::Failed(violation) = explored.verdict else { panic!("{claim} is broken here") };
        let failing = explored.failing.expect("a failure has its execution");
        assert_eq!(violation.claim, claim);
        let again = rerun(program, schedule(&failing)).expect("the schedule is this program's");
        assert_eq!(again.result, Err(*violation));
        assert_eq!(again.execution, *failing);
    }
}

#[test]
fn a_trace_names_operations_places_and_sources() {
    let mut traces: Vec<Vec<Row>> = Vec::new();
    let explored = search(|| {
        let cells = Arc::new([Cell::new(0), Cell::new(7)]);
        let writer = {
            let cells = Arc::clone(&cells);
            Graph::spawn(move || cells[1].store(8, Release))
        };
        let seen = cells[1].fetch_add(1, Acquire);
        writer.join();
        Ok(Outcome(vec![seen]))
    })
    .run_with(|complete| traces.push(complete.execution().trace));
    assert_eq!(explored.executions, 2);
    for rows in traces {
        let find = |wanted: fn(&Action) -> bool| {
            let index = rows.iter().position(|row| wanted(&row.action)).expect("the row is there");
            (index, &rows[index])
        };
        let (_, add) = find(|action| *action == Action::FetchAdd(1));
        let (store_row, store) = find(|action| *action == Action::Store);
        assert_eq!((add.thread, store.thread, rows.len()), (0, 1, 4));
        assert_eq!(add.place.map(|place| (place.creator, place.number)), Some((0, 1)));
        assert_eq!((add.order, store.order), (Some(Acquire), Some(Release)));
        assert!(add.at.file.ends_with("tokens.rs") && add.at.line > store.at.line);
        if add.read == Some(8) {
            assert_eq!(add.source, Some(Source::Row(store_row)));
            assert_eq!((store.position, add.position, add.written), (Some(1), Some(2), Some(9)));
        } else {
            assert_eq!((add.read, add.source), (Some(7), Some(Source::Initial)));
            assert_eq!((store.position, add.position, add.written), (Some(2), Some(1), Some(8)));
        }
    }
}

#[test]
fn a_wrong_schedule_is_an_error() {
    let program = layout_program::<Slots<1, 2, Graph>>();
    let mut schedules = Vec::new();
    Search::new(Arc::clone(&program)).run_with(|complete| schedules.push(schedule(&complete.execution()).to_owned()));
    let good = schedules.pop().expect("there is an execution");
    let other = layout_program::<Folding<1, Graph>>();
    let wrong =
        |program: &Program, schedule: &str| rerun(Arc::clone(program), schedule).expect_err(schedule).to_string();
    assert!(wrong(&program, "no schedule!").contains("`no schedule!`"));
    assert!(wrong(&program, &good[..good.len() / 2]).contains("expected a schedule"));
    assert!(wrong(&other, &good).contains("expected a schedule"));
    // Whatever is changed in it, it is refused, or is the schedule of another execution.
    for index in 0..good.len() {
        let mut changed = good.clone().into_bytes();
        changed[index] = if changed[index] == b'A' { b'B' } else { b'A' };
        let changed = String::from_utf8(changed).expect("ASCII");
        if let Ok(again) = rerun(Arc::clone(&program), &changed) {
            assert_eq!(schedule(&again.execution), changed);
        }
    }
}
