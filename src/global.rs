//! A global allocator that counts every block by its size.
//!
//! The counters are a profile made by [`thread_profile!`](crate::thread_profile), so everything about threads is its
//! protocol: a thread takes a slot at its first event, gives it back when it exits, and counts in the shared cells
//! before and after. None of that allocates through the global allocator on this crate's behalf; where the standard
//! library does, to note a thread-local's destructor, those blocks are counted like all others.

#![allow(unsafe_code, reason = "`GlobalAlloc` is an unsafe trait, and what it wraps has unsafe methods")]

use core::error::Error;
use core::fmt;
use std::alloc::{GlobalAlloc, Layout, System};

use crate::event::Event;
use crate::layout::{Slots, SlotsHandle};
use crate::primitives::Std;
use crate::profile::AllocProfile;
use crate::size_class::{Llgo, SizeClasses};
use crate::snapshot::{Difference, Snapshot};

/// Passes everything on to the allocator `A`, and counts the blocks by their size.
///
/// ```
/// use countersign::CountingAllocator;
///
/// #[global_allocator]
/// static GLOBAL: CountingAllocator = CountingAllocator::new();
///
/// fn main() {
///     let (squares, events) = GLOBAL.allocs_in(|| (0..100_u64).map(|n| n * n).collect::<Vec<_>>()).unwrap();
///     assert_eq!((events.totals().allocs, events.totals().frees), (1, 0)); // one block, of the right size at once
///     drop(squares);
///     println!("{}", GLOBAL.snapshot());
/// }
/// ```
///
/// # What is counted
///
/// - A block that was allocated, zeroed or not, is an alloc of the size that was asked for, in the class of [`Llgo`]
///   that has it. The alignment does not enter, nor does what the allocator made of the size.
/// - A block that was freed is a free of the same size, so a class's allocs less its frees are its blocks in use.
/// - `realloc` is a free of the old size and an alloc of the new one, whether the block moved or not, and in one class
///   too.
/// - A call that failed (it returned null) counts nothing.
///
/// Everything that this process did through its global allocator since before `main` is counted: by threads that Rust
/// did not make, by thread-locals' destructors, by handlers of `exit`, and by those who have exited. Memory that did
/// not come from there (C code's `malloc`, the stacks of threads) is not.
///
/// # Threads
///
/// A thread that records takes one of 64 slots at its first event and gives it back when it exits; its records are plain
/// increments there. While all slots are taken, and after its thread-locals were destroyed, its events go to cells that
/// all threads share, by an atomic addition. Counts are exact either way, and at every moment, as the contract of
/// [`Layout`](crate::Layout) says.
///
/// A slot is given back by the destructor of a thread-local. A thread that allocates for the very first time when those
/// were already called keeps its slot for good: with glibc, one whose first allocation is in a destructor given to
/// `pthread_key_create`.
///
/// In the child of a `fork` counting goes on from the parent's counts: there is no lock that a lost thread could have
/// held. The slots of the threads that the child lacks stay taken there.
///
/// There is one set of counters in a program, as there is one global allocator: several `CountingAllocator`s add to the
/// same counts.
///
/// Before Rust 1.93 a global allocator may not register thread-locals' destructors where the standard library lists
/// them itself (with glibc it does not): a thread whose very first allocation is the one for that list is aborted there.
///
/// # Coming from another counter
///
/// *`stats_alloc`*: `GLOBAL.snapshot()` twice and [`Snapshot::since`] are its `Region`; counts are by size class in place
/// of sums of bytes; there are no reallocations, but a free and an alloc for each; no locked instruction is executed on
/// the way, and [`allocs_in`](Self::allocs_in) leaves other threads' events out, so tests may run in parallel.
///
/// *`dhat`*: blocks are counted by size class in place of `total_blocks` and `curr_blocks`, and no profiler has to be
/// alive. There are no backtraces, no exact bytes and no peak.
#[derive(Clone, Copy, Debug, Default)]
pub struct CountingAllocator<A = System> {
    inner: A,
}

/// The calling thread has no slot of its own: see [`CountingAllocator::allocs_in`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoSlotError {
    _private: (),
}

impl CountingAllocator {
    /// Counts on top of the operating system's allocator.
    pub const fn new() -> Self {
        Self::over(System)
    }
}

impl<A> CountingAllocator<A> {
    /// Counts on top of `inner`.
    pub const fn over(inner: A) -> Self {
        Self { inner }
    }

    /// Counts the events of the whole process, at any time and while others record.
    pub fn snapshot(&self) -> Snapshot<{ Llgo::COUNT }> {
        PROFILE.snapshot()
    }

    /// Runs `run`, and counts exactly the events that the calling thread records meanwhile.
    ///
    /// Events of other threads are left out, those that `run` itself starts included. What `run` returns is freed, if at
    /// all, after the counting.
    ///
    /// # Errors
    ///
    /// If the calling thread has no slot of its own, so that its events cannot be told from those of others. `run` was
    /// not called then.
    pub fn allocs_in<R>(&self, run: impl FnOnce() -> R) -> Result<(R, Difference<{ Llgo::COUNT }>), NoSlotError> {
        let slot = own_slot().ok_or(NoSlotError { _private: () })?;
        let before = slot.counts();
        let result = run();
        // The slot is still this thread's: it is released by a destructor of a thread-local, and those run one after
        // another, never within each other.
        let events = Difference::between(&before, &slot.counts(), Llgo::UPPER_BOUNDS);
        Ok((result, events))
    }
}

// SAFETY: every method passes its arguments on as they are and returns what the wrapped allocator returned, which keeps
// the contract. Counting neither unwinds nor calls the global allocator, save where the standard library notes the
// destructor of the thread-local (see the module): that call finds the thread registering and counts in the shared cells.
unsafe impl<A: GlobalAlloc> GlobalAlloc for CountingAllocator<A> {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of this very method.
        let block = unsafe { self.inner.alloc(layout) };
        if !block.is_null() {
            record(Event::Alloc, layout.size());
        }
        block
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of this very method.
        let block = unsafe { self.inner.alloc_zeroed(layout) };
        if !block.is_null() {
            record(Event::Alloc, layout.size());
        }
        block
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        record(Event::Free, layout.size());
        // SAFETY: the caller keeps the contract of this very method.
        unsafe { self.inner.dealloc(block, layout) };
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // SAFETY: the caller keeps the contract of this very method.
        let moved = unsafe { self.inner.realloc(block, layout, new_size) };
        if !moved.is_null() {
            record(Event::Free, layout.size());
            record(Event::Alloc, new_size);
        }
        moved
    }
}

impl fmt::Display for NoSlotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "this thread has no slot of its own, so its events cannot be told from those of other threads: either the \
             slots are all taken by threads that are alive (measure before starting so many), or the thread's locals are \
             being destroyed (measure before it exits)",
        )
    }
}

impl Error for NoSlotError {}

crate::thread_profile! {
    static PROFILE: AllocProfile<Slots<{ Llgo::COUNT }>, Llgo> = AllocProfile::new(Slots::new());
}

/// Records one event of a block, which has bytes: `GlobalAlloc` leaves it to its callers that no block has none.
#[inline(always)]
fn record(event: Event, size: usize) {
    PROFILE.keys().record(PROFILE.profile().layout(), event, Llgo::index(size as u64));
}

/// The slot that the calling thread owns, which it takes if it has recorded nothing yet.
fn own_slot() -> Option<SlotsHandle<'static, { Llgo::COUNT }, Std>> {
    PROFILE.keys().handle(PROFILE.profile().layout())
}
