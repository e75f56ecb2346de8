//! Executions as rows and as schedules: each execution is repeated from its schedule, to the event.

mod common;

use std::sync::Arc;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release, SeqCst};

use common::join;
use countersign_graph::sync::Mutex;
use countersign_graph::sync::atomic::{AtomicU64, fence};
use countersign_graph::{Action, Claim, Conclusion, Execution, Outcome, Row, Search, Source, Verdict, replay, thread};

/// A program that gives nothing.
type Program = Arc<dyn Fn() + Send + Sync>;

/// Explores, repeats every execution from its schedule, and gives how many there are.
fn replay_all<R: Conclusion>(program: impl Fn() -> R + Clone + Send + Sync + 'static) -> usize {
    let mut executions: Vec<(Execution, Outcome)> = Vec::new();
    let explored = Search::new(program.clone())
        .run_with(|complete| executions.push((complete.execution(), complete.outcome().clone())));
    assert_eq!(explored.verdict, Verdict::Exhaustive);
    for (execution, outcome) in &executions {
        let again = replay(program.clone(), schedule(execution)).expect("the schedule is this program's");
        assert_eq!(again.result.as_ref(), Ok(outcome));
        assert_eq!(&again.execution, execution);
    }
    executions.len()
}

fn schedule(execution: &Execution) -> &str {
    execution.schedule.as_deref().expect("a graph can be repeated")
}

/// Two threads add to a cell of their own and then to a total, beside a reader: by compare-exchange, or under a lock.
fn counters(locked: bool) -> impl Fn() -> u64 + Clone + Send + Sync + 'static {
    move || {
        let shared = Arc::new((Mutex::new(0), AtomicU64::new(0), [AtomicU64::new(0), AtomicU64::new(0)]));
        let spawn = |own: usize| {
            let shared = Arc::clone(&shared);
            thread::spawn(move || {
                let (mutex, total, cells) = &*shared;
                cells[own].store(cells[own].load_owned() + 1, Relaxed);
                if locked {
                    *mutex.lock().unwrap() += 1;
                } else {
                    _ = total.compare_exchange(0, 1, Acquire, Relaxed);
                }
            })
        };
        let handles = [0, 1].map(spawn);
        let (mutex, total, cells) = &*shared;
        let seen = if locked { *mutex.lock().unwrap() } else { total.load(Relaxed) };
        let seen = seen + cells.iter().map(|cell| cell.load(Relaxed)).sum::<u64>();
        handles.into_iter().for_each(join);
        seen
    }
}

#[test]
fn every_execution_is_repeated_from_its_schedule() {
    assert!(replay_all(counters(false)) > 10);
    assert!(replay_all(counters(true)) > 10);
    // Nested threads, all operations, conditional spawns.
    let executions = replay_all(|| {
        let cells = Arc::new([AtomicU64::new(0), AtomicU64::new(5)]);
        let spawn = |start: u64| {
            let cells = Arc::clone(&cells);
            thread::spawn(move || {
                let seen = cells[0].fetch_max(start, AcqRel);
                if seen == 0 {
                    let cells = Arc::clone(&cells);
                    join(thread::spawn(move || cells[1].swap(start, SeqCst)));
                } else {
                    fence(SeqCst);
                    _ = cells[1].compare_exchange(1, 9, Release, Relaxed);
                }
                seen
            })
        };
        let handles = [1, 2].map(spawn);
        handles.map(join)
    });
    // Two orders of the `fetch_max`, and in each the CAS reads the initial value or what was swapped in.
    assert_eq!(executions, 4);
}

/// A thread that panics if its addition comes first: then the other's addition comes later, though that thread is
/// the first to run.
fn fails_before_the_other(behind_a_spawn: bool) -> Program {
    Arc::new(move || {
        let cell = Arc::new(AtomicU64::new(0));
        let spawn = |late: bool| {
            let cell = Arc::clone(&cell);
            thread::spawn(move || {
                if cell.fetch_add(1, Relaxed) == 0 && late {
                    let idle = behind_a_spawn.then(|| thread::spawn(|| ()));
                    panic!("the later one came first, {}", idle.is_some());
                }
            })
        };
        [spawn(false), spawn(true)].into_iter().for_each(join);
    })
}

#[test]
fn a_failure_is_repeated_from_its_schedule() {
    let programs: [(Claim, Program); 5] = [
        (
            Claim::NoPanic,
            Arc::new(|| {
                let cell = Arc::new(AtomicU64::new(0));
                let spawn = |_| {
                    let cell = Arc::clone(&cell);
                    thread::spawn(move || assert_ne!(cell.fetch_add(1, Relaxed), 2))
                };
                let handles: Vec<_> = (0..3).map(spawn).collect();
                handles.into_iter().for_each(join);
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
                    thread::spawn(move || {
                        let _one = locks[1].lock().unwrap();
                        drop(locks[0].lock().unwrap());
                    })
                };
                {
                    let _one = locks[0].lock().unwrap();
                    drop(locks[1].lock().unwrap());
                }
                join(other);
            }),
        ),
        (
            Claim::SingleWriter,
            Arc::new(|| {
                let cell = Arc::new(AtomicU64::new(0));
                let other = {
                    let cell = Arc::clone(&cell);
                    thread::spawn(move || cell.store(1, Relaxed))
                };
                cell.store(cell.load_owned() + 1, Relaxed);
                join(other);
            }),
        ),
    ];
    for (claim, program) in programs {
        let run = Arc::clone(&program);
        let explored = Search::new(move || run()).run();
        let Verdict::Failed(violation) = explored.verdict else { panic!("{claim} is broken here") };
        let failing = explored.failing.expect("a failure has its execution");
        assert_eq!(violation.claim, claim);
        let again = replay(move || program(), schedule(&failing)).expect("the schedule is this program's");
        assert_eq!(again.result, Err(*violation));
        assert_eq!(again.execution, *failing);
    }
}

#[test]
fn a_trace_names_operations_places_and_sources() {
    let mut traces: Vec<Vec<Row>> = Vec::new();
    let explored = Search::new(|| {
        let cells = Arc::new([AtomicU64::new(0), AtomicU64::new(7)]);
        let writer = {
            let cells = Arc::clone(&cells);
            thread::spawn(move || cells[1].store(8, Release))
        };
        let seen = cells[1].fetch_add(1, Acquire);
        join(writer);
        [seen]
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
        assert!(add.at.file.ends_with("schedules.rs") && add.at.line > store.at.line);
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
    let program = counters(false);
    let mut schedules = Vec::new();
    let explored =
        Search::new(program.clone()).run_with(|complete| schedules.push(schedule(&complete.execution()).to_owned()));
    assert_eq!(explored.verdict, Verdict::Exhaustive);
    let good = schedules.pop().expect("there is an execution");
    let other = counters(true);
    fn wrong(program: impl Fn() -> u64 + Send + Sync + 'static, schedule: &str) -> String {
        replay(program, schedule).expect_err(schedule).to_string()
    }
    assert!(wrong(program.clone(), "no schedule!").contains("`no schedule!`"));
    assert!(wrong(program.clone(), &good[..good.len() / 2]).contains("expected a schedule"));
    assert!(wrong(other, &good).contains("expected a schedule"));
    // Whatever is changed in it, it is refused, or is the schedule of another execution.
    for index in 0..good.len() {
        let mut changed = good.clone().into_bytes();
        changed[index] = if changed[index] == b'A' { b'B' } else { b'A' };
        let changed = String::from_utf8(changed).expect("ASCII");
        if let Ok(again) = replay(program.clone(), &changed) {
            assert_eq!(schedule(&again.execution), changed);
        }
    }
}
