//! What becomes of a program's destructors when it panics, or when an execution is given up.

mod common;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use common::{failure, join, spawn_with, truncation};
use countersign_graph::sync::Mutex;
use countersign_graph::sync::atomic::AtomicU64;
use countersign_graph::thread::JoinHandle;
use countersign_graph::{Claim, Search, Verdict, assume, block_until, thread};

/// Adds to a total under a lock and stores when it is dropped, as a recorder that retires does.
struct Retires(Arc<(Mutex<u64>, AtomicU64)>);

impl Drop for Retires {
    fn drop(&mut self) {
        *self.0.0.lock().unwrap() += self.0.1.fetch_add(1, Relaxed);
        self.0.1.store(0, Relaxed);
    }
}

#[test]
fn a_panic_is_a_failure_and_its_destructors_have_no_effect() {
    // The destructors store and lock, in the thread that panics and in the one that is abandoned.
    let explored = Search::new(|| {
        let shared = Arc::new((Mutex::new(0), AtomicU64::new(0)));
        let other =
            spawn_with(&Arc::new(Retires(Arc::clone(&shared))), |retires| _ = retires.0.1.fetch_add(1, Relaxed));
        let retires = Retires(Arc::clone(&shared));
        shared.1.fetch_add(1, Relaxed);
        assert!(shared.1.load(Relaxed) < 2, "both are counted");
        drop(retires);
        join(other);
    })
    .run();
    let violation = failure(&explored);
    assert_eq!(violation.claim, Claim::NoPanic);
    assert!(violation.seen.contains("destructors.rs:"), "{}", violation.seen);
    assert!(violation.seen.ends_with(": both are counted"), "{}", violation.seen);
}

#[test]
fn a_panic_with_a_guard_and_a_waiting_thread() {
    let explored = Search::new(|| {
        let lock = Arc::new((Mutex::new(0), AtomicU64::new(0)));
        let other = spawn_with(&lock, |(lock, cell)| {
            let guard = lock.lock().unwrap();
            cell.store(*guard + 1, Relaxed);
        });
        let guard = lock.0.lock().unwrap();
        assert_eq!(lock.1.load(Relaxed), 0, "the other came first");
        drop(guard);
        join(other);
    })
    .run();
    assert_eq!(failure(&explored).claim, Claim::NoPanic);
}

#[test]
fn a_destructor_may_want_a_lock_that_an_abandoned_thread_holds() {
    struct LocksAtDrop(Arc<(Mutex<u64>, AtomicU64)>);
    impl Drop for LocksAtDrop {
        fn drop(&mut self) {
            *self.0.0.lock().unwrap() += 1;
        }
    }
    // Both threads are blocked for good, the other with the lock in its hand.
    let went_on = Arc::new(AtomicBool::new(false));
    let went_on_in_program = Arc::clone(&went_on);
    let explored = Search::new(move || {
        let shared = Arc::new((Mutex::new(0), AtomicU64::new(0)));
        let went_on = Arc::clone(&went_on_in_program);
        let other = spawn_with(&shared, move |(lock, cell)| {
            let _guard = lock.lock().unwrap();
            block_until(cell, Relaxed, |value| value == 3);
            went_on.store(true, Relaxed);
        });
        let locks = LocksAtDrop(Arc::clone(&shared));
        shared.1.store(1, Relaxed);
        assume(shared.1.load(Relaxed) == 2);
        join(other);
        drop(locks);
    })
    .run();
    assert_eq!(explored.verdict, Verdict::Exhaustive);
    assert_eq!(explored.executions, 0);
    assert!(explored.blocked > 0);
    assert!(!went_on.load(Relaxed), "a thread that is unwound does not go on");
}

#[test]
fn a_destructor_that_waits_in_vain_ends_the_exploration() {
    struct Joins(Option<JoinHandle<()>>);
    impl Drop for Joins {
        fn drop(&mut self) {
            _ = self.0.take().map(join);
        }
    }
    let explored = Search::new(|| {
        let cell = Arc::new(AtomicU64::new(0));
        let _joins = Joins(Some(spawn_with(&cell, |cell| _ = block_until(cell, Relaxed, |value| value == 1))));
        assume(false);
    })
    .run();
    assert!(truncation(&explored).contains("destructor"));
}

#[test]
fn a_thread_that_never_ran_is_dropped_without_its_operations() {
    struct Waits(Arc<Mutex<u64>>, Option<JoinHandle<()>>);
    impl Drop for Waits {
        fn drop(&mut self) {
            *self.0.lock().unwrap() += 1;
            _ = self.1.take().map(join);
        }
    }
    let explored = Search::new(|| -> () {
        let lock = Arc::new(Mutex::new(0));
        let guard = lock.lock().unwrap();
        let first = spawn_with(&lock, |lock| *lock.lock().unwrap() += 1);
        let waits = Waits(Arc::clone(&lock), Some(first));
        thread::spawn(move || drop(waits));
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
            *self.0.lock().unwrap() += 1;
        }
    }
    let explored = Search::new(|| {
        let lock = Arc::new(Mutex::new(0));
        let _guard = lock.lock().unwrap();
        let _locks = LocksAtDrop(Arc::clone(&lock));
        assume(false);
    })
    .run();
    assert!(truncation(&explored).contains("destructor"));
}
