//! A registry of live threads' cells and a retired total, with every step open to a fault.

use std::marker::PhantomData;
use std::sync::Arc;

use countersign::{Claims, ClassCounts, Event, Lock, Locks, Primitives};

use super::cells::{Cells, add, nothing};
use super::protocol::Protocol;

/// The steps of [`FoldingWith`], each in its sound form.
pub(crate) trait FoldingFault: Send + Sync + 'static {
    /// What is promised.
    const CLAIMS: Claims = Claims::ALL;

    /// A thread registers.
    fn enter<const C: usize, P: Locks>(registry: &P::Mutex<Registry<C, P>>) -> Arc<Cells<C, P>> {
        let cells = Arc::new(Cells::named(format_args!("live.")));
        registry.lock().live.push(Arc::clone(&cells));
        cells
    }

    /// A thread retires: fold and unlink in one critical section.
    fn leave<const C: usize, P: Locks>(registry: &P::Mutex<Registry<C, P>>, cells: &Arc<Cells<C, P>>) {
        let mut registry = registry.lock();
        registry.fold(cells);
        registry.unlink(cells);
    }

    /// A thread records without a recorder.
    fn late<const C: usize, P: Locks>(registry: &P::Mutex<Registry<C, P>>, event: Event, class: usize) {
        registry.lock().retired[class].count(event);
    }

    /// A reader counts: the total and the list in one critical section.
    fn read<const C: usize, P: Locks>(registry: &P::Mutex<Registry<C, P>>) -> [ClassCounts; C] {
        let registry = registry.lock();
        let mut counts = registry.retired;
        add(&mut counts, registry.read_live());
        counts
    }
}

/// A layout like `Folding`, but for what `F` overrides.
pub(crate) struct FoldingWith<const C: usize, F, P: Locks> {
    registry: P::Mutex<Registry<C, P>>,
    fault: PhantomData<fn() -> F>,
}

/// What the mutex guards.
pub(crate) struct Registry<const C: usize, P: Primitives> {
    /// The counts of exited threads.
    pub(crate) retired: [ClassCounts; C],
    /// The cells of live threads.
    pub(crate) live: Vec<Arc<Cells<C, P>>>,
    /// The cells of exited threads, for a mutant that keeps them.
    pub(crate) kept: Vec<Arc<Cells<C, P>>>,
}

impl<const C: usize, P: Primitives> Registry<C, P> {
    /// Adds the cells of an exiting thread, which calls this, to the total.
    pub(crate) fn fold(&mut self, cells: &Cells<C, P>) {
        add(&mut self.retired, cells.owned());
    }

    /// Takes the cells out of the list, and says whether they were there.
    pub(crate) fn unlink(&mut self, cells: &Arc<Cells<C, P>>) -> bool {
        let before = self.live.len();
        self.live.retain(|live| !Arc::ptr_eq(live, cells));
        self.live.len() < before
    }

    /// The counts of the live threads: all frees before any alloc.
    pub(crate) fn read_live(&self) -> [ClassCounts; C] {
        let mut counts = nothing();
        self.live.iter().for_each(|cells| cells.add_frees_to(&mut counts));
        self.live.iter().for_each(|cells| cells.add_allocs_to(&mut counts));
        counts
    }
}

impl<const C: usize, F: FoldingFault, P: Locks> Protocol<C> for FoldingWith<C, F, P> {
    const CLAIMS: Claims = F::CLAIMS;
    type On<Q: Locks> = FoldingWith<C, F, Q>;
    type Own = Arc<Cells<C, P>>;

    fn new() -> Self {
        let registry = Registry { retired: nothing(), live: Vec::new(), kept: Vec::new() };
        Self { registry: Lock::named(registry, format_args!("registry")), fault: PhantomData }
    }

    fn register(&self) -> Arc<Cells<C, P>> {
        F::enter::<C, P>(&self.registry)
    }

    fn count(&self, cells: &Arc<Cells<C, P>>, event: Event, class: usize) {
        cells.record_owned(event, class);
    }

    fn retire(&self, cells: &Arc<Cells<C, P>>) {
        F::leave::<C, P>(&self.registry, cells);
    }

    fn count_unregistered(&self, event: Event, class: usize) {
        F::late::<C, P>(&self.registry, event, class);
    }

    fn read(&self) -> [ClassCounts; C] {
        F::read::<C, P>(&self.registry)
    }
}
