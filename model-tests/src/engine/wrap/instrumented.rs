//! Primitives on top of any engine's, which count the atomics among them, and do another operation in place of one where
//! a [rewriting] says so.

use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;
use std::sync::atomic::Ordering;

use countersign::{Atomic, Locks, Primitives};

use super::rewriting::{self, Instead, Role, halves, stronger};

/// The primitives `P`, instrumented.
#[derive(Clone, Copy, Debug)]
pub enum Instrumented<P> {
    /// There is no value of this type.
    #[doc(hidden)]
    Never(std::convert::Infallible, PhantomData<P>),
}

/// An atomic of [`Instrumented`].
pub struct InstrumentedAtomic<A>(A);

thread_local! {
    static LIVE: Cell<usize> = const { Cell::new(0) };
}

/// How many more atomics of [`Instrumented`] primitives the calling OS thread has made than dropped; wrapping, since one may
/// drop what another made. An engine that models threads runs all of them on one OS thread. What an abandoned
/// execution made is never dropped, so only the difference of two counts in one execution means anything.
pub fn live_atomics() -> usize {
    LIVE.get()
}

impl<P: Primitives> Primitives for Instrumented<P> {
    type AtomicU64 = InstrumentedAtomic<P::AtomicU64>;
}

impl<P: Locks> Locks for Instrumented<P> {
    type Mutex<T: Send + 'static> = P::Mutex<T>;
}

impl<A: Atomic> InstrumentedAtomic<A> {
    /// A read-modify-write in two steps.
    #[track_caller]
    fn load_then_store(&self, order: Ordering, change: impl FnOnce(u64) -> u64) -> u64 {
        let (of_load, of_store) = halves(order);
        let old = self.0.load(of_load);
        self.0.store(change(old), of_store);
        old
    }
}

/// Never inlined: there are hundreds of layouts and mutants, and each has dozens of operations.
impl<A: Atomic> Atomic for InstrumentedAtomic<A> {
    #[inline(never)]
    fn new(value: u64) -> Self {
        LIVE.set(LIVE.get().wrapping_add(1));
        Self(A::new(value))
    }

    #[inline(never)]
    fn named(value: u64, name: fmt::Arguments<'_>) -> Self {
        LIVE.set(LIVE.get().wrapping_add(1));
        Self(A::named(value, name))
    }

    #[inline(never)]
    fn load(&self, order: Ordering) -> u64 {
        self.0.load(rewriting::order(Role::Load, order))
    }

    #[inline(never)]
    fn load_owned(&self) -> u64 {
        // The site is noted; there is no ordering to choose.
        rewriting::order(Role::LoadOwned, Ordering::Relaxed);
        self.0.load_owned()
    }

    #[inline(never)]
    fn store(&self, value: u64, order: Ordering) {
        self.0.store(value, rewriting::order(Role::Store, order));
    }

    #[inline(never)]
    fn swap(&self, value: u64, order: Ordering) -> u64 {
        match rewriting::at(Role::Swap, order) {
            Instead::Order(order) => self.0.swap(value, order),
            Instead::LoadThenStore => self.load_then_store(order, |_| value),
        }
    }

    #[inline(never)]
    fn fetch_add(&self, value: u64, order: Ordering) -> u64 {
        match rewriting::at(Role::FetchAdd, order) {
            Instead::Order(order) => self.0.fetch_add(value, order),
            Instead::LoadThenStore => self.load_then_store(order, |old| old.wrapping_add(value)),
        }
    }

    #[inline(never)]
    fn fetch_max(&self, value: u64, order: Ordering) -> u64 {
        match rewriting::at(Role::FetchMax, order) {
            Instead::Order(order) => self.0.fetch_max(value, order),
            Instead::LoadThenStore => self.load_then_store(order, |old| old.max(value)),
        }
    }

    #[inline(never)]
    fn compare_exchange(&self, current: u64, new: u64, success: Ordering, failure: Ordering) -> Result<u64, u64> {
        let failure = rewriting::order(Role::Failure, failure);
        match rewriting::at(Role::Success, success) {
            Instead::Order(success) => self.0.compare_exchange(current, new, success, failure),
            Instead::LoadThenStore => {
                let (of_load, of_store) = halves(success);
                // One load stands for success and failure, so that neither is weakened: it is as strong as either.
                let found = self.0.load(stronger(of_load, failure));
                if found == current {
                    self.0.store(new, of_store);
                    Ok(found)
                } else {
                    Err(found)
                }
            }
        }
    }
}

impl<A> Drop for InstrumentedAtomic<A> {
    fn drop(&mut self) {
        LIVE.set(LIVE.get().wrapping_sub(1));
    }
}
