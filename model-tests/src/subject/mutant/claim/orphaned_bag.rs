//! An exiting thread hands its counts over without an edge.
//!
//! Source: crossbeam-epoch #54 (an exiting participant hands over its bag unprotected). Breaks: folded once, monotonic. A
//! reader that sees the bag handed over may not see what is in it. An engine that knows weak memory must catch it; one
//! that does not cannot.

use std::sync::Arc;
use std::sync::atomic::Ordering::{Acquire, Relaxed};

use countersign::{Atomic, Claims, ClassCounts, Event, Lock, Locks, Primitives};

use crate::subject::mutant::template::{Cells, Protocol, nothing};

/// See the [module](self). Nothing is unlinked, and memory is not claimed to be bounded.
pub(crate) struct OrphanedBag<const C: usize, P: Locks> {
    registry: P::Mutex<Registry<C, P>>,
}

/// What the mutex guards: the events recorded without a recorder, and all threads that ever registered.
struct Registry<const C: usize, P: Primitives> {
    late: [ClassCounts; C],
    participants: Vec<Arc<Participant<C, P>>>,
}

/// A thread's cells, and the bag that takes their place when it has exited.
pub(crate) struct Participant<const C: usize, P: Primitives> {
    cells: Cells<C, P>,
    bag: Cells<C, P>,
    handed_over: P::AtomicU64,
}

impl<const C: usize, P: Primitives> Participant<C, P> {
    /// The cells that count.
    fn counted(&self) -> &Cells<C, P> {
        // Acquire, but nothing releases it.
        if self.handed_over.load(Acquire) == 1 { &self.bag } else { &self.cells }
    }
}

impl<const C: usize, P: Locks> Protocol<C> for OrphanedBag<C, P> {
    const CLAIMS: Claims = Claims { bounded_memory: false, ..Claims::ALL };
    type On<Q: Locks> = OrphanedBag<C, Q>;
    type Own = Arc<Participant<C, P>>;

    fn new() -> Self {
        Self { registry: Lock::named(Registry { late: nothing(), participants: Vec::new() }, format_args!("registry")) }
    }

    fn register(&self) -> Arc<Participant<C, P>> {
        let participant = Participant {
            cells: Cells::named(format_args!("participant.")),
            bag: Cells::named(format_args!("bag.")),
            handed_over: Atomic::named(0, format_args!("handed_over")),
        };
        let participant = Arc::new(participant);
        self.registry.lock().participants.push(Arc::clone(&participant));
        participant
    }

    fn count(&self, participant: &Arc<Participant<C, P>>, event: Event, class: usize) {
        participant.cells.record_owned(event, class);
    }

    fn retire(&self, participant: &Arc<Participant<C, P>>) {
        for (class, counts) in participant.cells.owned().into_iter().enumerate() {
            participant.bag.allocs[class].store(counts.allocs, Relaxed);
            participant.bag.frees[class].store(counts.frees, Relaxed);
        }
        // The fault: it should be Release, for the Acquire in `read`.
        participant.handed_over.store(1, Relaxed);
    }

    fn count_unregistered(&self, event: Event, class: usize) {
        self.registry.lock().late[class].count(event);
    }

    fn read(&self) -> [ClassCounts; C] {
        let registry = self.registry.lock();
        let mut counts = registry.late;
        let cells: Vec<_> = registry.participants.iter().map(|participant| participant.counted()).collect();
        cells.iter().for_each(|cells| cells.add_frees_to(&mut counts));
        cells.iter().for_each(|cells| cells.add_allocs_to(&mut counts));
        counts
    }
}
