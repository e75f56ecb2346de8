//! `CountingAllocator` on threads of every kind: no event is lost, whenever in a thread's life it is recorded.

#![cfg(all(feature = "std", unix))]
#![allow(missing_docs, reason = "a test")]

mod blocks;

use std::ffi::c_void;
use std::ptr::{null, null_mut, without_provenance};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Barrier, Mutex, OnceLock, PoisonError};
use std::thread;

use blocks::{block, counts_of};
use countersign::CountingAllocator;

#[global_allocator]
static GLOBAL: CountingAllocator = CountingAllocator::new();

const MIB: usize = 1 << 20;

/// A class for each test, since they run side by side.
const EXITED: usize = 2 * MIB;
const LATE_RUST: usize = 4 * MIB;
const LATE_C: usize = 8 * MIB;
const SCOPED: usize = 16 * MIB;
const CROWDED: usize = 32 * MIB;
const FORKED: usize = 64 * MIB;
const KEYED: usize = 128 * MIB;

/// The class of the test that compares no totals: small, so that events are many.
const HANDED_OVER: usize = 1_000;

/// Held by the test that takes all slots, and by those for which that makes a difference.
static SLOTS: Mutex<()> = Mutex::new(());

fn counted(size: usize) -> (u64, u64) {
    counts_of(&GLOBAL.snapshot(), size)
}

/// Runs `main` on a thread that Rust did not make, to its end: its thread-locals' destructors have run.
fn on_c_thread(main: extern "C" fn(*mut c_void) -> *mut c_void) {
    let mut thread = 0;
    // SAFETY: the function takes no notice of its argument, and the thread is joined once.
    unsafe {
        assert_eq!(libc::pthread_create(&raw mut thread, null(), main, null_mut()), 0);
        assert_eq!(libc::pthread_join(thread, null_mut()), 0);
    }
}

/// Allocates and frees a block of that size when its thread's locals are destroyed.
struct Late(usize);

impl Drop for Late {
    fn drop(&mut self) {
        drop(block(self.0));
    }
}

#[test]
fn events_of_threads_that_exited_are_counted() {
    for round in 1..=200 {
        thread::spawn(|| drop(block(EXITED))).join().unwrap();
        assert_eq!(counted(EXITED), (round, round));
    }
}

#[test]
fn events_in_thread_local_destructors_are_counted() {
    thread_local! {
        static TOUCHED_FIRST: Late = const { Late(LATE_RUST) };
        static TOUCHED_LAST: Late = const { Late(LATE_RUST) };
    }
    for round in 1..=200 {
        thread::spawn(|| {
            TOUCHED_FIRST.with(|_| ());
            drop(block(LATE_RUST));
            TOUCHED_LAST.with(|_| ());
        })
        .join()
        .unwrap();
        assert_eq!(counted(LATE_RUST), (3 * round, 3 * round));
    }
}

/// On a thread that Rust did not make nothing was allocated yet when its function begins, so one destructor surely runs
/// before the thread's slot is released, and one after. More threads than there are slots: each must have released its
/// own.
#[test]
fn threads_that_rust_did_not_make_are_counted_to_their_end() {
    thread_local! {
        static TOUCHED_FIRST: Late = const { Late(LATE_C) };
        static TOUCHED_LAST: Late = const { Late(LATE_C) };
    }
    extern "C" fn main(_: *mut c_void) -> *mut c_void {
        TOUCHED_FIRST.with(|_| ());
        let counted = GLOBAL.allocs_in(|| drop(block(LATE_C)));
        TOUCHED_LAST.with(|_| ());
        if counted.is_err() {
            // There is nobody to unwind to.
            std::process::abort();
        }
        null_mut()
    }
    /// Allocates for the first time when its locals are destroyed.
    extern "C" fn late_main(_: *mut c_void) -> *mut c_void {
        TOUCHED_FIRST.with(|_| ());
        null_mut()
    }
    let _slots = SLOTS.lock().unwrap_or_else(PoisonError::into_inner);
    for round in 1..=200 {
        on_c_thread(late_main);
        on_c_thread(main);
        assert_eq!(counted(LATE_C), (4 * round, 4 * round));
    }
}

/// Destructors of the libc's own thread-specific values run after those of thread-locals: on the first of these threads
/// nothing is left that would release a slot, so they are few here.
#[test]
fn events_in_destructors_of_pthread_keys_are_counted() {
    static KEY: OnceLock<libc::pthread_key_t> = OnceLock::new();
    extern "C" fn destroy(_: *mut c_void) {
        drop(block(KEYED));
    }
    extern "C" fn set_value(_: *mut c_void) -> *mut c_void {
        if let Some(key) = KEY.get() {
            // SAFETY: the key exists, and its destructor takes no notice of the value.
            unsafe { libc::pthread_setspecific(*key, without_provenance::<c_void>(1)) };
        }
        null_mut()
    }
    extern "C" fn set_value_and_record(argument: *mut c_void) -> *mut c_void {
        drop(block(KEYED));
        set_value(argument)
    }
    KEY.get_or_init(|| {
        let mut key = 0;
        // SAFETY: the destructor is a function that does not unwind.
        assert_eq!(unsafe { libc::pthread_key_create(&raw mut key, Some(destroy)) }, 0);
        key
    });
    for round in 1..=3 {
        on_c_thread(set_value);
        on_c_thread(set_value_and_record);
        assert_eq!(counted(KEYED), (3 * round, 3 * round));
    }
}

/// `scope` may return before thread-locals' destructors have run (rust-lang/rust PR 149482).
#[test]
fn a_scope_is_exact_when_it_returns() {
    for round in 1..=2_000 {
        thread::scope(|scope| {
            scope.spawn(|| drop(block(SCOPED)));
            scope.spawn(|| drop(block(SCOPED)));
        });
        assert_eq!(counted(SCOPED), (2 * round, 2 * round));
    }
}

#[test]
fn a_block_freed_by_another_thread_is_never_freed_before_it_is_allocated() {
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        let (give, take) = std::sync::mpsc::channel();
        scope.spawn(move || (0..200_000).for_each(|_| give.send(block(HANDED_OVER)).unwrap()));
        scope.spawn(|| {
            take.into_iter().for_each(drop);
            done.store(true, Relaxed);
        });
        let mut latest = (0, 0);
        while !done.load(Relaxed) {
            let now = counted(HANDED_OVER);
            assert!(now.1 <= now.0, "{now:?}");
            assert!(latest.0 <= now.0 && latest.1 <= now.1, "{latest:?} then {now:?}");
            latest = now;
        }
    });
}

#[test]
fn more_threads_than_slots_are_exact_and_measuring_without_a_slot_is_an_error() {
    const THREADS: usize = 80;
    let _slots = SLOTS.lock().unwrap_or_else(PoisonError::into_inner);
    let all_have_registered = Barrier::new(THREADS + 1);
    let all_may_leave = Barrier::new(THREADS + 1);
    let with_slot = thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS)
            .map(|_| {
                scope.spawn(|| {
                    drop(block(CROWDED));
                    let measured = GLOBAL.allocs_in(|| drop(block(CROWDED)));
                    all_have_registered.wait();
                    all_may_leave.wait();
                    measured
                })
            })
            .collect();
        all_have_registered.wait();
        let recorded = counted(CROWDED);
        all_may_leave.wait();
        let measured: Vec<_> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
        let with_slot = measured.iter().filter(|measured| measured.is_ok()).count();
        assert_eq!(recorded, ((THREADS + with_slot) as u64, (THREADS + with_slot) as u64));
        for events in measured.iter().flatten().map(|((), events)| events.totals()) {
            assert_eq!((events.allocs, events.frees), (1, 1));
        }
        for error in measured.iter().filter_map(|measured| measured.as_ref().err()) {
            assert!(error.to_string().contains("no slot of its own"), "{error}");
        }
        with_slot
    });
    // The test's own threads have slots too.
    assert!((1..64).contains(&with_slot), "{with_slot} of {THREADS} threads had a slot");
}

/// The child of a `fork` has one thread of the parent's, at whatever point the others were (jemalloc #2019: a lock that
/// one of them held is held for ever).
#[test]
fn the_child_of_a_fork_goes_on_counting() {
    extern "C" fn main(_: *mut c_void) -> *mut c_void {
        drop(block(FORKED));
        null_mut()
    }
    /// Counts from where the parent was, on this thread and on another.
    fn counts_in_the_child() -> bool {
        let before = counted(FORKED);
        drop(block(FORKED));
        on_c_thread(main);
        counted(FORKED) == (before.0 + 2, before.1 + 2) && before == (1, 1)
    }
    drop(block(FORKED));
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        // A thread that reads all the time, and threads that come, record and go.
        scope.spawn(|| {
            while !done.load(Relaxed) {
                GLOBAL.snapshot();
            }
        });
        scope.spawn(|| {
            while !done.load(Relaxed) {
                thread::scope(|scope| scope.spawn(|| drop(block(1))).join().unwrap());
            }
        });
        let failed = (0..50)
            .map(|_| {
                // SAFETY: the child allocates and starts a thread, which the libc's own handlers of `fork` make possible,
                // and leaves by `_exit`, or by the alarm when it hangs.
                unsafe {
                    let child = libc::fork();
                    if child == 0 {
                        libc::alarm(10);
                        libc::_exit(i32::from(!counts_in_the_child()));
                    }
                    let mut status = 0;
                    assert_eq!(libc::waitpid(child, &raw mut status, 0), child);
                    status
                }
            })
            .find(|status| *status != 0);
        done.store(true, Relaxed);
        assert_eq!(failed, None, "the child counted wrong (256), or hung (14)");
    });
}
