//! Plain memory that one thread hands to another by nothing but a layout's own edges: who counts a free may look at what
//! was done before it, and who adopts a slot at what its owner did. On its own a test here checks values, and on x86 no
//! ordering could make them wrong; `.ci/jobs/tsan` runs it under ThreadSanitizer, which reports the access that no edge
//! orders, on any machine.

#![cfg(feature = "std")]
#![allow(missing_docs, reason = "a test")]

use std::cell::UnsafeCell;
use std::hint::black_box;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::thread;

use countersign::{
    ClassCounts, Counts, Event, Folding, Layout, LendHandle, Lock, Locks, Padded, Primitives, Recorder, Sharded,
    Shared, Slots, Snapshot,
};

/// Memory that is not atomic.
struct Plain(UnsafeCell<u64>);

// SAFETY: that no two threads access it at once is what is tested.
unsafe impl Sync for Plain {}

impl Plain {
    fn new() -> Self {
        Self(UnsafeCell::new(0))
    }

    fn write(&self, value: u64) {
        // SAFETY: see above.
        unsafe { *self.0.get() = value };
    }

    fn read(&self) -> u64 {
        // SAFETY: see above.
        unsafe { *self.0.get() }
    }
}

const ROUNDS: u64 = 200;

/// A value for ever: the end of its life would need an edge of its own.
fn leaked<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

/// What is written before a free is there for who counts the free.
fn who_counts_a_free_sees_what_was_before_it<L: Layout>(through_recorder: bool) {
    for round in 1..=ROUNDS {
        let (layout, plain) = (leaked(L::default()), leaked(Plain::new()));
        let thread = thread::spawn(move || {
            if through_recorder {
                let recorder = layout.register();
                recorder.record(Event::Alloc, 0);
                plain.write(round);
                recorder.record(Event::Free, 0);
            } else {
                plain.write(round);
                layout.record(Event::Free, 0);
            }
        });
        while layout.snapshot().classes()[0].frees == 0 {
            thread::yield_now();
        }
        assert_eq!(plain.read(), round);
        thread.join().unwrap();
    }
}

/// What the owner of a slot wrote is there for who adopts it.
#[test]
fn who_adopts_a_slot_sees_what_its_owner_did() {
    for round in 1..=ROUNDS {
        let (slots, plain) = (leaked(Slots::<1, 1>::new()), leaked(Plain::new()));
        let own = slots.register();
        let thread = thread::spawn(move || {
            while slots.register().handle().is_none() {
                thread::yield_now();
            }
            assert_eq!(plain.read(), round);
        });
        plain.write(round);
        drop(own);
        thread.join().unwrap();
    }
}

macro_rules! on_each_layout {
    ($($layout:ident: $type:ty;)*) => {
        $(#[test]
        fn $layout() {
            who_counts_a_free_sees_what_was_before_it::<$type>(true);
            who_counts_a_free_sees_what_was_before_it::<$type>(false);
        })*
    };
}

on_each_layout! {
    slots: Slots<1, 2>;
    folding: Folding<1>;
    folding_over_a_spin_lock: Folding<1, Spinning>;
    sharded: Sharded<1, 2>;
    padded: Padded<1>;
    shared: Shared<1>;
}

/// `Std`, with a lock all of whose steps are in this file: those of std's own mutex are not all instrumented.
enum Spinning {}

impl Primitives for Spinning {
    type AtomicU64 = AtomicU64;
}

impl Locks for Spinning {
    type Mutex<T: Send + 'static> = Spin<T>;
}

struct Spin<T> {
    is_locked: AtomicBool,
    data: UnsafeCell<T>,
}

// SAFETY: `lock` gives access to one thread at a time.
unsafe impl<T: Send> Sync for Spin<T> {}

struct SpinGuard<'a, T>(&'a Spin<T>);

impl<T: Send + 'static> Lock<T> for Spin<T> {
    type Guard<'a> = SpinGuard<'a, T>;

    fn new(value: T) -> Self {
        Self { is_locked: AtomicBool::new(false), data: UnsafeCell::new(value) }
    }

    fn lock(&self) -> SpinGuard<'_, T> {
        // Acquire, with the Release of the guard's drop: the next holder sees what the last one did.
        while self.is_locked.swap(true, Acquire) {
            thread::yield_now();
        }
        SpinGuard(self)
    }
}

impl<T> Deref for SpinGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: the lock is held.
        unsafe { &*self.0.data.get() }
    }
}

impl<T> DerefMut for SpinGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: the lock is held.
        unsafe { &mut *self.0.data.get() }
    }
}

impl<T> Drop for SpinGuard<'_, T> {
    fn drop(&mut self) {
        // Release, with the Acquire of `lock`.
        self.0.is_locked.store(false, Release);
    }
}

/// One counter, whose free is written by a relaxed store.
#[derive(Default)]
struct RelaxedFree(AtomicU64);

impl Layout for RelaxedFree {
    const CLASSES: usize = 1;
    type On<Q: Locks> = Self;
    type Snapshot = Snapshot<1>;
    type Recorder<'a> = &'a Self;

    fn register(&self) -> &Self {
        self
    }

    fn record(&self, event: Event, _: usize) {
        if event == Event::Free {
            // The fault: the load in `snapshot` acquires nothing.
            self.0.fetch_add(1, Relaxed);
        }
    }

    fn snapshot(&self) -> Snapshot<1> {
        Snapshot::new([ClassCounts { allocs: 0, frees: self.0.load(Acquire) }])
    }
}

impl Recorder for &RelaxedFree {
    fn record(&self, event: Event, class: usize) {
        Layout::record(*self, event, class);
    }
}

#[test]
#[ignore = "has a data race, which `.ci/jobs/tsan` must see"]
fn planted_relaxed_free() {
    who_counts_a_free_sees_what_was_before_it::<RelaxedFree>(false);
}

/// The memory is written when the free can be counted already.
#[test]
#[ignore = "has a data race, which `.ci/jobs/tsan` must see"]
fn planted_late_write() {
    let (slots, plain) = (leaked(Slots::<1, 1>::new()), leaked(Plain::new()));
    let thread = thread::spawn(|| {
        let recorder = slots.register();
        recorder.record(Event::Free, 0);
        plain.write(1);
    });
    while slots.snapshot().classes()[0].frees == 0 {
        thread::yield_now();
    }
    black_box(plain.read());
    thread.join().unwrap();
}
