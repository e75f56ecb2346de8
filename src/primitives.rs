//! What a layout may touch: the seam between a counter layout and whatever runs it.
//!
//! A [layout](crate::Layout) is generic over [`Primitives`]. With [`Std`] it is compiled to the instructions of
//! `core::sync::atomic`; a model checker supplies primitives of its own and runs *the same source*, so there is no
//! second build of a counter behind a `cfg`, and nothing that a missing flag could leave out.
//!
//! The set is as small as the layouts need: a 64-bit atomic here, and a mutex in [`Locks`] for the layouts that
//! need one.

use core::fmt;
use core::ops::DerefMut;
use core::sync::atomic::{AtomicU64, Ordering};

/// The shared-memory operations that a layout is built from.
pub trait Primitives: Sized + 'static {
    /// A 64-bit atomic cell.
    type AtomicU64: Atomic;
}

/// Primitives that have a mutex too.
///
/// Only layouts that hold a registry of threads (`Folding`) ask for it. [`Std`] has it with the
/// feature `std`.
pub trait Locks: Primitives {
    /// A mutual-exclusion lock around a `T`.
    type Mutex<T: Send + 'static>: Lock<T>;
}

/// A 64-bit atomic, with the orderings and the meaning of [`core::sync::atomic::AtomicU64`].
///
/// Every method is `#[track_caller]`, and an implementation inherits that: a checker knows the file, line and column
/// of each operation. A layout therefore writes each operation that has a role of its own at a place of its own.
pub trait Atomic: Sized + Send + Sync + 'static {
    /// A cell that holds `value`.
    fn new(value: u64) -> Self;

    /// A cell that holds `value` and has a name, which a checker shows in the executions that it prints, in place of a
    /// number.
    ///
    /// A name is optional, and a cell made by [`new`](Self::new) works just as well. Write it as an expression in the
    /// source would name the cell: `slots[0].owner`, `overflow.frees[1]`. Two cells may have the same name.
    ///
    /// Cost on [`Std`]: none where the cell is used. No name is ever formatted; what is left is a few instructions where a
    /// layout is made by [`Default`], and nothing at all in a static.
    #[inline(always)]
    fn named(value: u64, name: fmt::Arguments<'_>) -> Self {
        let _ = name;
        Self::new(value)
    }

    /// Reads the cell. Panics, as the standard atomic does, if `order` is `Release` or `AcqRel`.
    #[track_caller]
    fn load(&self, order: Ordering) -> u64;

    /// Reads a cell that **only the calling thread writes** (the owner's read of its own counter).
    ///
    /// On [`Std`] it is a relaxed load. It is a method of its own because the claim it carries is worth checking: a
    /// checker may panic, or fail the run, when another thread's write is not ordered before this read.
    #[track_caller]
    fn load_owned(&self) -> u64;

    /// Writes the cell. Panics, as the standard atomic does, if `order` is `Acquire` or `AcqRel`.
    #[track_caller]
    fn store(&self, value: u64, order: Ordering);

    /// Replaces the value and returns the old one.
    #[track_caller]
    fn swap(&self, value: u64, order: Ordering) -> u64;

    /// Adds `value`, wrapping, and returns the old value.
    #[track_caller]
    fn fetch_add(&self, value: u64, order: Ordering) -> u64;

    /// Raises the cell to `value` if it is lower, and returns the old value.
    #[track_caller]
    fn fetch_max(&self, value: u64, order: Ordering) -> u64;

    /// Writes `new` if the cell holds `current`: `Ok(current)` then, or `Err` with what it holds. Never fails
    /// spuriously.
    #[track_caller]
    fn compare_exchange(&self, current: u64, new: u64, success: Ordering, failure: Ordering) -> Result<u64, u64>;
}

/// A mutual-exclusion lock.
pub trait Lock<T: Send + 'static>: Sized + Send + Sync + 'static {
    /// Access to the data while the lock is held; dropping it unlocks.
    type Guard<'a>: DerefMut<Target = T>
    where
        Self: 'a;

    /// An unlocked lock around `value`.
    fn new(value: T) -> Self;

    /// An unlocked lock around `value` that has a name, `registry` say: see [`Atomic::named`].
    #[inline(always)]
    fn named(value: T, name: fmt::Arguments<'_>) -> Self {
        let _ = name;
        Self::new(value)
    }

    /// Waits for the lock. A thread that panicked while it held the lock does not make it unusable: the layouts'
    /// critical sections leave their data whole at every step that could panic.
    #[track_caller]
    fn lock(&self) -> Self::Guard<'_>;
}

/// The real thing: `core::sync::atomic`, and `std::sync::Mutex` with the feature `std`.
#[derive(Clone, Copy, Debug)]
pub enum Std {}

impl Primitives for Std {
    type AtomicU64 = AtomicU64;
}

impl Atomic for AtomicU64 {
    #[inline(always)]
    fn new(value: u64) -> Self {
        Self::new(value)
    }

    #[inline(always)]
    fn load(&self, order: Ordering) -> u64 {
        self.load(order)
    }

    #[inline(always)]
    fn load_owned(&self) -> u64 {
        // Relaxed suffices: the value was written by this thread, or by a previous owner whose last write the
        // claim of the cell acquired.
        self.load(Ordering::Relaxed)
    }

    #[inline(always)]
    fn store(&self, value: u64, order: Ordering) {
        self.store(value, order);
    }

    #[inline(always)]
    fn swap(&self, value: u64, order: Ordering) -> u64 {
        self.swap(value, order)
    }

    #[inline(always)]
    fn fetch_add(&self, value: u64, order: Ordering) -> u64 {
        self.fetch_add(value, order)
    }

    #[inline(always)]
    fn fetch_max(&self, value: u64, order: Ordering) -> u64 {
        self.fetch_max(value, order)
    }

    #[inline(always)]
    fn compare_exchange(&self, current: u64, new: u64, success: Ordering, failure: Ordering) -> Result<u64, u64> {
        self.compare_exchange(current, new, success, failure)
    }
}

#[cfg(feature = "std")]
mod std_lock {
    use super::{Lock, Locks, Std};
    use std::sync::{Mutex, MutexGuard, PoisonError};

    impl Locks for Std {
        type Mutex<T: Send + 'static> = Mutex<T>;
    }

    impl<T: Send + 'static> Lock<T> for Mutex<T> {
        type Guard<'a> = MutexGuard<'a, T>;

        fn new(value: T) -> Self {
            Self::new(value)
        }

        fn lock(&self) -> Self::Guard<'_> {
            self.lock().unwrap_or_else(PoisonError::into_inner)
        }
    }
}
