//! Mistakes that a checker could make, one line each.

/// A fault in the axioms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Two writes may be ordered against happens-before.
    NoCoherenceWriteWrite,
    /// A read may overlook a write that happens-before it.
    NoCoherenceWriteRead,
    /// A read may read from a write that is modification-ordered after one that happens-after it.
    NoCoherenceReadWrite,
    /// Two reads may see two writes in the wrong order.
    NoCoherenceReadRead,
    /// A write may come between the two halves of a read-modify-write.
    NoAtomicity,
    /// A read-modify-write ends a release sequence.
    NoReleaseSequences,
    /// The second read-modify-write ends a release sequence.
    ShortReleaseSequences,
    /// A later write of the releasing thread goes on with the release sequence, as before C++20.
    OldReleaseSequences,
    /// A fence does not turn later writes into releases.
    NoReleaseFences,
    /// A fence does not turn earlier reads into acquires.
    NoAcquireFences,
    /// Nothing synchronises.
    NoSynchronization,
    /// An acq_rel fence is an acquire only.
    AcqRelFenceNotRelease,
    /// An acq_rel fence is a release only.
    AcqRelFenceNotAcquire,
    /// A seq_cst write does not release.
    SeqCstStoreNotRelease,
    /// A seq_cst read does not acquire.
    SeqCstLoadNotAcquire,
    /// A seq_cst fence is no more than an acq_rel one.
    SeqCstFenceIsAcqRel,
    /// A seq_cst access is no more than an acquire or a release.
    SeqCstAccessIsAcqRel,
    /// A failed compare-exchange has the ordering of a successful one.
    FailureHasSuccessOrder,
    /// There is no order of the seq_cst events.
    NoSequentialConsistency,
    /// Program order does not order them.
    NoPoInScb,
    /// Happens-before between other events does not order them.
    NoHbInScb,
    /// Happens-before at one variable does not order them.
    NoHbLocInScb,
    /// Happens-before orders them wherever it comes from, as in C++11.
    AllHbInScb,
    /// Happens-before through other events orders them also if these are at the same variables.
    AnyLocationAroundHb,
    /// Modification order does not order them.
    NoMoInScb,
    /// A read that overlooks a write is not ordered before it.
    NoRbInScb,
    /// What happens-after a seq_cst fence is not ordered after it.
    NoFenceBeforeScb,
    /// What happens-before a seq_cst fence is not ordered before it.
    NoFenceAfterScb,
    /// What lies between two fences does not order them unless it synchronises.
    NoEcoBetweenFences,
}

impl Fault {
    /// Every fault.
    pub(crate) const ALL: [Self; 29] = [
        Self::NoCoherenceWriteWrite,
        Self::NoCoherenceWriteRead,
        Self::NoCoherenceReadWrite,
        Self::NoCoherenceReadRead,
        Self::NoAtomicity,
        Self::NoReleaseSequences,
        Self::ShortReleaseSequences,
        Self::OldReleaseSequences,
        Self::NoReleaseFences,
        Self::NoAcquireFences,
        Self::NoSynchronization,
        Self::AcqRelFenceNotRelease,
        Self::AcqRelFenceNotAcquire,
        Self::SeqCstStoreNotRelease,
        Self::SeqCstLoadNotAcquire,
        Self::SeqCstFenceIsAcqRel,
        Self::SeqCstAccessIsAcqRel,
        Self::FailureHasSuccessOrder,
        Self::NoSequentialConsistency,
        Self::NoPoInScb,
        Self::NoHbInScb,
        Self::NoHbLocInScb,
        Self::AllHbInScb,
        Self::AnyLocationAroundHb,
        Self::NoMoInScb,
        Self::NoRbInScb,
        Self::NoFenceBeforeScb,
        Self::NoFenceAfterScb,
        Self::NoEcoBetweenFences,
    ];
}
