//! Bugs that thread-locals bring into a global allocator that counts: of each a check that the profiles pass, and a small
//! counter that has the bug and fails the same check. A check is a process of its own, which may abort.

#![cfg(all(feature = "std", unix))]
#![allow(missing_docs, reason = "a test")]

mod blocks;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::env;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::OnceLock;
// SeqCst throughout: what goes wrong is not to be put down to an ordering.
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::thread;
use std::time::{Duration, Instant};

use blocks::block;
use countersign::{AllocProfile, Event, Folding, Llgo, Slots};

/// The size of the blocks that are looked for; no other is so large.
const SIZE: usize = 1 << 24;

/// Counts the blocks of the global allocator.
#[derive(Clone, Copy)]
struct Counter {
    name: &'static str,
    record: fn(Event, usize),
    /// The allocs and the frees of `SIZE`.
    counted: fn() -> (u64, u64),
}

const COUNTERS: [Counter; 4] = [
    Counter { name: "slots", record: slots::record, counted: slots::counted },
    Counter { name: "folding", record: folding::record, counted: folding::counted },
    Counter { name: "destroyed_locals", record: destroyed_locals::record, counted: naive_total },
    Counter { name: "lazy_locals", record: lazy_locals::record, counted: naive_total },
];

/// The counter of this process, if it is one that checks.
static CHECKED: OnceLock<Counter> = OnceLock::new();

struct Counted;

#[global_allocator]
static GLOBAL: Counted = Counted;

// SAFETY: every call is passed on to `System` as it is.
unsafe impl GlobalAlloc for Counted {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if let Some(counter) = CHECKED.get() {
            (counter.record)(Event::Alloc, layout.size());
        }
        // SAFETY: the caller's contract is that of `System`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if let Some(counter) = CHECKED.get() {
            (counter.record)(Event::Free, layout.size());
        }
        // SAFETY: the caller's contract is that of `System`.
        unsafe { System.dealloc(block, layout) };
    }
}

/// Names the counter, for a process that checks.
const COUNTER: &str = "COUNTERSIGN_TEST_COUNTER";

const THREADS: u64 = 50;

/// Threads allocate and free, and their counts are right.
#[test]
#[ignore = "the other tests run it, each in a process of its own"]
fn check() {
    let name = env::var(COUNTER).expect("the counter is named");
    let counter = COUNTERS.into_iter().find(|counter| counter.name == name).expect("there is such a counter");
    let started = CHECKED.set(counter);
    assert!(started.is_ok());
    for _ in 0..THREADS {
        thread::spawn(|| drop(block(SIZE))).join().unwrap();
    }
    assert_eq!((counter.counted)(), (THREADS, THREADS));
}

/// How a process ends that checks the counter of this name.
fn end_of_check(name: &str) -> ExitStatus {
    let mut command = Command::new(env::current_exe().unwrap());
    command.args(["--exact", "check", "--ignored"]).env(COUNTER, name).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let deadline = Instant::now() + Duration::from_secs(120);
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        if Instant::now() > deadline {
            child.kill().unwrap();
            return child.wait().unwrap();
        }
        thread::sleep(Duration::from_millis(5));
    }
}

#[track_caller]
fn passes(name: &str) {
    let status = end_of_check(name);
    assert!(status.success(), "{name}: {status}");
}

/// A wrong count or a hang would be another bug than that which is meant.
#[track_caller]
fn aborts(name: &str) {
    let status = end_of_check(name);
    assert!([Some(libc::SIGABRT), Some(libc::SIGSEGV)].contains(&status.signal()), "{name}: {status}");
}

/// thread_local-rs #39: the destructor of a thread-local frees memory, and the allocator that counts it asks for the same
/// thread-local.
#[test]
fn teardown_frees_memory_and_re_enters_the_thread_local() {
    passes("slots");
    passes("folding");
    aborts("destroyed_locals");
}

/// rust-lang/rust #116390: the first touch of a thread-local allocates, and the allocator that counts it touches the
/// thread-local for the first time.
#[test]
fn the_first_touch_allocates_and_recurses() {
    passes("slots");
    passes("folding");
    aborts("lazy_locals");
}

/// Declares a profile and what a [`Counter`] asks of it.
macro_rules! profile {
    ($module:ident: $layout:ty = $new:expr) => {
        mod $module {
            use super::*;

            countersign::thread_profile! {
                static HEAP: AllocProfile<$layout, Llgo> = AllocProfile::new($new);
            }

            pub(super) fn record(event: Event, size: usize) {
                match event {
                    Event::Alloc => HEAP.record_alloc(size),
                    Event::Free => HEAP.record_free(size),
                }
            }

            pub(super) fn counted() -> (u64, u64) {
                blocks::counts_of(&HEAP.snapshot(), SIZE)
            }
        }
    };
}

profile!(slots: Slots<{ Llgo::COUNT }> = Slots::new());
// Allocates when a thread registers, and frees when it exits.
profile!(folding: Folding<{ Llgo::COUNT }> = Folding::new());

static NAIVE_TOTAL: [AtomicU64; 2] = [const { AtomicU64::new(0) }; 2];

fn naive_total() -> (u64, u64) {
    (NAIVE_TOTAL[0].load(SeqCst), NAIVE_TOTAL[1].load(SeqCst))
}

fn add_to_naive_total(event: Event, size: usize) {
    if size == SIZE {
        NAIVE_TOTAL[event as usize].fetch_add(1, SeqCst);
    }
}

/// A thread-local that owns a block, and is asked for when that is freed.
mod destroyed_locals {
    use super::*;

    struct Local {
        has_block: Cell<bool>,
        block: Cell<Option<Box<u64>>>,
    }

    thread_local! {
        static LOCAL: Local = const { Local { has_block: Cell::new(false), block: Cell::new(None) } };
    }

    pub(super) fn record(event: Event, size: usize) {
        // The fault: there is a time at which there is no local any more.
        LOCAL.with(|local| {
            if !local.has_block.replace(true) {
                local.block.set(Some(Box::new(0)));
            }
        });
        add_to_naive_total(event, size);
    }
}

/// A thread-local that is a block.
mod lazy_locals {
    use super::*;

    thread_local! {
        static LOCAL: Box<Cell<u64>> = Box::new(Cell::new(0));
    }

    pub(super) fn record(event: Event, size: usize) {
        // The fault: who touches it first allocates, and comes here again.
        let _ = LOCAL.try_with(|events| events.set(events.get() + 1));
        add_to_naive_total(event, size);
    }
}
