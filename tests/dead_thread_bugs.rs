//! A bug that a real counter had with the memory of dead threads: a check that the profiles pass, and a small counter that
//! has the bug and fails the same check.

#![cfg(feature = "std")]
#![allow(missing_docs, reason = "a test")]

mod counters;

use std::alloc::{GlobalAlloc, System};
use std::cell::Cell;
use std::sync::Mutex;
// SeqCst throughout: what goes wrong is not to be put down to an ordering.
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::SeqCst};
use std::thread;

use counters::{Counter, on_each_profile};

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

    /// Less than a counter's eight bytes for each thread.
    const ALLOWED: i64 = 4 * THREADS as i64;

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

    /// The only test of this binary: what the test harness allocates when another one ends would be measured too.
    #[test]
    fn not_by_a_profile_but_by_one_that_leaves_its_counts_to_a_reader() {
        for (layout, growth) in on_each_profile!(growth) {
            assert!(growth <= ALLOWED, "{layout} grew by {growth} bytes");
        }
        let growth = growth::<KeptUntilRead>();
        assert!(growth > ALLOWED, "{growth}");
        // No event is lost, and all memory comes back when somebody reads.
        let before = IN_USE.load(SeqCst);
        assert_eq!(KeptUntilRead::counted(), 100 + THREADS as u64);
        assert!(before - IN_USE.load(SeqCst) > ALLOWED);
    }
}
