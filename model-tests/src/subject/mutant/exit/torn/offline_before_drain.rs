//! A thread is marked offline before its cell is drained, and the sum walks only those online.
//!
//! Source: Linux, percpu_counter, fixed in f689054aace2 (a CPU that goes offline). Breaks: folded once, monotonic. A
//! snapshot between the mark and the drain misses the thread. Every engine can catch it.

use std::sync::Arc;
use std::sync::atomic::Ordering::{Acquire, Release};

use countersign::{Atomic, Claims, ClassCounts, Event, Lock, Locks, Primitives};

use crate::subject::mutant::template::{Cells, Protocol, nothing};

/// See the [module](self). Nothing is unlinked, and memory is not claimed to be bounded.
pub(crate) struct OfflineBeforeDrain<const C: usize, P: Locks> {
    central: Cells<C, P>,
    cpus: P::Mutex<Vec<Arc<Cpu<C, P>>>>,
}

/// A thread's cells, and whether they are counted in the central ones.
pub(crate) struct Cpu<const C: usize, P: Primitives> {
    offline: P::AtomicU64,
    cells: Cells<C, P>,
}

impl<const C: usize, P: Locks> Protocol<C> for OfflineBeforeDrain<C, P> {
    const CLAIMS: Claims = Claims { bounded_memory: false, ..Claims::ALL };
    type On<Q: Locks> = OfflineBeforeDrain<C, Q>;
    type Own = Arc<Cpu<C, P>>;

    fn new() -> Self {
        Self { central: Cells::named(format_args!("central.")), cpus: Lock::named(Vec::new(), format_args!("cpus")) }
    }

    fn register(&self) -> Arc<Cpu<C, P>> {
        let cpu = Arc::new(Cpu {
            offline: Atomic::named(0, format_args!("cpu.offline")),
            cells: Cells::named(format_args!("cpu.")),
        });
        self.cpus.lock().push(Arc::clone(&cpu));
        cpu
    }

    fn count(&self, cpu: &Arc<Cpu<C, P>>, event: Event, class: usize) {
        cpu.cells.record_owned(event, class);
    }

    fn retire(&self, cpu: &Arc<Cpu<C, P>>) {
        // The fault: from here to the end the thread is counted nowhere. Release, with the Acquire in `read`.
        cpu.offline.store(1, Release);
        for (class, counts) in cpu.cells.owned().into_iter().enumerate() {
            self.central.allocs[class].fetch_add(counts.allocs, Release);
            self.central.frees[class].fetch_add(counts.frees, Release);
        }
    }

    fn count_unregistered(&self, event: Event, class: usize) {
        self.central.record_shared(event, class);
    }

    fn read(&self) -> [ClassCounts; C] {
        let cpus = self.cpus.lock();
        // Acquire, with the Release in `retire`.
        let online: Vec<_> = cpus.iter().filter(|cpu| cpu.offline.load(Acquire) == 0).collect();
        let mut counts = nothing();
        self.central.add_frees_to(&mut counts);
        online.iter().for_each(|cpu| cpu.cells.add_frees_to(&mut counts));
        self.central.add_allocs_to(&mut counts);
        online.iter().for_each(|cpu| cpu.cells.add_allocs_to(&mut counts));
        counts
    }
}
