//! A reader of the counts holds the registry while it waits for a thread that needs the registry to exit.
//!
//! Source: left-right #159 (the writer holds the registry's mutex while it waits for a reader). Breaks: no deadlock. Every
//! engine that watches for deadlocks can catch it.

use std::sync::Arc;

use countersign::{ClassCounts, Event, Lock, Locks};

use crate::subject::mutant::template::{Protocol, add, nothing};

/// See the [module](self). Waiting for a thread is locking its counts.
pub(crate) struct LockedWhileWaiting<const C: usize, P: Locks> {
    registry: P::Mutex<Registry<C, P>>,
}

/// What the mutex guards.
struct Registry<const C: usize, P: Locks> {
    retired: [ClassCounts; C],
    live: Vec<OwnCounts<C, P>>,
}

type OwnCounts<const C: usize, P> = Arc<<P as Locks>::Mutex<[ClassCounts; C]>>;

impl<const C: usize, P: Locks> Protocol<C> for LockedWhileWaiting<C, P> {
    type On<Q: Locks> = LockedWhileWaiting<C, Q>;
    type Own = OwnCounts<C, P>;

    fn new() -> Self {
        Self { registry: Lock::named(Registry { retired: nothing(), live: Vec::new() }, format_args!("registry")) }
    }

    fn register(&self) -> OwnCounts<C, P> {
        let own = Arc::new(<P::Mutex<_> as Lock<_>>::named(nothing(), format_args!("live")));
        self.registry.lock().live.push(Arc::clone(&own));
        own
    }

    fn count(&self, own: &OwnCounts<C, P>, event: Event, class: usize) {
        own.lock()[class].count(event);
    }

    fn retire(&self, own: &OwnCounts<C, P>) {
        let counts = own.lock();
        // The fault, here and in `read`: each waits for the other with a lock held.
        let mut registry = self.registry.lock();
        add(&mut registry.retired, *counts);
        registry.live.retain(|live| !Arc::ptr_eq(live, own));
    }

    fn count_unregistered(&self, event: Event, class: usize) {
        self.registry.lock().retired[class].count(event);
    }

    fn read(&self) -> [ClassCounts; C] {
        let registry = self.registry.lock();
        let mut counts = registry.retired;
        registry.live.iter().for_each(|live| add(&mut counts, *live.lock()));
        counts
    }
}
