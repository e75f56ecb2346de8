//! How many bytes of the heap are in use: what "memory is flat" is judged by.

#![allow(unsafe_code, reason = "`GlobalAlloc` is an unsafe trait, and what it wraps has unsafe methods")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::hint::black_box;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::AtomicI64;
use std::sync::atomic::Ordering::Relaxed;

/// The operating system's allocator, which counts the bytes in use while a [stress](super) runs. A program that runs one
/// makes it its global allocator, as the binary `countersign` does.
///
/// It is no [`countersign::CountingAllocator`]: what is judged must not be the judge.
#[derive(Clone, Copy, Debug)]
pub struct CountedHeap;

/// Whether anybody wants to know. While nobody does, an allocation costs one load more.
static IS_COUNTING: AtomicBool = AtomicBool::new(false);

/// Bytes allocated less bytes freed, since counting began: less than zero if what is older was freed.
static IN_USE: AtomicI64 = AtomicI64::new(0);

/// Counts from now on.
pub(super) fn begin() {
    // Relaxed: the blocks that are compared are those of threads that the caller starts later.
    IS_COUNTING.store(true, Relaxed);
}

/// The bytes in use. Exact for the threads that the caller has joined.
pub(super) fn in_use() -> i64 {
    // Relaxed: joining a thread brings its additions along.
    IN_USE.load(Relaxed)
}

/// Whether [`CountedHeap`] is the global allocator of this program.
pub(super) fn is_counted() -> bool {
    let before = in_use();
    let block = black_box(vec![0_u8; PROBE]);
    // Other threads may free meanwhile, but hardly that much.
    let is_counted = in_use() - before > PROBE as i64 / 2;
    drop(block);
    is_counted
}

const PROBE: usize = 1 << 20;

fn add(bytes: usize, sign: i64) {
    // Relaxed, both: a count that threads only add to, and which adds no edge between them.
    if IS_COUNTING.load(Relaxed) {
        IN_USE.fetch_add(sign * bytes as i64, Relaxed);
    }
}

// SAFETY: every method passes its arguments on as they are and returns what the system's allocator returned.
unsafe impl GlobalAlloc for CountedHeap {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        add(layout.size(), 1);
        // SAFETY: the caller keeps the contract of this very method.
        unsafe { System.alloc(layout) }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        add(layout.size(), 1);
        // SAFETY: the caller keeps the contract of this very method.
        unsafe { System.alloc_zeroed(layout) }
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        add(layout.size(), -1);
        // SAFETY: the caller keeps the contract of this very method.
        unsafe { System.dealloc(block, layout) };
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        add(layout.size(), -1);
        add(new_size, 1);
        // SAFETY: the caller keeps the contract of this very method.
        unsafe { System.realloc(block, layout, new_size) }
    }
}
