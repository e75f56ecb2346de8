//! An exiting thread leaves the reader's list before its counts are in the total.
//!
//! Source: folly #133 (`ThreadCachedInt`). Breaks: folded once, monotonic. A snapshot between the two critical sections
//! misses the thread. Every engine can catch it.

use std::sync::Arc;

use countersign::{ClassCounts, Event, Layout, Lock, Locks, Recorder, Snapshot, Std};

use super::parts::{Cells, add};

/// See the [module](self).
pub struct UnlinkBeforeFold<const C: usize, P: Locks = Std> {
    registry: P::Mutex<Registry<C, P>>,
}

/// The recorder of [`UnlinkBeforeFold`].
pub struct UnlinkBeforeFoldRecorder<'a, const C: usize, P: Locks> {
    layout: &'a UnlinkBeforeFold<C, P>,
    cells: Arc<Cells<C, P>>,
}

struct Registry<const C: usize, P: Locks> {
    retired: [ClassCounts; C],
    live: Vec<Arc<Cells<C, P>>>,
}

impl<const C: usize, P: Locks> Layout for UnlinkBeforeFold<C, P> {
    const CLASSES: usize = C;
    type On<Q: Locks> = UnlinkBeforeFold<C, Q>;
    type Snapshot = Snapshot<C>;
    type Recorder<'a> = UnlinkBeforeFoldRecorder<'a, C, P>;

    fn register(&self) -> Self::Recorder<'_> {
        let cells = Arc::new(Cells::default());
        self.registry.lock().live.push(Arc::clone(&cells));
        UnlinkBeforeFoldRecorder { layout: self, cells }
    }

    fn record(&self, event: Event, class: usize) {
        self.registry.lock().retired[class].count(event);
    }

    fn snapshot(&self) -> Snapshot<C> {
        let registry = self.registry.lock();
        let mut counts = registry.retired;
        registry.live.iter().for_each(|cells| cells.add_frees_to(&mut counts));
        registry.live.iter().for_each(|cells| cells.add_allocs_to(&mut counts));
        Snapshot::new(counts)
    }
}

impl<const C: usize, P: Locks> Recorder for UnlinkBeforeFoldRecorder<'_, C, P> {
    fn record(&self, event: Event, class: usize) {
        self.cells.record_owned(event, class);
    }
}

impl<const C: usize, P: Locks> Drop for UnlinkBeforeFoldRecorder<'_, C, P> {
    fn drop(&mut self) {
        let registry = &self.layout.registry;
        registry.lock().live.retain(|cells| !Arc::ptr_eq(cells, &self.cells));
        // The fault: here the thread is in neither.
        add(&mut registry.lock().retired, self.cells.owned());
    }
}

impl<const C: usize, P: Locks> Default for UnlinkBeforeFold<C, P> {
    fn default() -> Self {
        Self { registry: Lock::new(Registry { retired: [ClassCounts::default(); C], live: Vec::new() }) }
    }
}
