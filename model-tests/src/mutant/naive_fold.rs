//! An exiting thread folds without the lock: `retired += cell; cell = 0`.
//!
//! Source: the fold that everybody writes first. Breaks: folded once, monotonic. A snapshot between the two steps counts
//! the thread twice; one that reads the total before them and the cell after them, not at all. Every engine can catch it.

use std::sync::Arc;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Release};

use countersign::{Atomic, ClassCounts, Event, Layout, Lock, Locks, Recorder, Snapshot, Std};

use super::parts::Cells;

/// See the [module](self). Cells are listed under a lock and never unlinked, so only the fold is at fault.
pub struct NaiveFold<const C: usize, P: Locks = Std> {
    retired: Cells<C, P>,
    live: P::Mutex<Vec<Arc<Cells<C, P>>>>,
}

/// The recorder of [`NaiveFold`].
pub struct NaiveFoldRecorder<'a, const C: usize, P: Locks> {
    layout: &'a NaiveFold<C, P>,
    cells: Arc<Cells<C, P>>,
}

impl<const C: usize, P: Locks> Layout for NaiveFold<C, P> {
    const CLASSES: usize = C;
    type On<Q: Locks> = NaiveFold<C, Q>;
    type Snapshot = Snapshot<C>;
    type Recorder<'a> = NaiveFoldRecorder<'a, C, P>;

    fn register(&self) -> Self::Recorder<'_> {
        let cells = Arc::new(Cells::default());
        self.live.lock().push(Arc::clone(&cells));
        NaiveFoldRecorder { layout: self, cells }
    }

    fn record(&self, event: Event, class: usize) {
        self.retired.record_shared(event, class);
    }

    fn snapshot(&self) -> Snapshot<C> {
        let live = self.live.lock();
        let mut counts = [ClassCounts::default(); C];
        self.retired.add_frees_to(&mut counts);
        live.iter().for_each(|cells| cells.add_frees_to(&mut counts));
        for (class, counts) in counts.iter_mut().enumerate() {
            // Acquire, with the AcqRel of the fold: even a reader that sees the whole fold may have read the cell before.
            counts.allocs += self.retired.allocs[class].load(Acquire);
        }
        live.iter().for_each(|cells| cells.add_allocs_to(&mut counts));
        Snapshot::new(counts)
    }
}

impl<const C: usize, P: Locks> Recorder for NaiveFoldRecorder<'_, C, P> {
    fn record(&self, event: Event, class: usize) {
        self.cells.record_owned(event, class);
    }
}

impl<const C: usize, P: Locks> Drop for NaiveFoldRecorder<'_, C, P> {
    fn drop(&mut self) {
        for (class, counts) in self.cells.owned().into_iter().enumerate() {
            // The fault: two steps, and a snapshot may come between them. The orderings are as strong as they can help.
            self.layout.retired.allocs[class].fetch_add(counts.allocs, AcqRel);
            self.cells.allocs[class].store(0, Release);
            self.layout.retired.frees[class].fetch_add(counts.frees, AcqRel);
            self.cells.frees[class].store(0, Release);
        }
    }
}

impl<const C: usize, P: Locks> Default for NaiveFold<C, P> {
    fn default() -> Self {
        Self { retired: Cells::default(), live: Lock::new(Vec::new()) }
    }
}
