//! Primitives that count themselves, on top of any engine's.

use std::cell::Cell;
use std::marker::PhantomData;
use std::sync::atomic::Ordering;

use countersign::{Atomic, Locks, Primitives};

/// The primitives `P`, and a count of the atomics among them: see [`live_atomics`].
#[derive(Clone, Copy, Debug)]
pub enum Counting<P> {
    /// There is no value of this type.
    #[doc(hidden)]
    Never(std::convert::Infallible, PhantomData<P>),
}

/// An atomic of [`Counting`].
pub struct Counted<A>(A);

thread_local! {
    static LIVE: Cell<usize> = const { Cell::new(0) };
}

/// How many more atomics of [`Counting`] primitives the calling OS thread has made than dropped; wrapping, since one may
/// drop what another made. An engine that models threads runs all of them on one OS thread. What an abandoned
/// execution made is never dropped, so only the difference of two counts in one execution means anything.
pub fn live_atomics() -> usize {
    LIVE.get()
}

impl<P: Primitives> Primitives for Counting<P> {
    type AtomicU64 = Counted<P::AtomicU64>;
}

impl<P: Locks> Locks for Counting<P> {
    type Mutex<T: Send + 'static> = P::Mutex<T>;
}

impl<A: Atomic> Atomic for Counted<A> {
    fn new(value: u64) -> Self {
        LIVE.set(LIVE.get().wrapping_add(1));
        Self(A::new(value))
    }

    fn load(&self, order: Ordering) -> u64 {
        self.0.load(order)
    }

    fn load_owned(&self) -> u64 {
        self.0.load_owned()
    }

    fn store(&self, value: u64, order: Ordering) {
        self.0.store(value, order);
    }

    fn swap(&self, value: u64, order: Ordering) -> u64 {
        self.0.swap(value, order)
    }

    fn fetch_add(&self, value: u64, order: Ordering) -> u64 {
        self.0.fetch_add(value, order)
    }

    fn fetch_max(&self, value: u64, order: Ordering) -> u64 {
        self.0.fetch_max(value, order)
    }

    fn compare_exchange(&self, current: u64, new: u64, success: Ordering, failure: Ordering) -> Result<u64, u64> {
        self.0.compare_exchange(current, new, success, failure)
    }
}

impl<A> Drop for Counted<A> {
    fn drop(&mut self) {
        LIVE.set(LIVE.get().wrapping_sub(1));
    }
}
