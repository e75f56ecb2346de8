//! `CountingAllocator` before `main` begins and after it has ended.

#![cfg(all(feature = "std", target_os = "linux"))]
#![allow(missing_docs, reason = "a test")]

mod blocks;

use std::process::Command;

use blocks::{block, counts_of};
use countersign::CountingAllocator;

#[global_allocator]
static GLOBAL: CountingAllocator = CountingAllocator::new();

const MIB: usize = 1 << 20;

const BEFORE_MAIN: usize = 2 * MIB;
const LATE: usize = 4 * MIB;
const AT_EXIT: usize = 8 * MIB;

/// Set for the child process that exits.
const EXITS: &std::ffi::CStr = c"COUNTERSIGN_TEST_EXITS";

#[used]
// SAFETY: the section holds pointers to such functions; the loader calls them on the main thread before `main`.
#[unsafe(link_section = ".init_array")]
static CALLED_BEFORE_MAIN: extern "C" fn() = before_main;

extern "C" fn before_main() {
    drop(block(BEFORE_MAIN));
    // SAFETY: nothing changes the environment at this time.
    if !unsafe { libc::getenv(EXITS.as_ptr()) }.is_null() {
        LATE_ON_MAIN.with(|_| ());
        // SAFETY: the handler is a function that does not unwind.
        unsafe {
            libc::atexit(at_exit);
            libc::exit(2);
        }
    }
}

/// Allocates when the main thread's locals are destroyed.
struct Late;

impl Drop for Late {
    fn drop(&mut self) {
        drop(block(LATE));
    }
}

thread_local! {
    static LATE_ON_MAIN: Late = const { Late };
}

/// The exit code for right counts.
const COUNTED: i32 = 40;
/// The exit code for wrong counts, to which one is added for each class that is wrong.
const NOT_COUNTED: i32 = 50;

/// The main thread's locals are destroyed by now, among them what would release its slot.
extern "C" fn at_exit() {
    drop(block(AT_EXIT));
    let snapshot = GLOBAL.snapshot();
    let is_wrong = |size: &usize| counts_of(&snapshot, *size) != (1, 1);
    let wrong = [BEFORE_MAIN, LATE, AT_EXIT].iter().filter(|size| is_wrong(size)).count() as i32;
    let measured = GLOBAL.allocs_in(|| ());
    // SAFETY: ends the process.
    unsafe { libc::_exit(if wrong == 0 && measured.is_err() { COUNTED } else { NOT_COUNTED + wrong }) };
}

#[test]
fn events_before_main_are_counted() {
    assert_eq!(counts_of(&GLOBAL.snapshot(), BEFORE_MAIN), (1, 1));
}

#[test]
fn events_of_a_process_that_exits_are_counted() {
    let status = Command::new(std::env::current_exe().unwrap()).env(EXITS.to_str().unwrap(), "1").status().unwrap();
    assert_eq!(status.code(), Some(COUNTED), "{NOT_COUNTED} and more: that many classes were counted wrong");
}
