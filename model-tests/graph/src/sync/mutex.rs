//! A mutex, in the shape of [`std::sync::Mutex`].

use std::cell::UnsafeCell;
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::panic::Location;
use std::sync::LockResult;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::model::event::{FREE, Operation};
use crate::run::driver::{hang, perform, unwind, with};
use crate::run::place::Place;

/// A mutex: an order of critical sections. It belongs to the execution in which it was made.
pub struct Mutex<T> {
    place: Place,
    /// 0, or 1 + the thread that holds it. This, not the order of events, is what keeps `data` to one holder.
    holder: AtomicU32,
    data: UnsafeCell<T>,
}

/// Access to the data of a [`Mutex`]; dropping it unlocks.
pub struct MutexGuard<'a, T> {
    mutex: &'a Mutex<T>,
    /// Where it was locked, which stands for where it is unlocked: the end of a scope has no line of its own.
    locked_at: &'static Location<'static>,
    not_send: PhantomData<*const ()>,
}

impl<T> Mutex<T> {
    /// An unlocked mutex around `value`.
    pub fn new(value: T) -> Self {
        Self::at(Place::new(FREE, None), value)
    }

    /// An unlocked mutex around `value` that executions show under this name.
    pub fn named(value: T, name: fmt::Arguments<'_>) -> Self {
        Self::at(Place::new(FREE, Some(name)), value)
    }

    fn at(place: Place, value: T) -> Self {
        Self { place, holder: AtomicU32::new(0), data: UnsafeCell::new(value) }
    }

    /// Waits for the mutex. It is never poisoned, since a panic ends the exploration: the result is always `Ok`.
    ///
    /// A thread that waits for ever is a deadlock, and fails the exploration, if all threads that are left do.
    ///
    /// # Errors
    ///
    /// None: the result is that of [`std::sync::Mutex::lock`] for the sake of programs that are written for both.
    #[track_caller]
    pub fn lock(&self) -> LockResult<MutexGuard<'_, T>> {
        perform(Operation::Lock { place: self.place.id() }, Location::caller());
        while !self.try_hold() {
            // Only a thread that is being unwound can be here. The holder is to be unwound too: it goes first.
            // Relaxed: threads of an exploration are on one OS thread.
            let holder = self.holder.load(Ordering::Relaxed);
            if let Some(holder) = holder.checked_sub(1) {
                unwind(holder);
            }
            // Relaxed, as above.
            if self.holder.load(Ordering::Relaxed) == holder {
                hang();
            }
        }
        Ok(MutexGuard { mutex: self, locked_at: Location::caller(), not_send: PhantomData })
    }

    fn try_hold(&self) -> bool {
        let holder = with(|run| run.current).flatten().map_or(u32::MAX, |thread| thread + 1);
        // Acquire, with the Release store in the guard's drop: for the case that a mutex is used outside of an
        // exploration, by several OS threads. Relaxed on failure: nothing is done with the data then.
        self.holder.compare_exchange(0, holder, Ordering::Acquire, Ordering::Relaxed).is_ok()
    }
}

impl<T> Deref for MutexGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: there is one guard at a time: it is made after `holder` went from 0 to something else, which goes
        // back to 0 only when the guard is dropped.
        unsafe { &*self.mutex.data.get() }
    }
}

impl<T> DerefMut for MutexGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: as in `deref`, and the guard is borrowed exclusively.
        unsafe { &mut *self.mutex.data.get() }
    }
}

impl<T> Drop for MutexGuard<'_, T> {
    fn drop(&mut self) {
        // Release, with the Acquire in `try_hold`. Before the unlock's event, during which another thread may run.
        self.mutex.holder.store(0, Ordering::Release);
        perform(Operation::Unlock { place: self.mutex.place.id() }, self.locked_at);
    }
}

// SAFETY: the data is reached through a guard only, of which there is one at a time (see `Deref`), and what one holder
// did happens-before what the next does; so sharing the mutex only ever sends the data from one thread to another.
unsafe impl<T: Send> Sync for Mutex<T> {}

impl<T> fmt::Debug for Mutex<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mutex").finish_non_exhaustive()
    }
}
