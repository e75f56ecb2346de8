//! A layout from what a mutant has to say about it.

use countersign::{Claims, ClassCounts, Event, Layout, Locks, Recorder, Snapshot};

/// How threads record, retire and read: a [`Layout`] without the types that are the same for all mutants.
pub(crate) trait Protocol<const C: usize>: Send + Sync + 'static {
    /// What is promised.
    const CLAIMS: Claims = Claims::ALL;

    /// The same protocol on other primitives.
    type On<Q: Locks>: Protocol<C>;

    /// What a recorder has of its own.
    type Own: Send;

    /// All counts zero and no thread registered.
    fn new() -> Self;

    /// A thread registers.
    fn register(&self) -> Self::Own;

    /// A thread records an event through its recorder.
    fn count(&self, own: &Self::Own, event: Event, class: usize);

    /// A thread retires.
    fn retire(&self, own: &Self::Own);

    /// A thread records an event without a recorder.
    fn count_unregistered(&self, event: Event, class: usize);

    /// A reader's counts.
    fn read(&self) -> [ClassCounts; C];
}

/// The layout of a [`Protocol`].
pub(crate) struct Mutant<const C: usize, X>(X);

/// The recorder of a [`Mutant`].
pub(crate) struct MutantRecorder<'a, const C: usize, X: Protocol<C>> {
    protocol: &'a X,
    own: X::Own,
}

impl<const C: usize, X: Protocol<C>> Layout for Mutant<C, X> {
    const CLASSES: usize = C;
    const CLAIMS: Claims = X::CLAIMS;
    type On<Q: Locks> = Mutant<C, X::On<Q>>;
    type Snapshot = Snapshot<C>;
    type Recorder<'a> = MutantRecorder<'a, C, X>;

    fn register(&self) -> Self::Recorder<'_> {
        MutantRecorder { protocol: &self.0, own: self.0.register() }
    }

    fn record(&self, event: Event, class: usize) {
        self.0.count_unregistered(event, class);
    }

    fn snapshot(&self) -> Snapshot<C> {
        Snapshot::new(self.0.read())
    }
}

impl<const C: usize, X: Protocol<C>> Recorder for MutantRecorder<'_, C, X> {
    fn record(&self, event: Event, class: usize) {
        self.protocol.count(&self.own, event, class);
    }
}

impl<const C: usize, X: Protocol<C>> Drop for MutantRecorder<'_, C, X> {
    fn drop(&mut self) {
        self.protocol.retire(&self.own);
    }
}

impl<const C: usize, X: Protocol<C>> Default for Mutant<C, X> {
    fn default() -> Self {
        Self(X::new())
    }
}
