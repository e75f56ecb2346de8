//! The hook of an allocator holds a lock while it allocates, which calls the hook.
//!
//! Source: dhat-rs #25. Breaks: no deadlock. Every engine that watches for deadlocks can catch it, in any execution.

use countersign::{ClassCounts, Event, Lock, Locks};

use crate::subject::mutant::template::{Protocol, nothing};

/// See the [module](self).
pub(crate) struct LockedWhileRecording<const C: usize, P: Locks> {
    counts: P::Mutex<[ClassCounts; C]>,
}

impl<const C: usize, P: Locks> Protocol<C> for LockedWhileRecording<C, P> {
    type On<Q: Locks> = LockedWhileRecording<C, Q>;
    type Own = ();

    fn new() -> Self {
        Self { counts: Lock::named(nothing(), format_args!("counts")) }
    }

    fn register(&self) {}

    fn count(&self, (): &(), event: Event, class: usize) {
        self.count_unregistered(event, class);
    }

    fn retire(&self, (): &()) {}

    fn count_unregistered(&self, event: Event, class: usize) {
        let mut counts = self.counts.lock();
        if event == Event::Alloc && counts[class].allocs == 0 {
            // The fault: the first block of a class needs a block for its own book-keeping.
            self.count_unregistered(Event::Alloc, class);
        }
        counts[class].count(event);
    }

    fn read(&self) -> [ClassCounts; C] {
        *self.counts.lock()
    }
}
