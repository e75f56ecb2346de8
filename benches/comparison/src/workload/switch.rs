//! The global allocator of this program: the system's, which can be counted or recorded for a while.
//!
//! All modes run the same code up to one load and one branch, which is the price of having them in one process, in turn.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicUsize, Ordering::Relaxed};

use countersign::CountingAllocator;

#[global_allocator]
static SWITCH: Switch = Switch;

/// What the allocator counts with while it is switched to [`COUNTED`].
pub(crate) static COUNTING: CountingAllocator = CountingAllocator::new();

/// How many sizes a trace has.
const TRACE_LENGTH: usize = 1 << 16;

struct Switch;

/// The system's allocator, bare.
const BARE: u8 = 0;
/// The system's allocator, with every block counted.
const COUNTED: u8 = 1;
/// The system's allocator, with every block noted in the trace while there is room, and counted plainly.
const RECORDING: u8 = 2;

static MODE: AtomicU8 = AtomicU8::new(BARE);
static TRACE: [AtomicU32; TRACE_LENGTH] = [const { AtomicU32::new(0) }; TRACE_LENGTH];
static TRACED: AtomicUsize = AtomicUsize::new(0);

/// Runs `run` with all allocations counted.
pub(crate) fn counted<R>(run: impl FnOnce() -> R) -> R {
    switched(COUNTED, run)
}

/// Runs `run` on this thread alone, and counts its allocs by something simpler than what is measured.
pub(crate) fn allocs_of(run: impl FnOnce()) -> u64 {
    // Relaxed: only this thread is running.
    let before = TRACED.load(Relaxed);
    switched(RECORDING, run);
    // Relaxed: as above.
    (TRACED.load(Relaxed) - before) as u64
}

/// Runs `run`, which ends when there is no room left, and returns the first sizes that were asked for meanwhile.
pub(crate) fn recorded(run: impl FnOnce()) -> Vec<u32> {
    // Relaxed: only this thread is running.
    TRACED.store(0, Relaxed);
    switched(RECORDING, run);
    // Relaxed: only this thread was running.
    TRACE.iter().map(|size| size.load(Relaxed)).collect()
}

/// Whether there is room left in the trace.
pub(crate) fn recording() -> bool {
    // Relaxed: only this thread is running.
    TRACED.load(Relaxed) < TRACE_LENGTH
}

/// Relaxed: threads are started and joined within `run`, so they see the mode of their time.
fn switched<R>(mode: u8, run: impl FnOnce() -> R) -> R {
    MODE.store(mode, Relaxed);
    let result = run();
    MODE.store(BARE, Relaxed);
    result
}

#[cold]
fn trace(size: usize) {
    // Relaxed: only one thread is running.
    let place = TRACED.load(Relaxed);
    TRACED.store(place + 1, Relaxed);
    if let Some(traced) = TRACE.get(place) {
        // No block of this program has 4 GiB.
        traced.store(size as u32, Relaxed);
    }
}

// SAFETY: everything is passed on as it is to the system's allocator, directly or through `COUNTING`, which passes it on
// too: so a block may be allocated in one mode and freed in another.
unsafe impl GlobalAlloc for Switch {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // Relaxed: see `switched`.
        match MODE.load(Relaxed) {
            // SAFETY: the caller keeps the contract of this very method.
            COUNTED => return unsafe { COUNTING.alloc(layout) },
            RECORDING => trace(layout.size()),
            _ => {}
        }
        // SAFETY: the caller keeps the contract of this very method.
        unsafe { System.alloc(layout) }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // Relaxed: see `switched`.
        match MODE.load(Relaxed) {
            // SAFETY: the caller keeps the contract of this very method.
            COUNTED => return unsafe { COUNTING.alloc_zeroed(layout) },
            RECORDING => trace(layout.size()),
            _ => {}
        }
        // SAFETY: the caller keeps the contract of this very method.
        unsafe { System.alloc_zeroed(layout) }
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // Relaxed: see `switched`.
        if MODE.load(Relaxed) == COUNTED {
            // SAFETY: the caller keeps the contract of this very method.
            unsafe { COUNTING.dealloc(block, layout) };
        } else {
            // SAFETY: the caller keeps the contract of this very method.
            unsafe { System.dealloc(block, layout) };
        }
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // Relaxed: see `switched`.
        match MODE.load(Relaxed) {
            // SAFETY: the caller keeps the contract of this very method.
            COUNTED => return unsafe { COUNTING.realloc(block, layout, new_size) },
            RECORDING => trace(new_size),
            _ => {}
        }
        // SAFETY: the caller keeps the contract of this very method.
        unsafe { System.realloc(block, layout, new_size) }
    }
}
