//! Primitives whose atomics are counted while they live, tell where they are, and note the names that they are given.

use std::cell::RefCell;
use std::fmt::Arguments;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use countersign::{Atomic, Lock, Locks, Primitives};

pub(crate) enum Observed {}

/// An atomic of [`Observed`], and what all of them share.
pub(crate) struct ObservedAtomic {
    atomic: AtomicU64,
    _alive: Arc<()>,
}

/// A mutex of [`Observed`].
pub(crate) struct ObservedMutex<T>(Mutex<T>);

thread_local! {
    static ALIVE: Arc<()> = Arc::new(());
    static ADDED_TO: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
    static NAMES: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// How many atomics that this thread made are alive.
pub(crate) fn alive() -> usize {
    ALIVE.with(Arc::strong_count) - 1
}

/// The cells that this thread added to since it last asked, by address.
pub(crate) fn added_to() -> Vec<usize> {
    ADDED_TO.take()
}

/// The names of the atomics and mutexes that this thread made since it last asked, in that order. What was made without
/// a name is in the list all the same, as [`UNNAMED`].
pub(crate) fn names() -> Vec<String> {
    NAMES.take()
}

const UNNAMED: &str = "made without a name";

impl Primitives for Observed {
    type AtomicU64 = ObservedAtomic;
}

impl Locks for Observed {
    type Mutex<T: Send + 'static> = ObservedMutex<T>;
}

impl Atomic for ObservedAtomic {
    fn new(value: u64) -> Self {
        Self::named(value, format_args!("{UNNAMED}"))
    }

    fn named(value: u64, name: Arguments<'_>) -> Self {
        NAMES.with_borrow_mut(|names| names.push(name.to_string()));
        Self { atomic: AtomicU64::new(value), _alive: ALIVE.with(Arc::clone) }
    }

    fn load(&self, order: Ordering) -> u64 {
        self.atomic.load(order)
    }

    fn load_owned(&self) -> u64 {
        self.atomic.load_owned()
    }

    fn store(&self, value: u64, order: Ordering) {
        self.atomic.store(value, order);
    }

    fn swap(&self, value: u64, order: Ordering) -> u64 {
        self.atomic.swap(value, order)
    }

    fn fetch_add(&self, value: u64, order: Ordering) -> u64 {
        ADDED_TO.with_borrow_mut(|cells| cells.push(std::ptr::from_ref(self).addr()));
        self.atomic.fetch_add(value, order)
    }

    fn fetch_max(&self, value: u64, order: Ordering) -> u64 {
        self.atomic.fetch_max(value, order)
    }

    fn compare_exchange(&self, current: u64, new: u64, success: Ordering, failure: Ordering) -> Result<u64, u64> {
        self.atomic.compare_exchange(current, new, success, failure)
    }
}

impl<T: Send + 'static> Lock<T> for ObservedMutex<T> {
    type Guard<'a> = MutexGuard<'a, T>;

    fn new(value: T) -> Self {
        Self::named(value, format_args!("{UNNAMED}"))
    }

    fn named(value: T, name: Arguments<'_>) -> Self {
        NAMES.with_borrow_mut(|names| names.push(name.to_string()));
        Self(Mutex::new(value))
    }

    fn lock(&self) -> Self::Guard<'_> {
        Lock::lock(&self.0)
    }
}
