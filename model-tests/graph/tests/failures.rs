//! What a program can do wrong, and what becomes of it.

mod common;

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::AtomicU64 as Counter;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release, SeqCst};
use std::time::Duration;

use common::{explore, failure, join, spawn_with, truncation};
use countersign_graph::sync::Mutex;
use countersign_graph::sync::atomic::{AtomicU64, fence};
use countersign_graph::{Claim, Outcome, Search, Verdict, Violation, block_until, thread};

#[test]
fn seq_cst_forbids_store_buffering() {
    let outcomes = |store_order, load_order, fenced: bool| {
        let program = move || {
            let cells = Arc::new([AtomicU64::new(0), AtomicU64::new(0)]);
            let thread = |mine: usize| {
                spawn_with(&cells, move |cells| {
                    cells[mine].store(1, store_order);
                    if fenced {
                        fence(SeqCst);
                    }
                    cells[1 - mine].load(load_order)
                })
            };
            let (one, other) = (thread(0), thread(1));
            [join(one), join(other)]
        };
        explore(program).outcomes.into_keys().map(|outcome| outcome.0).collect::<Vec<_>>()
    };
    assert_eq!(outcomes(SeqCst, SeqCst, false), [[0, 1], [1, 0], [1, 1]]);
    assert_eq!(outcomes(Relaxed, Relaxed, true), [[0, 1], [1, 0], [1, 1]]);
    assert_eq!(outcomes(Release, Acquire, false), [[0, 0], [0, 1], [1, 0], [1, 1]]);
}

/// Store buffering in which one side's store stands before the spawn of its load: the spawn orders the two, whatever
/// thread they are on.
#[test]
fn a_spawn_orders_seq_cst_accesses_as_program_order_does() {
    let explored = Search::new(|| {
        let cells = Arc::new([AtomicU64::new(0), AtomicU64::new(0)]);
        let other = thread::spawn({
            let cells = Arc::clone(&cells);
            move || {
                cells[1].store(1, SeqCst);
                cells[0].load(SeqCst)
            }
        });
        cells[0].store(1, SeqCst);
        let child = thread::spawn(move || cells[1].load(SeqCst));
        [join(child), join(other)]
    });
    let outcomes: Vec<_> = explored.run().outcomes.into_keys().map(|outcome| outcome.0).collect();
    assert_eq!(outcomes, [[0, 1], [1, 0], [1, 1]]);
}

#[test]
fn two_locks_in_both_orders_are_a_deadlock() {
    let run = |same_order: bool| {
        Search::new(move || {
            let locks = Arc::new([Mutex::new(0), Mutex::new(0)]);
            let other = spawn_with(&locks, move |[a, b]| {
                let (first, second) = if same_order { (a, b) } else { (b, a) };
                *first.lock().unwrap() += *second.lock().unwrap();
            });
            *locks[0].lock().unwrap() += *locks[1].lock().unwrap();
            join(other);
        })
        .run()
    };
    // In one expression the right-hand lock is taken first, and both are held until the end of the statement.
    assert_eq!(run(true).verdict, Verdict::Exhaustive);
    let explored = run(false);
    let violation = failure(&explored);
    assert_eq!(violation.claim, Claim::NoDeadlock);
    assert_eq!(violation.seen.matches("waits at").count(), 2, "{}", violation.seen);
}

#[test]
fn a_mutex_that_is_never_unlocked_is_a_deadlock() {
    let explored = Search::new(|| {
        let lock = Arc::new(Mutex::new(0));
        std::mem::forget(lock.lock().unwrap());
        join(spawn_with(&lock, |lock| *lock.lock().unwrap() += 1));
    })
    .run();
    assert_eq!(failure(&explored).claim, Claim::NoDeadlock);
}

#[test]
fn a_thread_that_ends_early_is_found_out() {
    let runs = Counter::new(0);
    let explored = Search::new(move || {
        let cell = Arc::new(AtomicU64::new(0));
        let first = runs.fetch_add(1, SeqCst) == 0;
        let reader = spawn_with(&cell, move |cell| _ = first.then(|| cell.load(Relaxed)));
        let writer = spawn_with(&cell, |cell| cell.store(1, Relaxed));
        join(reader);
        join(writer);
    })
    .run();
    let violation = failure(&explored);
    assert_eq!(violation.claim, Claim::Deterministic);
    assert!(violation.seen.ends_with("the end of the thread"), "{}", violation.seen);
}

#[test]
fn a_nondeterministic_program_is_found_out() {
    let runs = Counter::new(0);
    let explored = Search::new(move || {
        let cells = Arc::new([AtomicU64::new(0), AtomicU64::new(0)]);
        let writer = spawn_with(&cells, |cells| cells[0].store(1, Relaxed));
        // Not under the engine's control: it changes from one run to the next.
        if runs.fetch_add(1, SeqCst).is_multiple_of(2) {
            cells[0].load(Relaxed);
        } else {
            cells[1].load(Relaxed);
        }
        join(writer);
    })
    .run();
    let violation = failure(&explored);
    assert_eq!(violation.claim, Claim::Deterministic);
    assert_eq!(violation.seen.matches("failures.rs:").count(), 2, "both lines: {}", violation.seen);
}

#[test]
fn a_cell_from_outside_is_refused() {
    let outside = Arc::new(AtomicU64::new(0));
    let explored = Search::new(move || [outside.load(Relaxed)]).run();
    assert_eq!(failure(&explored).claim, Claim::Deterministic);
}

#[test]
fn operations_outside_of_an_exploration_work_on_plain_values() {
    let cell = AtomicU64::new(1);
    assert_eq!(cell.fetch_add(2, Relaxed), 1);
    assert_eq!(cell.compare_exchange(3, 4, Relaxed, Relaxed), Ok(3));
    assert_eq!(cell.swap(5, Relaxed), 4);
    let lock = Mutex::new(cell.load(Acquire));
    *lock.lock().unwrap() += 1;
    assert_eq!(*lock.lock().unwrap(), 6);
}

#[test]
fn a_second_writer_breaks_the_owners_claim() {
    let run = |joined_first: bool| {
        Search::new(move || {
            let cell = Arc::new(AtomicU64::new(0));
            let other = spawn_with(&cell, |cell| cell.store(7, Relaxed));
            if joined_first {
                join(other);
                cell.store(cell.load_owned() + 1, Relaxed);
            } else {
                cell.store(cell.load_owned() + 1, Relaxed);
                join(other);
            }
        })
        .run()
    };
    assert_eq!(run(true).verdict, Verdict::Exhaustive);
    assert_eq!(failure(&run(false)).claim, Claim::SingleWriter);
}

#[test]
fn a_broken_claim_comes_back_with_its_execution() {
    let explored = Search::new(|| {
        let cell = Arc::new(AtomicU64::new(0));
        let other = spawn_with(&cell, |cell| cell.store(1, Release));
        let seen = cell.load(Acquire);
        join(other);
        let violation = || Violation { claim: Claim::Own("exact"), claimed: "0".to_owned(), seen: seen.to_string() };
        if seen == 0 { Ok(seen) } else { Err(violation()) }
    })
    .run();
    assert_eq!(failure(&explored).seen, "1");
    let rows = explored.failing.map(|failing| failing.trace.len());
    assert_eq!(rows, Some(4), "spawn, store, load, join");
}

#[test]
fn limits_are_truncations() {
    let many = || {
        Search::new(|| {
            let cell = Arc::new(AtomicU64::new(0));
            let handles: Vec<_> = (0..5).map(|_| spawn_with(&cell, |cell| cell.fetch_add(1, Relaxed))).collect();
            handles.into_iter().map(join).collect::<Vec<u64>>()
        })
    };
    let explored = many().max_executions(119).run();
    assert!(truncation(&explored).contains("119 executions"));
    assert_eq!(explored.executions, 119);
    assert_eq!(many().max_executions(120).run().verdict, Verdict::Exhaustive);
    let no_time = many().max_time(Duration::ZERO).run();
    assert!(truncation(&no_time).contains("0ns"));
    assert!(truncation(&many().max_events(20).run()).contains("20 events"));

    let spins = Search::new(|| {
        let cell = Arc::new(AtomicU64::new(0));
        let other = spawn_with(&cell, |cell| cell.store(1, Relaxed));
        while cell.load(Relaxed) == 0 {}
        join(other);
    });
    assert!(truncation(&spins.run()).contains("events"));
    let yields = Search::new(|| -> () {
        loop {
            thread::yield_now();
        }
    });
    assert!(truncation(&yields.run()).contains("yields"));
}

#[test]
fn waiting_by_assumption_leaves_the_executions_in_which_it_ends() {
    let explored = explore(|| {
        let cells = Arc::new([AtomicU64::new(0), AtomicU64::new(0)]);
        let writer = spawn_with(&cells, |[data, flag]| {
            data.store(42, Relaxed);
            flag.store(1, Release);
        });
        block_until(&cells[1], Acquire, |flag| flag == 1);
        let seen = cells[0].load(Relaxed);
        join(writer);
        [seen]
    });
    assert_eq!(explored.executions, 1);
    assert_eq!(explored.outcomes.into_keys().collect::<Vec<_>>(), [Outcome(vec![42])]);
}

#[test]
fn panics_outside_of_an_exploration_are_not_taken() {
    assert_eq!(explore(|| ()).executions, 1);
    let thrown = Cell::new(false);
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        thrown.set(true);
        std::panic::resume_unwind(Box::new("outside"));
    }));
    assert!(thrown.get() && caught.is_err());
}
