//! A thread that records into a profile and counts the same for itself, and the destructors of its thread-locals.

use std::cell::Cell;
use std::marker::PhantomData;

use crate::study::stress::profile::Profile;
use crate::study::stress::tally::Tally;

/// Records into the profile `P`, and counts the same in plain integers of its thread.
pub(super) struct Worker<P> {
    own: Tally,
    profile: PhantomData<fn() -> P>,
}

/// What a snapshot by the thread itself showed.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct OwnReadings {
    pub(super) snapshots: u64,
    /// Snapshots that counted less than had happened before them.
    pub(super) short: u64,
}

impl<P: Profile> Worker<P> {
    pub(super) fn new() -> Self {
        Self { own: Tally::default(), profile: PhantomData }
    }

    /// A block of the class is allocated.
    #[inline]
    pub(super) fn alloc(&mut self, class: usize) {
        P::alloc(class);
        self.own.0[class].allocs += 1;
    }

    /// A block of the class is freed.
    #[inline]
    pub(super) fn free(&mut self, class: usize) {
        P::free(class);
        self.own.0[class].frees += 1;
    }

    /// Counts what another thread recorded, which has been joined or has come to the end of its scope.
    pub(super) fn take_in(&mut self, other: &Tally) {
        self.own.add(other);
    }

    /// Takes a snapshot, which counts at least `before` and what this thread knows of.
    pub(super) fn read_own(&self, before: &Tally, readings: &mut OwnReadings) {
        readings.snapshots += 1;
        readings.short += u64::from(P::snapshot().smaller(&before.plus(&self.own)).next().is_some());
    }

    /// Everything counted.
    pub(super) fn into_tally(self) -> Tally {
        self.own
    }
}

/// Which of two thread-locals is touched: the one that is touched first, or the one that is touched last, with the
/// profile's guard between them. Whatever the order of destructors is, one of theirs runs before the guard's and one after
/// it, and records what [`late_tally`] says.
#[derive(Clone, Copy, Debug)]
pub(super) enum Touch {
    First,
    Last,
}

/// Touches a thread-local whose destructor records in the class.
pub(super) fn touch<P: Profile>(touch: Touch, class: usize) {
    thread_local! {
        static TOUCHED_FIRST: Late = const { Late(Cell::new(None)) };
        static TOUCHED_LAST: Late = const { Late(Cell::new(None)) };
    }
    let key = match touch {
        Touch::First => &TOUCHED_FIRST,
        Touch::Last => &TOUCHED_LAST,
    };
    key.with(|late| late.0.set(Some((record_late::<P>, class))));
}

/// The events of one late destructor: blocks are allocated, and all but one of them are freed. They are many, so that a
/// thread that still counts in a slot that is no longer its own meets the slot's next owner.
pub(super) fn late_tally(class: usize) -> Tally {
    let mut tally = Tally::default();
    tally.0[class].allocs = 1 + LATE;
    tally.0[class].frees = LATE;
    tally
}

const LATE: u64 = 100;

fn record_late<P: Profile>(class: usize) {
    P::alloc(class);
    for _ in 0..LATE {
        P::alloc(class);
        P::free(class);
    }
}

/// Records in its destructor, in a class.
struct Late(Cell<Option<(RecordLate, usize)>>);

type RecordLate = fn(usize);

impl Drop for Late {
    fn drop(&mut self) {
        if let Some((record, class)) = self.0.take() {
            record(class);
        }
    }
}
