//! An exiting thread folds without the lock: `retired += cell; cell = 0`.
//!
//! Source: the fold that everybody writes first. Breaks: folded once, monotonic. A snapshot between the two steps counts
//! the thread twice; one that reads the total before them and the cell after them, not at all. Every engine can catch it.

use std::sync::Arc;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Release};

use countersign::{Atomic, Claims, ClassCounts, Event, Lock, Locks};

use crate::subject::mutant::template::{Cells, Protocol, nothing};

/// See the [module](self). Cells are listed under a lock and never unlinked, so only the fold is at fault; memory is not
/// claimed to be bounded.
pub(crate) struct NaiveFold<const C: usize, P: Locks> {
    retired: Cells<C, P>,
    live: P::Mutex<Vec<Arc<Cells<C, P>>>>,
}

impl<const C: usize, P: Locks> Protocol<C> for NaiveFold<C, P> {
    const CLAIMS: Claims = Claims { bounded_memory: false, ..Claims::ALL };
    type On<Q: Locks> = NaiveFold<C, Q>;
    type Own = Arc<Cells<C, P>>;

    fn new() -> Self {
        Self { retired: Cells::named(format_args!("retired.")), live: Lock::named(Vec::new(), format_args!("live")) }
    }

    fn register(&self) -> Arc<Cells<C, P>> {
        let cells = Arc::new(Cells::named(format_args!("live.")));
        self.live.lock().push(Arc::clone(&cells));
        cells
    }

    fn count(&self, cells: &Arc<Cells<C, P>>, event: Event, class: usize) {
        cells.record_owned(event, class);
    }

    fn retire(&self, cells: &Arc<Cells<C, P>>) {
        for (class, counts) in cells.owned().into_iter().enumerate() {
            // The fault: two steps, and a snapshot may come between them. The orderings are as strong as they can help.
            self.retired.allocs[class].fetch_add(counts.allocs, AcqRel);
            cells.allocs[class].store(0, Release);
            self.retired.frees[class].fetch_add(counts.frees, AcqRel);
            cells.frees[class].store(0, Release);
        }
    }

    fn count_unregistered(&self, event: Event, class: usize) {
        self.retired.record_shared(event, class);
    }

    fn read(&self) -> [ClassCounts; C] {
        let live = self.live.lock();
        let mut counts = nothing();
        self.retired.add_frees_to(&mut counts);
        live.iter().for_each(|cells| cells.add_frees_to(&mut counts));
        for (class, counts) in counts.iter_mut().enumerate() {
            // Acquire, with the AcqRel of the fold: even a reader that sees the whole fold may have read the cell before.
            counts.allocs += self.retired.allocs[class].load(Acquire);
        }
        live.iter().for_each(|cells| cells.add_allocs_to(&mut counts));
        counts
    }
}
