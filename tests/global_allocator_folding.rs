//! `thread_profile!` inside a global allocator whose layout itself allocates when a thread registers, and frees when
//! it exits: each re-enters the profile while the thread-local is being made or destroyed (rust-lang/rust #116390,
//! thread_local-rs #39).

#![cfg(feature = "std")]
#![allow(missing_docs, reason = "a test")]

mod blocks;

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::thread;

use countersign::{AllocProfile, ClassCounts, Folding, Llgo};

#[global_allocator]
static GLOBAL: Counted = Counted;

countersign::thread_profile! {
    static HEAP: AllocProfile<Folding<{ Llgo::COUNT }>, Llgo> = AllocProfile::new(Folding::new());
}

/// Counts into `HEAP`, and once more in two atomics.
struct Counted;

static ALLOCS: AtomicU64 = AtomicU64::new(0);
static FREES: AtomicU64 = AtomicU64::new(0);

// SAFETY: every call is passed on to `System` as it is.
unsafe impl GlobalAlloc for Counted {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCS.fetch_add(1, SeqCst);
        HEAP.record_alloc(layout.size());
        // SAFETY: the caller's contract is that of `System`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        FREES.fetch_add(1, SeqCst);
        HEAP.record_free(layout.size());
        // SAFETY: the caller's contract is that of `System`.
        unsafe { System.dealloc(block, layout) };
    }
}

/// The only test of this binary, so that nobody else allocates for long.
#[test]
fn what_registering_and_exiting_allocate_and_free_is_counted() {
    for _ in 0..100 {
        thread::spawn(|| drop(blocks::block(1_000))).join().unwrap();
    }
    let counted = || (ALLOCS.load(SeqCst), FREES.load(SeqCst));
    let read_undisturbed = || {
        let before = counted();
        let snapshot = HEAP.snapshot();
        (before == counted()).then_some((before, snapshot))
    };
    let ((allocs, frees), snapshot) =
        (0..1_000).find_map(|_| read_undisturbed()).expect("neither a snapshot nor another thread allocates now");
    assert_eq!(snapshot.totals(), ClassCounts { allocs, frees });
    assert!(blocks::counts_of(&snapshot, 1_000) >= (100, 100));
}
