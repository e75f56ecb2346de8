//! `Std` is the standard library: each operation does what its name says.

use std::fmt;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};

use countersign::{Atomic, Lock, Locks, Std};

fn cell(value: u64) -> AtomicU64 {
    <AtomicU64 as Atomic>::new(value)
}

#[test]
fn a_cell_holds_what_was_stored_last() {
    let cell = cell(7);
    assert_eq!((Atomic::load(&cell, Acquire), cell.load_owned()), (7, 7));
    Atomic::store(&cell, 9, Release);
    assert_eq!((Atomic::load(&cell, Relaxed), cell.load_owned()), (9, 9));
}

#[test]
fn a_read_modify_write_gives_the_old_value_and_leaves_the_new_one() {
    let cell = cell(5);
    let seen = |old: u64| (old, Atomic::load(&cell, Relaxed));
    assert_eq!(seen(Atomic::swap(&cell, 8, AcqRel)), (5, 8));
    assert_eq!(seen(Atomic::fetch_add(&cell, 3, Relaxed)), (8, 11));
    assert_eq!(seen(Atomic::fetch_max(&cell, 4, Relaxed)), (11, 11));
    assert_eq!(seen(Atomic::fetch_max(&cell, 20, Relaxed)), (11, 20));
    assert_eq!(seen(Atomic::fetch_add(&cell, u64::MAX, Relaxed)), (20, 19));
}

#[test]
fn a_compare_exchange_writes_only_what_was_hoped_for() {
    let cell = cell(3);
    assert_eq!(Atomic::compare_exchange(&cell, 4, 5, AcqRel, Relaxed), Err(3));
    assert_eq!(Atomic::load(&cell, Relaxed), 3);
    assert_eq!(Atomic::compare_exchange(&cell, 3, 5, AcqRel, Relaxed), Ok(3));
    assert_eq!(Atomic::load(&cell, Relaxed), 5);
}

#[test]
fn a_lock_outlives_a_panic_under_it() {
    type Mutex = <Std as Locks>::Mutex<u64>;
    let lock = <Mutex as Lock<u64>>::new(1);
    let result = std::thread::scope(|scope| {
        let panics = || {
            *Lock::lock(&lock) = 2;
            let _guard = Lock::lock(&lock);
            // Without a message, and without the hook that would print one.
            std::panic::resume_unwind(Box::new(()));
        };
        scope.spawn(panics).join().is_err()
    });
    assert_eq!((result, *Lock::lock(&lock)), (true, 2));
}

/// A name that must not be asked for.
struct Unformatted;

impl fmt::Display for Unformatted {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        panic!("a name was formatted");
    }
}

#[test]
fn a_name_is_never_formatted() {
    let cell = <AtomicU64 as Atomic>::named(7, format_args!("slots[{Unformatted}].owner"));
    let lock = <<Std as Locks>::Mutex<u64> as Lock<u64>>::named(9, format_args!("{Unformatted}"));
    assert_eq!((Atomic::load(&cell, Relaxed), *Lock::lock(&lock)), (7, 9));
}
