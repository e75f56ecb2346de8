//! Folding: a cell block for each live thread, folded into a retired total at exit.
//!
//! For programs with so many threads at once that no fixed number of slots would do: memory grows with the live
//! threads and shrinks when they exit.
//!
//! # The protocol
//!
//! A mutex guards the *registry*: the counts of all retired threads, and a list of the live threads' cells.
//!
//! ```text
//!   register               exit                          snapshot
//!   ────────               ────                          ────────
//!   allocate a node
//!   ┌ lock ────────┐       ┌ lock ──────────────────┐    ┌ lock ─────────────────────┐
//!   │ link         │       │ fold: retired += cells │    │ retired                   │
//!   └ unlock ──────┘       │ unlink                 │    │ + frees of every live cell│
//!   count, count, ..       └ unlock ────────────────┘    │ + allocs of every live    │
//!                          free the node                 └ unlock ───────────────────┘
//! ```
//!
//! **link** makes the cells visible to snapshots; **count** is an owner's read, an addition and a store, without the
//! lock; **fold** and **unlink** move the counts into the total.
//!
//! # The race to fear
//!
//! A snapshot between *fold* and *unlink* would count the leaving thread twice, one between *unlink* and *fold* not at
//! all (folly #133, openjdk/jdk #13814); a reader that looks at the total and at the list in two critical sections is
//! wrong in whichever order the writer works. So both are one critical section on both sides.
//!
//! An alloc cannot be missed whose free is counted: a thread that allocated and registered while a snapshot holds the
//! lock did so after that snapshot ended, and so did whoever frees its block.
//!
//! Nothing is allocated or freed while the lock is held: in a global allocator that would re-enter the registry.

use core::cell::Cell;
use core::marker::PhantomData;
use std::boxed::Box;
use std::sync::Arc;

use crossbeam_utils::CachePadded;

use super::cells::{OwnedCells, in_range};
use super::contract::{Handle, Layout, LendHandle, Recorder};
use crate::event::Event;
use crate::primitives::{Atomic, Lock, Locks, Primitives, Std};
use crate::snapshot::{ClassCounts, Snapshot};

/// A cell block for each live thread, and a total of the exited ones.
///
/// Memory: `16 * C` bytes and two cache lines for each live recorder.
///
/// Cost: a record is a load, an addition and a store in the thread's own lines. `register` allocates; `register`,
/// exit, `snapshot` and events recorded without a recorder take a mutex; exit and `snapshot` walk the list of live
/// threads.
pub struct Folding<const C: usize, P: Locks = Std> {
    registry: P::Mutex<Registry<C, P>>,
}

/// The recorder of [`Folding`]: it owns a cell block.
pub struct FoldingRecorder<'a, const C: usize, P: Locks> {
    layout: &'a Folding<C, P>,
    cells: Arc<CachePadded<OwnedCells<C, P>>>,
    not_sync: PhantomData<Cell<()>>,
}

/// A [`FoldingRecorder`] lends no handle: its cells are freed at exit, and a copy could outlive them.
#[derive(Clone, Copy, Debug)]
pub enum FoldingHandle {}

struct Registry<const C: usize, P: Primitives> {
    retired: [ClassCounts; C],
    live: Option<Box<Node<C, P>>>,
}

struct Node<const C: usize, P: Primitives> {
    cells: Arc<CachePadded<OwnedCells<C, P>>>,
    next: Option<Box<Self>>,
}

impl<const C: usize> Folding<C> {
    /// All counts zero and no thread registered.
    pub const fn new() -> Self {
        Self { registry: std::sync::Mutex::new(Registry::new()) }
    }
}

impl<const C: usize, P: Locks> Layout for Folding<C, P> {
    const CLASSES: usize = C;
    type On<Q: Locks> = Folding<C, Q>;
    type Snapshot = Snapshot<C>;
    type Recorder<'a> = FoldingRecorder<'a, C, P>;

    fn register(&self) -> Self::Recorder<'_> {
        let cell = |events: &str, class| Atomic::named(0, format_args!("node.{events}[{class}]"));
        let cells = Arc::new(CachePadded::new(OwnedCells::from_fn(cell)));
        let node = Box::new(Node { cells: Arc::clone(&cells), next: None });
        self.registry.lock().link(node);
        FoldingRecorder { layout: self, cells, not_sync: PhantomData }
    }

    fn record(&self, event: Event, class: usize) {
        self.registry.lock().retired[in_range::<C>(class)].count(event);
    }

    fn snapshot(&self) -> Snapshot<C> {
        let registry = self.registry.lock();
        let mut counts = registry.retired;
        registry.live().for_each(|cells| cells.add_frees_to(&mut counts));
        registry.live().for_each(|cells| cells.add_allocs_to(&mut counts));
        Snapshot::new(counts)
    }
}

impl<const C: usize, P: Locks> Recorder for FoldingRecorder<'_, C, P> {
    #[inline]
    fn record(&self, event: Event, class: usize) {
        self.cells.record(event, class);
    }
}

impl<const C: usize, P: Locks> Drop for FoldingRecorder<'_, C, P> {
    fn drop(&mut self) {
        let mut registry = self.layout.registry.lock();
        self.cells.add_owned_to(&mut registry.retired);
        let node = registry.unlink(&self.cells);
        drop(registry);
        // Only now: freeing memory re-enters a global allocator that counts, and so perhaps this lock.
        drop(node);
    }
}

impl<const C: usize, P: Locks> LendHandle for FoldingRecorder<'_, C, P> {
    type Handle = FoldingHandle;

    fn handle(&self) -> Option<FoldingHandle> {
        None
    }
}

impl Handle for FoldingHandle {
    fn record(self, _: Event, _: usize) {
        match self {}
    }
}

impl<const C: usize, P: Primitives> Registry<C, P> {
    const fn new() -> Self {
        Self { retired: [ClassCounts { allocs: 0, frees: 0 }; C], live: None }
    }

    fn link(&mut self, mut node: Box<Node<C, P>>) {
        node.next = self.live.take();
        self.live = Some(node);
    }

    fn unlink(&mut self, cells: &Arc<CachePadded<OwnedCells<C, P>>>) -> Option<Box<Node<C, P>>> {
        let mut link = &mut self.live;
        while !Arc::ptr_eq(&link.as_ref()?.cells, cells) {
            link = &mut link.as_mut()?.next;
        }
        let mut node = link.take()?;
        *link = node.next.take();
        Some(node)
    }

    fn live(&self) -> impl Iterator<Item = &OwnedCells<C, P>> {
        core::iter::successors(self.live.as_ref(), |node| node.next.as_ref()).map(|node| &**node.cells)
    }
}

impl<const C: usize, P: Locks> Default for Folding<C, P> {
    fn default() -> Self {
        Self { registry: Lock::named(Registry::new(), format_args!("registry")) }
    }
}
