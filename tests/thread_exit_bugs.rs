//! Bugs that real counters had at the exit of a thread, and at a fork: of each a check that the profiles pass, and a small
//! counter that has the bug and fails the same check.

#![cfg(all(feature = "std", unix))]
#![allow(missing_docs, reason = "a test")]

use std::alloc::{GlobalAlloc, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering::SeqCst};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use countersign::{AllocProfile, Folding, Llgo, Padded, Sharded, Shared, Slots};

/// Counts events of one kind.
trait Counter: 'static {
    fn record();
    fn counted() -> u64;
}

/// Declares a profile of each layout.
macro_rules! profiles {
    ($($module:ident: $layout:ty = $new:expr;)*) => {
        $(mod $module {
            use super::*;

            countersign::thread_profile! {
                pub(super) static HEAP: AllocProfile<$layout, Llgo> = AllocProfile::new($new);
            }

            impl Counter for HEAP {
                fn record() {
                    HEAP.record_alloc(1);
                }

                fn counted() -> u64 {
                    HEAP.snapshot().totals().allocs
                }
            }
        })*
    };
}

profiles! {
    slots: Slots<{ Llgo::COUNT }> = Slots::new();
    one_slot: Slots<{ Llgo::COUNT }, 1> = Slots::new();
    folding: Folding<{ Llgo::COUNT }> = Folding::new();
    sharded: Sharded<{ Llgo::COUNT }> = Sharded::new();
    padded: Padded<{ Llgo::COUNT }> = Padded::new();
    shared: Shared<{ Llgo::COUNT }> = Shared::new();
}

/// What `$check` says of each of them.
macro_rules! on_each_profile {
    ($check:ident) => {
        [
            ("slots", $check::<slots::HEAP>()),
            ("one slot", $check::<one_slot::HEAP>()),
            ("folding", $check::<folding::HEAP>()),
            ("sharded", $check::<sharded::HEAP>()),
            ("padded", $check::<padded::HEAP>()),
            ("shared", $check::<shared::HEAP>()),
        ]
    };
}

/// The tests count events of the same profiles, and bytes of the same heap.
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

/// accounting-allocator (the crate): what dead threads leave behind is given up only when somebody reads.
mod memory_grows_with_each_dead_thread_until_someone_reads {
    use super::*;

    /// The system's allocator, and the bytes in use.
    struct InUse;

    #[global_allocator]
    static GLOBAL: InUse = InUse;

    static IN_USE: AtomicI64 = AtomicI64::new(0);

    // SAFETY: every call is passed on to `System` as it is.
    unsafe impl GlobalAlloc for InUse {
        unsafe fn alloc(&self, layout: std::alloc::Layout) -> *mut u8 {
            IN_USE.fetch_add(layout.size() as i64, SeqCst);
            // SAFETY: the caller's contract is that of `System`.
            unsafe { System.alloc(layout) }
        }

        unsafe fn dealloc(&self, block: *mut u8, layout: std::alloc::Layout) {
            IN_USE.fetch_sub(layout.size() as i64, SeqCst);
            // SAFETY: the caller's contract is that of `System`.
            unsafe { System.dealloc(block, layout) };
        }
    }

    const THREADS: usize = 500;

    /// By how many bytes the heap grows while threads record and exit, and nobody reads.
    fn growth<C: Counter>() -> i64 {
        let threads = |many| (0..many).for_each(|_| thread::spawn(C::record).join().unwrap());
        threads(100);
        let before = IN_USE.load(SeqCst);
        threads(THREADS);
        IN_USE.load(SeqCst) - before
    }

    /// Less than a counter's eight bytes for each thread. What the test harness allocates meanwhile is less, too.
    const ALLOWED: i64 = 4 * THREADS as i64;

    #[test]
    fn not_by_a_profile() {
        let _alone = alone();
        for (layout, growth) in on_each_profile!(growth) {
            assert!(growth <= ALLOWED, "{layout} grew by {growth} bytes");
        }
    }

    /// Leaves its counts to whoever reads.
    struct KeptUntilRead;

    static LEFT: Mutex<Vec<[u64; 4]>> = Mutex::new(Vec::new());
    static TOTAL: AtomicU64 = AtomicU64::new(0);

    impl Counter for KeptUntilRead {
        fn record() {
            struct Counts(Cell<u64>);
            impl Drop for Counts {
                fn drop(&mut self) {
                    // The fault: there may never be a reader.
                    LEFT.lock().unwrap().push([self.0.get(); 4]);
                }
            }
            thread_local! {
                static COUNTS: Counts = const { Counts(Cell::new(0)) };
            }
            COUNTS.with(|counts| counts.0.set(counts.0.get() + 1));
        }

        fn counted() -> u64 {
            let left = std::mem::take(&mut *LEFT.lock().unwrap());
            let sum: u64 = left.iter().map(|counts| counts[0]).sum();
            TOTAL.fetch_add(sum, SeqCst) + sum
        }
    }

    #[test]
    fn but_by_one_that_leaves_its_counts_to_a_reader() {
        let _alone = alone();
        let growth = growth::<KeptUntilRead>();
        assert!(growth > ALLOWED, "{growth}");
        // No event is lost, and all memory comes back when somebody reads.
        let before = IN_USE.load(SeqCst);
        assert_eq!(KeptUntilRead::counted(), 100 + THREADS as u64);
        assert!(before - IN_USE.load(SeqCst) > ALLOWED);
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

/// jemalloc #2019: a lock that another thread holds when the process forks is held in the child for ever.
mod the_child_of_a_fork_inherits_a_held_lock {
    use super::*;

    const FORKS: usize = 20;

    /// Forks while another thread reads all the time, and has each child record: the first status that is not 0, by which
    /// a child says that it counted wrong, or was ended by its alarm.
    fn failure_of_a_child<C: Counter>(alarm: u32) -> Option<i32> {
        C::record();
        let done = AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(|| {
                while !done.load(SeqCst) {
                    C::counted();
                }
            });
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

    /// `Folding` is not among these: it has a lock, as its documentation says, and registering takes it.
    #[test]
    fn not_of_a_profile_without_locks() {
        let _alone = alone();
        assert_eq!(failure_of_a_child::<slots::HEAP>(AMPLE), None);
        assert_eq!(failure_of_a_child::<one_slot::HEAP>(AMPLE), None);
        assert_eq!(failure_of_a_child::<sharded::HEAP>(AMPLE), None);
        assert_eq!(failure_of_a_child::<padded::HEAP>(AMPLE), None);
        assert_eq!(failure_of_a_child::<shared::HEAP>(AMPLE), None);
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
        let _alone = alone();
        let status = failure_of_a_child::<Locked>(1).expect("no child hung");
        assert!(libc::WIFSIGNALED(status) && libc::WTERMSIG(status) == libc::SIGALRM, "{status}");
    }
}
