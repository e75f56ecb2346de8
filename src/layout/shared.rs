//! One atomic per class and event: the baseline that the problem started from, and the same with padding.
//!
//! Every record is a locked instruction on a line that all threads fight for. There is no registration, no exit and
//! no protocol beyond the order in which a snapshot reads ([`cells`](super::cells)).

use core::array;
use core::cell::Cell;
use core::marker::PhantomData;

use crossbeam_utils::CachePadded;

use super::cells::{SharedCells, in_range};
use super::contract::{Handle, Layout, LendHandle, Recorder};
use crate::event::Event;
use crate::primitives::{Atomic, Locks, Primitives, Std};
use crate::snapshot::{ClassCounts, Snapshot};

/// One alloc and one free counter for each class, side by side: `16 * C` bytes.
///
/// Cost: a record is one `fetch_add` on a line that all threads write; neighbouring classes share lines. A snapshot
/// reads `2 * C` cells.
pub struct Shared<const C: usize, P: Primitives = Std> {
    cells: SharedCells<C, P>,
}

/// [`Shared`] with each class on cache lines of its own: `128 * C` bytes on x86-64.
///
/// Cost: as `Shared`, but threads that record in different classes do not disturb each other.
pub struct Padded<const C: usize, P: Primitives = Std> {
    classes: [CachePadded<SharedCells<1, P>>; C],
}

/// The recorder of a layout in which all threads write the same cells: it owns nothing, and retiring does nothing.
pub struct SharedRecorder<'a, L> {
    layout: &'a L,
    not_sync: PhantomData<Cell<()>>,
}

/// The handle of a [`SharedRecorder`].
pub struct SharedHandle<'a, L> {
    layout: &'a L,
    not_send: PhantomData<*const ()>,
}

impl<const C: usize> Shared<C> {
    /// All counts zero.
    pub const fn new() -> Self {
        Self { cells: SharedCells::zeroed() }
    }
}

impl<const C: usize> Padded<C> {
    /// All counts zero.
    pub const fn new() -> Self {
        Self { classes: [const { CachePadded::new(SharedCells::zeroed()) }; C] }
    }
}

impl<const C: usize, P: Primitives> Layout for Shared<C, P> {
    const CLASSES: usize = C;
    type On<Q: Locks> = Shared<C, Q>;
    type Snapshot = Snapshot<C>;
    type Recorder<'a> = SharedRecorder<'a, Self>;

    fn register(&self) -> Self::Recorder<'_> {
        SharedRecorder { layout: self, not_sync: PhantomData }
    }

    #[inline]
    fn record(&self, event: Event, class: usize) {
        self.cells.record(event, class);
    }

    fn snapshot(&self) -> Snapshot<C> {
        let mut counts = [ClassCounts::default(); C];
        self.cells.add_frees_to(&mut counts);
        self.cells.add_allocs_to(&mut counts);
        Snapshot::new(counts)
    }
}

impl<const C: usize, P: Primitives> Layout for Padded<C, P> {
    const CLASSES: usize = C;
    type On<Q: Locks> = Padded<C, Q>;
    type Snapshot = Snapshot<C>;
    type Recorder<'a> = SharedRecorder<'a, Self>;

    fn register(&self) -> Self::Recorder<'_> {
        SharedRecorder { layout: self, not_sync: PhantomData }
    }

    #[inline]
    fn record(&self, event: Event, class: usize) {
        self.classes[in_range::<C>(class)].record(event, 0);
    }

    fn snapshot(&self) -> Snapshot<C> {
        let mut counts = [[ClassCounts::default()]; C];
        for (cells, counts) in self.classes.iter().zip(&mut counts) {
            cells.add_frees_to(counts);
        }
        for (cells, counts) in self.classes.iter().zip(&mut counts) {
            cells.add_allocs_to(counts);
        }
        Snapshot::new(counts.map(|[counts]| counts))
    }
}

impl<L: Layout> Recorder for SharedRecorder<'_, L> {
    #[inline]
    fn record(&self, event: Event, class: usize) {
        self.layout.record(event, class);
    }
}

impl<'a, L: Layout> LendHandle for SharedRecorder<'a, L> {
    type Handle = SharedHandle<'a, L>;

    fn handle(&self) -> Option<Self::Handle> {
        Some(SharedHandle { layout: self.layout, not_send: PhantomData })
    }
}

impl<L: Layout> Handle for SharedHandle<'_, L> {
    #[inline]
    fn record(self, event: Event, class: usize) {
        self.layout.record(event, class);
    }
}

impl<L> Copy for SharedHandle<'_, L> {}

impl<L> Clone for SharedHandle<'_, L> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<const C: usize, P: Primitives> Default for Shared<C, P> {
    fn default() -> Self {
        Self { cells: SharedCells::from_fn(|events, class| Atomic::named(0, format_args!("{events}[{class}]"))) }
    }
}

impl<const C: usize, P: Primitives> Default for Padded<C, P> {
    fn default() -> Self {
        Self {
            classes: array::from_fn(|class| {
                let cell = |events: &str, _| Atomic::named(0, format_args!("classes[{class}].{events}"));
                CachePadded::new(SharedCells::from_fn(cell))
            }),
        }
    }
}
