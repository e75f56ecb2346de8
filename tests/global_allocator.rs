//! `CountingAllocator` counts each call exactly, and passes it on as it is.

#![cfg(feature = "std")]
#![allow(missing_docs, reason = "a test")]

use std::alloc::{GlobalAlloc, Layout, System, alloc, alloc_zeroed, dealloc, realloc};
use std::cell::Cell;
use std::hint::black_box;
use std::io::Write;

use countersign::{CountingAllocator, Difference, Llgo, SizeClasses};

#[global_allocator]
static GLOBAL: CountingAllocator<Reluctant> = CountingAllocator::over(Reluctant);

/// Notes which method was called and with which layout, and returns null when told to.
struct Reluctant;

thread_local! {
    static REFUSES: Cell<bool> = const { Cell::new(false) };
    static LAST_CALL: Cell<(&'static str, usize, usize)> = const { Cell::new(("", 0, 0)) };
}

impl Reluctant {
    fn grants(method: &'static str, layout: Layout) -> bool {
        LAST_CALL.set((method, layout.size(), layout.align()));
        !REFUSES.get()
    }
}

// SAFETY: every call is passed on to `System` as it is, or refused with null, as any may be.
unsafe impl GlobalAlloc for Reluctant {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's contract is that of `System`.
        if Self::grants("alloc", layout) { unsafe { System.alloc(layout) } } else { std::ptr::null_mut() }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's contract is that of `System`.
        if Self::grants("alloc_zeroed", layout) { unsafe { System.alloc_zeroed(layout) } } else { std::ptr::null_mut() }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        Self::grants("dealloc", layout);
        // SAFETY: the caller's contract is that of `System`.
        unsafe { System.dealloc(block, layout) };
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        if !Self::grants("realloc", layout) {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller's contract is that of `System`.
        unsafe { System.realloc(block, layout, new_size) }
    }
}

/// Runs `run` and returns its result with the allocs and the frees counted, by the upper bounds of the classes.
fn counted<R>(run: impl FnOnce() -> R) -> (R, Vec<u64>, Vec<u64>) {
    let (result, events) = GLOBAL.allocs_in(run).unwrap();
    let list = |count: fn(&Difference<{ Llgo::COUNT }>, usize) -> u64| {
        let classes = 0..Llgo::COUNT;
        classes
            .flat_map(|class| std::iter::repeat_n(Llgo::UPPER_BOUNDS[class], count(&events, class) as usize))
            .collect()
    };
    (result, list(|events, class| events.classes()[class].allocs), list(|events, class| events.classes()[class].frees))
}

fn layout(size: usize, align: usize) -> Layout {
    Layout::from_size_align(size, align).unwrap()
}

/// What happens while the allocator refuses every call.
fn while_refusing<R>(run: impl FnOnce() -> R) -> R {
    REFUSES.set(true);
    let result = run();
    REFUSES.set(false);
    result
}

#[test]
fn an_alloc_and_its_free_are_one_event_each() {
    let (block, allocs, frees) = counted(|| {
        // SAFETY: the size is not zero.
        let block = black_box(unsafe { alloc(layout(100, 1)) });
        assert_eq!(LAST_CALL.get(), ("alloc", 100, 1));
        block
    });
    assert_eq!((allocs, frees), (vec![128], vec![]));
    let ((), allocs, frees) = counted(|| {
        // SAFETY: allocated above with the same layout.
        unsafe { dealloc(block, layout(100, 1)) };
        assert_eq!(LAST_CALL.get(), ("dealloc", 100, 1));
    });
    assert_eq!((allocs, frees), (vec![], vec![128]));
}

#[test]
fn a_zeroed_block_is_counted_like_any_other() {
    let (block, allocs, frees) = counted(|| {
        // SAFETY: the size is not zero.
        let block = black_box(unsafe { alloc_zeroed(layout(5_000, 8)) });
        assert_eq!(LAST_CALL.get(), ("alloc_zeroed", 5_000, 8));
        block
    });
    assert_eq!((allocs, frees), (vec![8_192], vec![]));
    // SAFETY: allocated above with the same layout and size.
    unsafe {
        assert!(std::slice::from_raw_parts(block, 5_000).iter().all(|byte| *byte == 0));
        dealloc(block, layout(5_000, 8));
    }
}

#[test]
fn a_realloc_is_a_free_of_the_old_size_and_an_alloc_of_the_new() {
    // SAFETY: the size is not zero, and the block is always passed with the layout that it has at the time.
    unsafe {
        let block = alloc(layout(32, 1));
        let (block, allocs, frees) = counted(|| {
            let block = black_box(realloc(block, layout(32, 1), 33));
            assert_eq!(LAST_CALL.get(), ("realloc", 32, 1));
            block
        });
        assert_eq!((allocs, frees), (vec![64], vec![32]), "growing");
        let (block, allocs, frees) = counted(|| black_box(realloc(block, layout(33, 1), 64)));
        assert_eq!((allocs, frees), (vec![64], vec![64]), "growing within a class");
        let (block, allocs, frees) = counted(|| black_box(realloc(block, layout(64, 1), 1)));
        assert_eq!((allocs, frees), (vec![16], vec![64]), "shrinking");
        dealloc(block, layout(1, 1));
    }
}

#[test]
fn a_call_that_failed_counts_nothing() {
    // SAFETY: the sizes are not zero, and a block whose `realloc` failed is still there as it was.
    unsafe {
        let (block, allocs, frees) = counted(|| while_refusing(|| black_box(alloc(layout(64, 1)))));
        assert_eq!((block.is_null(), allocs, frees), (true, vec![], vec![]));
        let (block, allocs, frees) = counted(|| while_refusing(|| black_box(alloc_zeroed(layout(64, 1)))));
        assert_eq!((block.is_null(), allocs, frees), (true, vec![], vec![]));

        let block = alloc(layout(64, 1));
        let (moved, allocs, frees) = counted(|| while_refusing(|| black_box(realloc(block, layout(64, 1), 1_000))));
        assert_eq!((moved.is_null(), allocs, frees), (true, vec![], vec![]));
        dealloc(block, layout(64, 1));
    }
}

/// Rounding the size up to the alignment would put both events into a class that nothing was asked of
/// (microsoft/snmalloc #752).
#[test]
fn the_alignment_does_not_enter() {
    for align in (0..=16).map(|shift| 1 << shift) {
        let (block, allocs, frees) = counted(|| {
            // SAFETY: the size is not zero.
            let block = black_box(unsafe { alloc(layout(100, align)) });
            assert_eq!(LAST_CALL.get(), ("alloc", 100, align));
            block
        });
        assert!(block.addr().is_multiple_of(align));
        assert_eq!((allocs, frees), (vec![128], vec![]), "alignment {align}");
        // SAFETY: allocated above with the same layout.
        unsafe { dealloc(block, layout(100, align)) };
    }
}

#[test]
fn what_has_no_size_is_not_allocated() {
    let (empty, allocs, frees) = counted(|| black_box((Box::new(()), Vec::<u64>::new(), String::new())));
    drop(empty);
    assert_eq!((allocs, frees), (vec![], vec![]));
}

#[test]
fn reading_allocates_nothing() {
    let mut text = [0_u8; 4_096];
    let (written, allocs, frees) = counted(|| write!(text.as_mut_slice(), "{}", GLOBAL.snapshot()).is_ok());
    assert_eq!((written, allocs, frees), (true, vec![], vec![]));
    assert!(text.starts_with(b"class"));
}

#[test]
fn the_largest_sizes_are_in_the_last_class() {
    let size = 3 << 30;
    // Its pages are never touched.
    let (block, allocs, frees) = counted(|| black_box(Vec::<u8>::with_capacity(size)));
    assert_eq!((block.capacity(), allocs, frees), (size, vec![1 << 30], vec![]));
}

#[test]
fn a_closure_is_counted_apart_from_what_is_around_it() {
    let boxed = Box::new([0_u8; 40]);
    let ((inner, kept), allocs, frees) = counted(|| {
        drop(boxed);
        let kept = black_box(Box::new([0_u8; 300]));
        std::thread::scope(|scope| scope.spawn(|| drop(black_box(vec![0_u8; 70_000]))).join().unwrap());
        (counted(|| black_box(Box::new([0_u8; 3_000]))), kept)
    });
    drop(kept);
    assert_eq!((inner.1, inner.2), (vec![4_096], vec![]));
    assert!(allocs.contains(&512) && allocs.contains(&4_096) && frees.contains(&64), "{allocs:?} {frees:?}");
    assert!(!allocs.contains(&131_072) && !frees.contains(&131_072), "another thread's: {allocs:?} {frees:?}");
}

#[test]
fn a_panic_in_the_closure_is_passed_on_and_spoils_nothing() {
    let panicked = std::panic::catch_unwind(|| GLOBAL.allocs_in(|| std::panic::resume_unwind(Box::new("out"))));
    assert_eq!(*panicked.unwrap_err().downcast::<&str>().unwrap(), "out");
    let (boxed, allocs, frees) = counted(|| black_box(Box::new(1_u8)));
    drop(boxed);
    assert_eq!((allocs, frees), (vec![16], vec![]));
}
