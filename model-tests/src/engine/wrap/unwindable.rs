//! Primitives that do nothing while a panic unwinds.
//!
//! A program that panics drops its recorders, and their destructors work on atomics and mutexes. A model checker's
//! primitives must not be touched then: the execution is over, so they would panic again, and a panic in a destructor
//! during unwinding aborts the process. What the destructors do no longer matters; the verdict is already known.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::panic::Location;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::{mem, thread};

use countersign::{Atomic, Lock};

use crate::engine::wrap::containment;
use crate::engine::wrap::record::{LOCK, Turn, UNLOCK, make_place};
use crate::verdict::{Action, Place};

/// An engine's atomic. While a panic unwinds a load gives 0, and a compare-exchange says that it succeeded, so that
/// loops around it end.
pub struct Unwindable<A>(Option<A>);

impl<A> Unwindable<A> {
    /// The engine's primitive. There is none if this one was made while a panic unwound.
    fn live(&self) -> Option<&A> {
        self.0.as_ref().filter(|_| !thread::panicking())
    }
}

impl<A: Atomic> Atomic for Unwindable<A> {
    fn new(value: u64) -> Self {
        Self((!thread::panicking()).then(|| A::new(value)))
    }

    fn load(&self, order: Ordering) -> u64 {
        let Some(atomic) = self.live() else { return 0 };
        atomic.load(order)
    }

    fn load_owned(&self) -> u64 {
        let Some(atomic) = self.live() else { return 0 };
        atomic.load_owned()
    }

    fn store(&self, value: u64, order: Ordering) {
        let Some(atomic) = self.live() else { return };
        atomic.store(value, order);
    }

    fn swap(&self, value: u64, order: Ordering) -> u64 {
        let Some(atomic) = self.live() else { return 0 };
        atomic.swap(value, order)
    }

    fn fetch_add(&self, value: u64, order: Ordering) -> u64 {
        let Some(atomic) = self.live() else { return 0 };
        atomic.fetch_add(value, order)
    }

    fn fetch_max(&self, value: u64, order: Ordering) -> u64 {
        let Some(atomic) = self.live() else { return 0 };
        atomic.fetch_max(value, order)
    }

    fn compare_exchange(&self, current: u64, new: u64, success: Ordering, failure: Ordering) -> Result<u64, u64> {
        let Some(atomic) = self.live() else { return Ok(current) };
        atomic.compare_exchange(current, new, success, failure)
    }
}

/// A mutex around a `T` that takes its turns from an engine's mutex `M`. While a panic unwinds it gives access to the
/// data without asking the engine.
pub struct UnwindableMutex<T, M> {
    turns: Unwindable<M>,
    data: Mutex<T>,
    place: Place,
}

/// Access to the data of an [`UnwindableMutex`].
pub struct UnwindableGuard<'a, T, M: Lock<()>> {
    // Declared first, so released first: the next thread in turn finds it free.
    data: MutexGuard<'a, T>,
    turn: Option<M::Guard<'a>>,
    place: Place,
    at: &'static Location<'static>,
    // Declared last, so dropped last: others may run while the turn is given back.
    _unlocking: Turn,
}

impl<T, M: Lock<()>> UnwindableMutex<T, M> {
    fn at(place: Place, value: T) -> Self {
        let turns = Unwindable((!thread::panicking()).then(|| M::new(())));
        Self { turns, data: Mutex::new(value), place }
    }
}

impl<T: Send + 'static, M: Lock<()>> Lock<T> for UnwindableMutex<T, M> {
    type Guard<'a> = UnwindableGuard<'a, T, M>;

    fn new(value: T) -> Self {
        Self::at(make_place(0, None), value)
    }

    fn named(value: T, name: fmt::Arguments<'_>) -> Self {
        Self::at(make_place(0, Some(name)), value)
    }

    #[track_caller]
    fn lock(&self) -> UnwindableGuard<'_, T, M> {
        let at = Location::caller();
        let operation = Turn::attempt(Action::Lock, self.place, at);
        #[expect(clippy::manual_map, reason = "a closure would hide the caller's place from the engine")]
        let turn = match self.turns.live() {
            Some(turns) => Some(turns.lock()),
            None => None,
        };
        let data = match self.data.try_lock() {
            Ok(data) => data,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            // Only while a panic unwinds: a thread that will never run again holds the data, perhaps half-changed.
            Err(TryLockError::WouldBlock) => containment::abandon_panicked(),
        };
        operation.done(Ordering::Acquire, LOCK, None);
        drop(operation);
        UnwindableGuard { data, turn, place: self.place, at, _unlocking: Turn::begin() }
    }
}

impl<T, M: Lock<()>> Deref for UnwindableGuard<'_, T, M> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.data
    }
}

impl<T, M: Lock<()>> DerefMut for UnwindableGuard<'_, T, M> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.data
    }
}

impl<T, M: Lock<()>> Drop for UnwindableGuard<'_, T, M> {
    fn drop(&mut self) {
        if thread::panicking() {
            mem::forget(self.turn.take());
        }
        Turn::attempt(Action::Unlock, self.place, self.at).done(Ordering::Release, UNLOCK, None);
    }
}
