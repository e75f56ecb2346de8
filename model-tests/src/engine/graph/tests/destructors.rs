//! What becomes of a program's destructors when it panics, or when an execution is given up.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use countersign::{Atomic, Event, Folding, Layout, Lock, Recorder, Slots};

use super::{Cell, Mutex, failure, search, spawn_with, truncation};
use crate::engine::graph::{Graph, assume, block_until};
use crate::engine::{Engine, JoinHandle};
use crate::verdict::{Claim, Outcome, Verdict};

#[test]
fn a_panic_is_a_failure_and_its_destructors_are_inert() {
    // The recorders' destructors store, lock, and fold, in the thread that panics and in the one that is abandoned.
    fn check<L: Layout>() {
        let explored = search(|| {
            let layout = Arc::new(L::default());
            let other = spawn_with(&layout, |layout| {
                let recorder = layout.register();
                recorder.record(Event::Alloc, 0);
            });
            let recorder = layout.register();
            recorder.record(Event::Alloc, 0);
            let counts = countersign::Counts::classes(&layout.snapshot())[0];
            assert!(counts.allocs < 2, "both are counted");
            drop(recorder);
            other.join();
            Ok(Outcome::default())
        })
        .run();
        let violation = failure(&explored);
        assert_eq!(violation.claim, Claim::NoPanic);
        assert!(violation.seen.contains("destructors.rs:"), "{}", violation.seen);
        assert!(violation.seen.ends_with(": both are counted"), "{}", violation.seen);
    }
    check::<Slots<1, 2, Graph>>();
    check::<Folding<1, Graph>>();
}

#[test]
fn a_panic_with_a_guard_and_a_waiting_thread() {
    let explored = search(|| {
        let lock = Arc::new((Mutex::new(0), Cell::new(0)));
        let other = spawn_with(&lock, |(lock, cell)| {
            let guard = lock.lock();
            cell.store(*guard + 1, Relaxed);
        });
        let guard = lock.0.lock();
        assert_eq!(lock.1.load(Relaxed), 0, "the other came first");
        drop(guard);
        other.join();
        Ok(Outcome::default())
    })
    .run();
    assert_eq!(failure(&explored).claim, Claim::NoPanic);
}

#[test]
fn a_destructor_may_want_a_lock_that_an_abandoned_thread_holds() {
    struct LocksAtDrop(Arc<(Mutex<u64>, Cell)>);
    impl Drop for LocksAtDrop {
        fn drop(&mut self) {
            *self.0.0.lock() += 1;
        }
    }
    // Both threads are blocked for good, the other with the lock in its hand.
    let went_on = Arc::new(AtomicBool::new(false));
    let went_on_in_program = Arc::clone(&went_on);
    let explored = search(move || {
        let shared = Arc::new((Mutex::new(0), Cell::new(0)));
        let went_on = Arc::clone(&went_on_in_program);
        let other = spawn_with(&shared, move |(lock, cell)| {
            let _guard = lock.lock();
            block_until(cell, Relaxed, |value| value == 3);
            went_on.store(true, Relaxed);
        });
        let locks = LocksAtDrop(Arc::clone(&shared));
        shared.1.store(1, Relaxed);
        assume(shared.1.load(Relaxed) == 2);
        other.join();
        drop(locks);
        Ok(Outcome::default())
    })
    .run();
    assert_eq!(explored.verdict, Verdict::Exhaustive);
    assert_eq!(explored.executions, 0);
    assert!(explored.blocked > 0);
    assert!(!went_on.load(Relaxed), "a thread that is unwound does not go on");
}

#[test]
fn a_destructor_that_waits_in_vain_ends_the_exploration() {
    struct Joins(Option<<Graph as Engine>::JoinHandle<()>>);
    impl Drop for Joins {
        fn drop(&mut self) {
            self.0.take().into_iter().for_each(JoinHandle::join);
        }
    }
    let explored = search(|| {
        let cell = Arc::new(Cell::new(0));
        let _joins = Joins(Some(spawn_with(&cell, |cell| _ = block_until(cell, Relaxed, |value| value == 1))));
        assume(false);
        Ok(Outcome::default())
    })
    .run();
    assert!(truncation(&explored).contains("destructor"));
}

#[test]
fn a_thread_that_never_ran_is_dropped_without_its_operations() {
    struct Waits(Arc<Mutex<u64>>, Option<<Graph as Engine>::JoinHandle<()>>);
    impl Drop for Waits {
        fn drop(&mut self) {
            *self.0.lock() += 1;
            self.1.take().into_iter().for_each(JoinHandle::join);
        }
    }
    let explored = search(|| {
        let lock = Arc::new(Mutex::new(0));
        let guard = lock.lock();
        let first = spawn_with(&lock, |lock| *lock.lock() += 1);
        let waits = Waits(Arc::clone(&lock), Some(first));
        Graph::spawn(move || drop(waits));
        drop(guard);
        panic!("before the others ran")
    })
    .run();
    assert_eq!(failure(&explored).claim, Claim::NoPanic);
}

#[test]
fn a_destructor_that_locks_what_its_own_thread_holds_ends_the_exploration() {
    struct LocksAtDrop(Arc<Mutex<u64>>);
    impl Drop for LocksAtDrop {
        fn drop(&mut self) {
            *self.0.lock() += 1;
        }
    }
    let explored = search(|| {
        let lock = Arc::new(Mutex::new(0));
        let _guard = lock.lock();
        let _locks = LocksAtDrop(Arc::clone(&lock));
        assume(false);
        Ok(Outcome::default())
    })
    .run();
    assert!(truncation(&explored).contains("destructor"));
}
