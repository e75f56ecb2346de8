//! Bugs that real counters had with the destructors of thread-locals: of each a check that the profiles pass, and a small
//! counter that has the bug and fails the same check.

#![cfg(feature = "std")]
#![allow(missing_docs, reason = "a test")]

mod counters;

use std::cell::Cell;
// SeqCst throughout: what goes wrong is not to be put down to an ordering.
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use counters::{Counter, on_each_profile};

/// The tests count events of the same profiles.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Does something when its thread's locals are destroyed.
struct AtExit(Cell<Option<fn()>>);

impl Drop for AtExit {
    fn drop(&mut self) {
        if let Some(act) = self.0.take() {
            act();
        }
    }
}

/// Calls `act` on a thread, with thread-locals touched before and after, whose destructors call `at_exit`: one of them
/// before what `act` touches is destroyed, and one after it, whatever the order of destructors is.
fn with_late_destructors(act: fn(), at_exit: fn()) {
    thread_local! {
        static TOUCHED_FIRST: AtExit = const { AtExit(Cell::new(None)) };
        static TOUCHED_LAST: AtExit = const { AtExit(Cell::new(None)) };
    }
    TOUCHED_FIRST.with(|late| late.0.set(Some(at_exit)));
    act();
    TOUCHED_LAST.with(|late| late.0.set(Some(at_exit)));
}

/// accounting-allocator (the crate): what a thread records after the destructor of its counters is not counted.
mod an_event_in_a_late_destructor_is_lost {
    use super::*;

    const THREADS: u64 = 50;

    /// Whether the events of threads are counted, those of late destructors too.
    fn all_are_counted<C: Counter>() -> bool {
        let before = C::counted();
        for _ in 0..THREADS {
            thread::spawn(|| with_late_destructors(C::record, C::record)).join().unwrap();
        }
        C::counted() - before == 3 * THREADS
    }

    #[test]
    fn not_by_a_profile() {
        let _alone = alone();
        for (layout, all_are_counted) in on_each_profile!(all_are_counted) {
            assert!(all_are_counted, "{layout}");
        }
    }

    /// Drops the events that come when its guard is gone.
    struct DropsLateEvents;

    static TOTAL: AtomicU64 = AtomicU64::new(0);

    impl Counter for DropsLateEvents {
        fn record() {
            struct Guard;
            impl Drop for Guard {
                fn drop(&mut self) {}
            }
            thread_local! {
                static GUARD: Guard = const { Guard };
            }
            // The fault: an error is an event too.
            let _ = GUARD.try_with(|_| TOTAL.fetch_add(1, SeqCst));
        }

        fn counted() -> u64 {
            TOTAL.load(SeqCst)
        }
    }

    #[test]
    fn but_by_one_that_drops_what_comes_after_its_guard() {
        let _alone = alone();
        assert!(!all_are_counted::<DropsLateEvents>());
        // Nothing but the late ones.
        assert_eq!(DropsLateEvents::counted(), 2 * THREADS);
    }
}

/// rust-lang/rust pull request 149482, which documents that `thread::scope` may return while the destructors of its
/// threads' locals have not yet run.
mod a_scope_returns_before_thread_local_destructors_ran {
    use super::*;

    static MAY_EXIT: (Mutex<bool>, Condvar) = (Mutex::new(false), Condvar::new());

    /// Keeps its thread from exiting. If the scope did wait for it, it would not keep it for ever, and the last test here
    /// would fail.
    fn hold() {
        let (may_exit, changed) = &MAY_EXIT;
        let may_exit = may_exit.lock().unwrap();
        drop(changed.wait_timeout_while(may_exit, Duration::from_secs(20), |may_exit| !*may_exit));
    }

    /// Whether the event of a thread that is kept from destroying its locals is counted when its scope returns.
    fn is_counted<C: Counter>() -> bool {
        let before = C::counted();
        *MAY_EXIT.0.lock().unwrap() = false;
        thread::scope(|scope| {
            scope.spawn(|| with_late_destructors(C::record, hold));
        });
        let is_counted = C::counted() - before == 1;
        *MAY_EXIT.0.lock().unwrap() = true;
        MAY_EXIT.1.notify_all();
        is_counted
    }

    #[test]
    fn and_a_profile_has_counted_all_the_same() {
        let _alone = alone();
        for (layout, is_counted) in on_each_profile!(is_counted) {
            assert!(is_counted, "{layout}");
        }
    }

    /// Counts in a thread-local, which its destructor adds to the total.
    struct CountedWhenFolded;

    static TOTAL: AtomicU64 = AtomicU64::new(0);

    impl Counter for CountedWhenFolded {
        fn record() {
            struct Counts(Cell<u64>);
            impl Drop for Counts {
                fn drop(&mut self) {
                    TOTAL.fetch_add(self.0.get(), SeqCst);
                }
            }
            thread_local! {
                static COUNTS: Counts = const { Counts(Cell::new(0)) };
            }
            COUNTS.with(|counts| counts.0.set(counts.0.get() + 1));
        }

        fn counted() -> u64 {
            // The fault: what is not yet folded is not looked at.
            TOTAL.load(SeqCst)
        }
    }

    #[test]
    fn but_a_total_that_is_right_after_the_fold_only_is_wrong() {
        let _alone = alone();
        assert!(!is_counted::<CountedWhenFolded>());
        let joined = || {
            let before = CountedWhenFolded::counted();
            thread::spawn(CountedWhenFolded::record).join().unwrap();
            CountedWhenFolded::counted() > before
        };
        assert!(joined(), "a join does wait for the destructors");
    }
}
