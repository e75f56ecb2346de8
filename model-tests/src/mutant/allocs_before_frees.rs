//! A snapshot reads the allocs before the frees.
//!
//! Source: stats_alloc, whose statistics are read field by field in this order. Breaks: in use never negative. A block
//! that is allocated and freed between the two readings is counted as a free alone. Every engine can catch it.

use countersign::{Claims, ClassCounts, Event, Layout, Locks, Primitives, Recorder, Snapshot, Std};

use super::parts::Cells;

/// See the [module](self). With `WITHHELD` it does not claim what it breaks, and is then a correct layout.
pub struct AllocsBeforeFrees<const C: usize, const WITHHELD: bool, P: Primitives = Std>(Cells<C, P>);

/// The recorder of [`AllocsBeforeFrees`].
pub struct AllocsBeforeFreesRecorder<'a, const C: usize, P: Primitives>(&'a Cells<C, P>);

impl<const C: usize, const WITHHELD: bool, P: Primitives> Layout for AllocsBeforeFrees<C, WITHHELD, P> {
    const CLASSES: usize = C;
    const CLAIMS: Claims = Claims { in_use_never_negative: !WITHHELD, ..Claims::ALL };
    type On<Q: Locks> = AllocsBeforeFrees<C, WITHHELD, Q>;
    type Snapshot = Snapshot<C>;
    type Recorder<'a> = AllocsBeforeFreesRecorder<'a, C, P>;

    fn register(&self) -> Self::Recorder<'_> {
        AllocsBeforeFreesRecorder(&self.0)
    }

    fn record(&self, event: Event, class: usize) {
        self.0.record_shared(event, class);
    }

    fn snapshot(&self) -> Snapshot<C> {
        let mut counts = [ClassCounts::default(); C];
        self.0.add_allocs_to(&mut counts);
        self.0.add_frees_to(&mut counts);
        Snapshot::new(counts)
    }
}

impl<const C: usize, P: Primitives> Recorder for AllocsBeforeFreesRecorder<'_, C, P> {
    fn record(&self, event: Event, class: usize) {
        self.0.record_shared(event, class);
    }
}

impl<const C: usize, const WITHHELD: bool, P: Primitives> Default for AllocsBeforeFrees<C, WITHHELD, P> {
    fn default() -> Self {
        Self(Cells::default())
    }
}
