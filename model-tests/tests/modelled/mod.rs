//! Programs for the engines that model the threads: on real ones they show nothing that can be relied on, or hang.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};

use countersign::{Atomic, Lock, Locks};
use countersign_models::engine::{Engine, JoinHandle, Program};
use countersign_models::study::audit;
use countersign_models::verdict::{Action, LastValue, Place, Row, Source, last_values};
use countersign_models::verdict::{Exploration, Outcome, Verdict};

use crate::programs::{AMPLE, Cell, outcomes_of, planted, violation};

/// The mutex of an engine.
type Mutex<E, T> = <E as Locks>::Mutex<T>;

/// Each of two threads stores to its own cell and loads the other's.
pub(crate) fn store_buffering<E: Engine>() -> Exploration {
    outcomes_of::<E>(|| {
        let cells = Arc::new((Cell::<E>::new(0), Cell::<E>::new(0)));
        let theirs = Arc::clone(&cells);
        let other = E::spawn(move || {
            theirs.1.store(1, Relaxed);
            theirs.0.load(Relaxed)
        });
        cells.0.store(1, Relaxed);
        let mine = cells.1.load(Relaxed);
        vec![mine, other.join()]
    })
}

/// A panic in one thread, which locks a mutex in a destructor, while another thread is suspended within the mutex.
pub(crate) fn panicking_beside_a_lock<E: Engine>() -> Exploration {
    struct LockOnDrop<E: Engine>(Arc<Mutex<E, Vec<u64>>>);

    impl<E: Engine> Drop for LockOnDrop<E> {
        fn drop(&mut self) {
            self.0.lock().push(0);
        }
    }

    outcomes_of::<E>(|| {
        let mutex = Arc::new(Mutex::<E, _>::new(vec![]));
        let inside = Arc::new(Cell::<E>::new(0));
        let (their_mutex, their_inside) = (Arc::clone(&mutex), Arc::clone(&inside));
        let other = E::spawn(move || {
            let mut guard = their_mutex.lock();
            their_inside.swap(1, Relaxed);
            guard.push(1);
            their_inside.swap(0, Relaxed);
        });
        let locks = LockOnDrop::<E>(Arc::clone(&mutex));
        // Not a load, which could read an old value when the mutex is free again.
        assert!(inside.fetch_add(0, Relaxed) == 0, "a planted panic");
        drop(locks);
        other.join();
        vec![mutex.lock().len() as u64]
    })
}

/// A panic in a thread that holds a mutex, beside one that looks whether it runs during the unwinding.
pub(crate) fn panicking_within_a_lock<E: Engine>() -> Exploration {
    outcomes_of::<E>(|| {
        let mutex = Arc::new(Mutex::<E, _>::new(0));
        let cell = Arc::new(Cell::<E>::new(0));
        let (their_mutex, their_cell) = (Arc::clone(&mutex), Arc::clone(&cell));
        let other = E::spawn(move || {
            let _guard = their_mutex.lock();
            // With 1 the main thread still has a step to do that needs no lock.
            assert!(their_cell.fetch_add(0, Relaxed) != 1, "a planted panic");
        });
        for _ in 0..2 {
            cell.fetch_add(1, Relaxed);
            RAN_DURING_A_PANIC.fetch_or(std::thread::panicking(), Relaxed);
        }
        other.join();
        vec![]
    })
}

/// Whether the other thread of [`panicking_within_a_lock`] ever ran during the unwinding.
pub(crate) static RAN_DURING_A_PANIC: AtomicBool = AtomicBool::new(false);

/// Two threads that take two mutexes, in opposite orders: one of the programs of the audit.
pub(crate) fn deadlock<E: Engine>() -> Exploration {
    let entries = audit::entries();
    let deadlock = entries.iter().find(|entry| entry.name == "deadlock").unwrap();
    E::explore(deadlock.program(E::NAME), &AMPLE)
}

/// A thread that locks a mutex twice.
pub(crate) fn locking_twice<E: Engine>() -> Exploration {
    outcomes_of::<E>(|| {
        let mutex = Mutex::<E, _>::new(0);
        let first = mutex.lock();
        *mutex.lock() += *first;
        vec![]
    })
}

/// A thread that waits for a store that never comes.
pub(crate) fn spinning<E: Engine>() -> Exploration {
    outcomes_of::<E>(|| {
        let cell = Cell::<E>::new(0);
        while cell.load(Relaxed) == 0 {
            E::yield_now();
        }
        vec![]
    })
}

/// A claim that is broken where the reader sees the writer's store.
pub(crate) fn broken_claim<E: Engine>() -> Exploration {
    let program: Program = Arc::new(|| {
        let cell = Arc::new(Cell::<E>::new(0));
        let theirs = Arc::clone(&cell);
        let writer = E::spawn(move || theirs.store(1, Relaxed));
        let value = cell.load(Relaxed);
        writer.join();
        if value == 0 { Ok(Outcome(vec![value])) } else { Err(planted()) }
    });
    E::explore(program, &AMPLE)
}

/// A program with every operation, of which only one thread at a time can run: each waits for the one that it spawns.
fn told<E: Engine>(broken: bool) -> Program {
    Arc::new(move || {
        let cells = Arc::new((Cell::<E>::new(0), Mutex::<E, _>::new(()), Cell::<E>::new(5)));
        let one = Arc::clone(&cells);
        E::spawn(move || {
            let two = Arc::clone(&one);
            E::spawn(move || two.2.fetch_max(7, Release)).join();
            let _guard = one.1.lock();
            one.0.store(one.0.load_owned() + 1, Release);
        })
        .join();
        let three = Arc::clone(&cells);
        let swapped = E::spawn(move || three.2.swap(1, AcqRel)).join();
        let seen = vec![
            cells.0.fetch_add(2, Relaxed),
            cells.0.compare_exchange(3, 4, AcqRel, Acquire).unwrap_or(0),
            cells.0.compare_exchange(3, 5, AcqRel, Acquire).unwrap_or(0),
            swapped,
        ];
        if broken { Err(planted()) } else { Ok(Outcome(seen)) }
    })
}

/// That the record of a failure is what the program did, that its schedule repeats it, and that the schedule repeats
/// the same execution of a program that does not find it a failure.
pub(crate) fn assert_repeated<E: Engine>() {
    let exploration = E::explore(told::<E>(true), &AMPLE);
    let failing = exploration.failing.clone().expect("the failed execution is recorded");
    assert_told(&failing.trace);
    let schedule = failing.schedule.clone().expect("it can be repeated");
    let again = E::replay(told::<E>(true), &schedule).unwrap();
    assert_eq!(again.result.as_ref(), Err(violation(&exploration)));
    assert_eq!(again.execution, *failing);
    let holds = E::replay(told::<E>(false), &schedule).unwrap();
    assert_eq!((holds.result, holds.execution.trace), (Ok(Outcome(vec![1, 3, 0, 7])), failing.trace));

    let other = E::explore(told::<E>(false), &AMPLE);
    assert_eq!((other.verdict, other.failing), (Verdict::Exhaustive, None));
    let program: Program = Arc::new(|| Ok(Outcome(vec![Cell::<E>::new(0).load(Relaxed)])));
    assert!(!E::replay(program, &schedule).unwrap_err().why().is_empty());
    assert!(E::replay(told::<E>(true), "no schedule").unwrap_err().to_string().contains("`no schedule`"));

    assert_failing_threads_are_recorded::<E>();
}

/// What [`told`] does, whoever tells it.
pub(crate) fn assert_told(trace: &[Row]) {
    let [cell, mutex, other] = [0, 1, 2].map(|number| Some(Place { creator: 0, number }));
    let done: Vec<_> = trace.iter().map(|row| (row.thread, row.action, row.place, row.read, row.written)).collect();
    let cas = |new| Action::CompareExchange { current: 3, new };
    let expected = [
        (0, Action::Spawn(1), None, None, None),
        (1, Action::Spawn(2), None, None, None),
        (2, Action::FetchMax(7), other, Some(5), Some(7)),
        (1, Action::Join(2), None, None, None),
        (1, Action::Lock, mutex, Some(0), Some(1)),
        (1, Action::LoadOwned, cell, Some(0), None),
        (1, Action::Store, cell, None, Some(1)),
        (1, Action::Unlock, mutex, None, Some(0)),
        (0, Action::Join(1), None, None, None),
        (0, Action::Spawn(3), None, None, None),
        (3, Action::Swap, other, Some(7), Some(1)),
        (0, Action::Join(3), None, None, None),
        (0, Action::FetchAdd(2), cell, Some(1), Some(3)),
        (0, cas(4), cell, Some(3), Some(4)),
        (0, cas(5), cell, Some(4), None),
    ];
    assert_eq!(done, expected);
    let sources: Vec<_> = trace.iter().filter(|row| row.read.is_some()).map(|row| row.source).collect();
    let rows = [None, None, None, Some(2), Some(6), Some(12), Some(13)];
    assert_eq!(sources, rows.map(|row| Some(row.map_or(Source::Initial, Source::Row))));
    let orders: Vec<_> = trace.iter().filter_map(|row| row.order).collect();
    assert_eq!(orders, [Release, Acquire, Relaxed, Release, Release, AcqRel, Relaxed, AcqRel, Acquire]);
    assert!(trace.iter().all(|row| row.at.file.ends_with("modelled/mod.rs")), "{trace:?}");
    let last: Vec<_> = last_values(trace).into_iter().map(|LastValue { value, row, .. }| (value, row)).collect();
    assert_eq!(last, [(4, Some(13)), (0, Some(7)), (1, Some(10))]);
}

/// That the record of a failure reaches to the operation before it, or that it waits for, in each thread.
fn assert_failing_threads_are_recorded<E: Engine>() {
    let exploration = deadlock::<E>();
    violation(&exploration);
    let trace = exploration.failing.expect("the failed execution is recorded").trace;
    let waits = |row: &&Row| row.action == Action::Lock && row.written.is_none();
    assert_eq!(trace.iter().filter(waits).count(), 2, "{trace:#?}");
}
