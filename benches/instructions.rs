//! What `.ci/jobs/instructions` counts the instructions of: one warm record, beside the least that it could be.
//!
//! Each subject is a function of its own, never inlined, called [`CALLS`] times after its thread has warmed up. The
//! sizes go through all classes.

#![allow(missing_docs, reason = "a measurement")]

use std::alloc::{GlobalAlloc, Layout};
use std::cell::Cell;
use std::hint::black_box;
use std::ptr::without_provenance_mut;

use countersign::{AllocProfile, CountingAllocator, Llgo, SizeClasses, Slots};

const CALLS: usize = 1_000;

countersign::thread_profile! {
    static HEAP: AllocProfile<Slots<{ Llgo::COUNT }>, Llgo> = AllocProfile::new(Slots::new());
}

static COUNTING: CountingAllocator<Constant> = CountingAllocator::over(Constant);

thread_local! {
    static PLAIN: [Cell<u64>; Llgo::COUNT] = const { [const { Cell::new(0) }; Llgo::COUNT] };
}

#[unsafe(no_mangle)]
#[inline(never)]
fn subject_floor(size: usize) {
    count_plainly(size);
}

#[unsafe(no_mangle)]
#[inline(never)]
fn subject_record_alloc(size: usize) {
    HEAP.record_alloc(size);
}

#[unsafe(no_mangle)]
#[inline(never)]
fn subject_record_free(size: usize) {
    HEAP.record_free(size);
}

#[unsafe(no_mangle)]
#[inline(never)]
fn subject_allocator_floor(layout: Layout) -> *mut u8 {
    count_plainly(layout.size());
    // SAFETY: any layout will do for this one.
    unsafe { Constant.alloc(layout) }
}

#[unsafe(no_mangle)]
#[inline(never)]
fn subject_allocator_counted(layout: Layout) -> *mut u8 {
    // SAFETY: any layout will do for the wrapped one.
    unsafe { COUNTING.alloc(layout) }
}

/// The floor: an integer of the thread's own, found by the class, plus one.
#[inline(always)]
fn count_plainly(size: usize) {
    PLAIN.with(|cells| {
        let cell = &cells[Llgo::index(size as u64)];
        cell.set(cell.get() + 1);
    });
}

/// An allocator that does nothing, so that what is left of a call is the counting.
struct Constant;

// SAFETY: nobody uses the blocks.
unsafe impl GlobalAlloc for Constant {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        without_provenance_mut(layout.align())
    }

    #[inline]
    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
}

fn main() {
    // The thread takes its slots here, and not in a subject.
    HEAP.record_alloc(black_box(1));
    let layout = Layout::new::<u64>();
    // SAFETY: as in the subject.
    black_box(unsafe { COUNTING.alloc(black_box(layout)) });

    for call in 0..CALLS {
        let size = black_box(1 << (call % 31));
        subject_floor(size);
        subject_record_alloc(size);
        subject_record_free(size);
        if let Ok(layout) = Layout::from_size_align(size, 8) {
            black_box(subject_allocator_floor(layout));
            black_box(subject_allocator_counted(layout));
        }
    }
    assert_eq!(HEAP.snapshot().totals().allocs, 1 + CALLS as u64);
    assert_eq!(COUNTING.snapshot().totals().allocs, 1 + CALLS as u64);
    assert_eq!(PLAIN.with(|cells| cells.iter().map(Cell::get).sum::<u64>()), 2 * CALLS as u64);
    println!("calls {CALLS}");
}
