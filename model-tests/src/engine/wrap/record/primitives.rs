//! Primitives whose operations are recorded.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::panic::Location;
use std::sync::atomic::Ordering;

use countersign::{Atomic, Lock, Locks, Std};

use super::log::{LOCK, Turn, UNLOCK, make_place};
use crate::verdict::{Action, Place};

/// An atomic whose operations are recorded.
pub struct Recorded<A> {
    atomic: A,
    place: Place,
}

/// The mutex of real threads, with its critical sections recorded.
pub struct RecordedMutex<T: Send + 'static> {
    place: Place,
    /// How many critical sections there were, beside the data. The mutex itself protects the number, so no order comes
    /// from it that is not there anyway.
    mutex: <Std as Locks>::Mutex<(usize, T)>,
}

/// Access to the data of a [`RecordedMutex`].
pub struct RecordedGuard<'a, T: Send + 'static> {
    guard: <<Std as Locks>::Mutex<(usize, T)> as Lock<(usize, T)>>::Guard<'a>,
    place: Place,
    at: &'static Location<'static>,
}

impl<A: Atomic> Atomic for Recorded<A> {
    fn new(value: u64) -> Self {
        Self { atomic: A::new(value), place: make_place(value, None) }
    }

    fn named(value: u64, name: fmt::Arguments<'_>) -> Self {
        Self { atomic: A::new(value), place: make_place(value, Some(name)) }
    }

    fn load(&self, order: Ordering) -> u64 {
        let turn = Turn::attempt(Action::Load, self.place, Location::caller());
        let value = self.atomic.load(order);
        turn.done(order, [Some(value), None], None);
        value
    }

    fn load_owned(&self) -> u64 {
        let turn = Turn::attempt(Action::LoadOwned, self.place, Location::caller());
        let value = self.atomic.load_owned();
        turn.done(Ordering::Relaxed, [Some(value), None], None);
        value
    }

    fn store(&self, value: u64, order: Ordering) {
        let turn = Turn::attempt(Action::Store, self.place, Location::caller());
        self.atomic.store(value, order);
        turn.done(order, [None, Some(value)], None);
    }

    fn swap(&self, value: u64, order: Ordering) -> u64 {
        let turn = Turn::attempt(Action::Swap, self.place, Location::caller());
        let old = self.atomic.swap(value, order);
        turn.done(order, [Some(old), Some(value)], None);
        old
    }

    fn fetch_add(&self, value: u64, order: Ordering) -> u64 {
        let turn = Turn::attempt(Action::FetchAdd(value), self.place, Location::caller());
        let old = self.atomic.fetch_add(value, order);
        turn.done(order, [Some(old), Some(old.wrapping_add(value))], None);
        old
    }

    fn fetch_max(&self, value: u64, order: Ordering) -> u64 {
        let turn = Turn::attempt(Action::FetchMax(value), self.place, Location::caller());
        let old = self.atomic.fetch_max(value, order);
        turn.done(order, [Some(old), Some(old.max(value))], None);
        old
    }

    fn compare_exchange(&self, current: u64, new: u64, success: Ordering, failure: Ordering) -> Result<u64, u64> {
        let turn = Turn::attempt(Action::CompareExchange { current, new }, self.place, Location::caller());
        let result = self.atomic.compare_exchange(current, new, success, failure);
        match result {
            Ok(read) => turn.done(success, [Some(read), Some(new)], None),
            Err(read) => turn.done(failure, [Some(read), None], None),
        }
        result
    }
}

impl<T: Send + 'static> Lock<T> for RecordedMutex<T> {
    type Guard<'a> = RecordedGuard<'a, T>;

    fn new(value: T) -> Self {
        Self { place: make_place(0, None), mutex: Lock::new((0, value)) }
    }

    fn named(value: T, name: fmt::Arguments<'_>) -> Self {
        Self { place: make_place(0, Some(name)), mutex: Lock::new((0, value)) }
    }

    fn lock(&self) -> RecordedGuard<'_, T> {
        let at = Location::caller();
        let turn = Turn::attempt(Action::Lock, self.place, at);
        let mut guard = Lock::lock(&self.mutex);
        guard.0 += 1;
        turn.done(Ordering::Acquire, LOCK, Some(2 * guard.0 - 1));
        RecordedGuard { guard, place: self.place, at }
    }
}

impl<T: Send + 'static> Deref for RecordedGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.guard.1
    }
}

impl<T: Send + 'static> DerefMut for RecordedGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.guard.1
    }
}

impl<T: Send + 'static> Drop for RecordedGuard<'_, T> {
    fn drop(&mut self) {
        let turn = Turn::attempt(Action::Unlock, self.place, self.at);
        turn.done(Ordering::Release, UNLOCK, Some(2 * self.guard.0));
    }
}
