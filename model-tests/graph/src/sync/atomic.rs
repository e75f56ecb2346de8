//! Atomics, in the shape of [`std::sync::atomic`].
//!
//! Outside of an exploration, and while a thread is unwound because its execution is given up, an operation *has no effect*:
//! no event stands for it, and it works on a plain value that is kept beside. Destructors then do their operations as ever,
//! and disturb nothing.

use std::fmt;
use std::panic::Location;
use std::sync::atomic;

pub use std::sync::atomic::Ordering;

use crate::model::event::{Change, Operation};
use crate::run::driver::perform;
use crate::run::place::Place;

/// A 64-bit atomic. It belongs to the execution in which it was made.
pub struct AtomicU64 {
    place: Place,
    /// What operations without effect work on: the value that was read or written last.
    plain: atomic::AtomicU64,
}

/// A fence, as [`std::sync::atomic::fence`].
///
/// # Panics
///
/// As that does, if `order` is `Relaxed`.
#[track_caller]
pub fn fence(order: Ordering) {
    assert!(order != Ordering::Relaxed, "there is no such thing as a relaxed fence");
    perform(Operation::Fence { order }, Location::caller());
}

impl AtomicU64 {
    /// A cell that holds `value`.
    pub fn new(value: u64) -> Self {
        Self { place: Place::new(value, None), plain: atomic::AtomicU64::new(value) }
    }

    /// A cell that holds `value`, and that executions show under this name.
    pub fn named(value: u64, name: fmt::Arguments<'_>) -> Self {
        Self { place: Place::new(value, Some(name)), plain: atomic::AtomicU64::new(value) }
    }

    /// Reads the cell.
    ///
    /// # Panics
    ///
    /// If `order` is `Release` or `AcqRel`.
    #[track_caller]
    pub fn load(&self, order: Ordering) -> u64 {
        assert!(!matches!(order, Ordering::Release | Ordering::AcqRel), "there is no such thing as a {order:?} load");
        self.read(false, order, Location::caller())
    }

    /// Reads a cell that **only the calling thread writes**, relaxed. That it does is checked: an execution in which another
    /// thread's write is not ordered with this read violates [`Claim::SingleWriter`](crate::Claim::SingleWriter).
    #[track_caller]
    pub fn load_owned(&self) -> u64 {
        self.read(true, Ordering::Relaxed, Location::caller())
    }

    /// Writes the cell.
    ///
    /// # Panics
    ///
    /// If `order` is `Acquire` or `AcqRel`.
    #[track_caller]
    pub fn store(&self, value: u64, order: Ordering) {
        assert!(!matches!(order, Ordering::Acquire | Ordering::AcqRel), "there is no such thing as a {order:?} store");
        perform(Operation::Store { place: self.place.id(), value, order }, Location::caller());
        self.keep(value);
    }

    /// Replaces the value and returns the old one.
    #[track_caller]
    pub fn swap(&self, value: u64, order: Ordering) -> u64 {
        self.update(Change::Swap(value), order, Location::caller())
    }

    /// Adds `value`, wrapping, and returns the old value.
    #[track_caller]
    pub fn fetch_add(&self, value: u64, order: Ordering) -> u64 {
        self.update(Change::Add(value), order, Location::caller())
    }

    /// Raises the cell to `value` if it is lower, and returns the old value.
    #[track_caller]
    pub fn fetch_max(&self, value: u64, order: Ordering) -> u64 {
        self.update(Change::Max(value), order, Location::caller())
    }

    /// Writes `new` if the cell holds `current`: `Ok(current)` then, or `Err` with what it holds. Never fails spuriously.
    ///
    /// # Panics
    ///
    /// If `failure` is `Release` or `AcqRel`.
    #[track_caller]
    pub fn compare_exchange(&self, current: u64, new: u64, success: Ordering, failure: Ordering) -> Result<u64, u64> {
        assert!(
            !matches!(failure, Ordering::Release | Ordering::AcqRel),
            "there is no such thing as a {failure:?} failure ordering"
        );
        let place = self.place.id();
        let operation = Operation::CompareExchange { place, current, new, success, failure };
        let read = perform(operation, Location::caller()).unwrap_or_else(|| self.kept());
        self.keep(operation.updates(read).unwrap_or(read));
        if read == current { Ok(read) } else { Err(read) }
    }

    fn read(&self, owned: bool, order: Ordering, at: &'static Location<'static>) -> u64 {
        let read = perform(Operation::Load { place: self.place.id(), order, owned }, at);
        read.unwrap_or_else(|| self.kept())
    }

    fn update(&self, change: Change, order: Ordering, at: &'static Location<'static>) -> u64 {
        let read = perform(Operation::Update { place: self.place.id(), change, order }, at);
        let read = read.unwrap_or_else(|| self.kept());
        self.keep(change.apply(read));
        read
    }

    fn kept(&self) -> u64 {
        // Relaxed: it is a plain value of operations without effect, which order nothing.
        self.plain.load(Ordering::Relaxed)
    }

    fn keep(&self, value: u64) {
        // Relaxed, with the load in `kept`.
        self.plain.store(value, Ordering::Relaxed);
    }
}

impl fmt::Debug for AtomicU64 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("AtomicU64").field(&self.plain).finish()
    }
}
