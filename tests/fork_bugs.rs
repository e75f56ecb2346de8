//! A bug that a real allocator had with `fork`: a check that the profiles pass, and a small counter that has the bug and
//! fails the same check.

#![cfg(all(feature = "std", unix))]
#![allow(missing_docs, reason = "a test")]

mod counters;

use std::sync::Mutex;
// SeqCst throughout: that a child hangs is not to be put down to an ordering.
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::thread;
use std::time::Duration;

use counters::{Counter, on_each_profile};

/// jemalloc #2019: a lock that another thread holds when the process forks is held in the child for ever.
mod the_child_of_a_fork_inherits_a_held_lock {
    use super::*;

    const FORKS: usize = 20;

    /// Forks while another thread reads all the time, and has each child record: the first status that is not 0, by which
    /// a child says that it counted wrong, or was ended by its alarm.
    fn failure_of_a_child<C: Counter>(alarm: u32) -> Option<i32> {
        C::record();
        let (begun, done) = (AtomicBool::new(false), AtomicBool::new(false));
        thread::scope(|scope| {
            scope.spawn(|| {
                while !done.load(SeqCst) {
                    C::counted();
                    begun.store(true, SeqCst);
                }
            });
            while !begun.load(SeqCst) {
                thread::yield_now();
            }
            let failure = (0..FORKS).map(|_| in_child(C::record, alarm)).find(|status| *status != 0);
            done.store(true, SeqCst);
            failure
        })
    }

    /// The status of a child that calls `act`, for which it has so many seconds.
    fn in_child(act: fn(), alarm: u32) -> i32 {
        // SAFETY: the child calls what neither allocates nor starts a thread, and leaves by `_exit`, or by the alarm.
        unsafe {
            let child = libc::fork();
            if child == 0 {
                libc::alarm(alarm);
                act();
                libc::_exit(0);
            }
            let mut status = 0;
            assert_eq!(libc::waitpid(child, &raw mut status, 0), child);
            status
        }
    }

    /// That a child which does not hang needs so many seconds is out of the question.
    const AMPLE: u32 = 60;

    fn failure_in_ample_time<C: Counter>() -> Option<i32> {
        failure_of_a_child::<C>(AMPLE)
    }

    /// `Folding` has a lock, as its documentation says, but only who registers, exits or reads takes it: the thread that
    /// goes on in the child has registered before.
    #[test]
    fn not_of_a_profile() {
        for (layout, failure) in on_each_profile!(failure_in_ample_time) {
            assert_eq!(failure, None, "{layout}");
        }
    }

    /// Has a lock around its count, and takes its time with it when it reads.
    struct Locked;

    static COUNT: Mutex<u64> = Mutex::new(0);

    impl Counter for Locked {
        fn record() {
            // The fault: in a child, whoever holds the lock may not be there.
            *COUNT.lock().unwrap() += 1;
        }

        fn counted() -> u64 {
            let count = COUNT.lock().unwrap();
            thread::sleep(Duration::from_millis(20));
            *count
        }
    }

    #[test]
    fn but_of_one_with_a_lock() {
        let status = failure_of_a_child::<Locked>(1).expect("no child hung");
        assert!(libc::WIFSIGNALED(status) && libc::WTERMSIG(status) == libc::SIGALRM, "{status}");
    }
}
