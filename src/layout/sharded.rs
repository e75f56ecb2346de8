//! Shards: `N` cache-padded cells per class, each used by few threads.
//!
//! The layout that many runtimes went to from a single atomic, kept as a reference. It divides the contention by the
//! number of shards but still pays a locked instruction for each event, and a snapshot scans `N` shards in each
//! class.
//!
//! A recorder keeps the index of its shard, dealt out in turn by `register`. Two threads may hold the same shard, so
//! cells are written by `fetch_add`, and a thread's exit has nothing to hand over.

use core::array;
use core::cell::Cell;
use core::marker::PhantomData;
use core::sync::atomic::Ordering::Relaxed;

use crossbeam_utils::CachePadded;

use super::cells::{SharedCells, in_range};
use super::contract::{Handle, Layout, LendHandle, Recorder};
use crate::event::Event;
use crate::primitives::{Atomic, Locks, Primitives, Std};
use crate::snapshot::{ClassCounts, Snapshot};

/// `N` shards in each class, each on cache lines of its own: `128 * N * C` bytes on x86-64.
///
/// Cost: a record is one `fetch_add`, uncontended while there are no more threads than shards. A snapshot reads
/// `2 * N * C` cells. Events recorded without a recorder go to the first shard.
pub struct Sharded<const C: usize, const N: usize = 32, P: Primitives = Std> {
    classes: [[CachePadded<SharedCells<1, P>>; N]; C],
    /// How many recorders were registered.
    registered: CachePadded<P::AtomicU64>,
}

/// The recorder of [`Sharded`].
pub struct ShardedRecorder<'a, const C: usize, const N: usize, P: Primitives> {
    layout: &'a Sharded<C, N, P>,
    shard: usize,
    not_sync: PhantomData<Cell<()>>,
}

/// The handle of a [`ShardedRecorder`].
pub struct ShardedHandle<'a, const C: usize, const N: usize, P: Primitives> {
    layout: &'a Sharded<C, N, P>,
    shard: usize,
    not_send: PhantomData<*const ()>,
}

impl<const C: usize, const N: usize> Sharded<C, N> {
    /// All counts zero.
    pub const fn new() -> Self {
        Self {
            classes: [const { [const { CachePadded::new(SharedCells::zeroed()) }; N] }; C],
            registered: CachePadded::new(core::sync::atomic::AtomicU64::new(0)),
        }
    }
}

impl<const C: usize, const N: usize, P: Primitives> Sharded<C, N, P> {
    #[inline]
    fn record_in(&self, shard: usize, event: Event, class: usize) {
        self.classes[in_range::<C>(class)][in_range::<N>(shard)].record(event, 0);
    }
}

impl<const C: usize, const N: usize, P: Primitives> Layout for Sharded<C, N, P> {
    const CLASSES: usize = C;
    type On<Q: Locks> = Sharded<C, N, Q>;
    type Snapshot = Snapshot<C>;
    type Recorder<'a> = ShardedRecorder<'a, C, N, P>;

    fn register(&self) -> Self::Recorder<'_> {
        const { assert!(N > 0, "`Sharded` needs at least one shard") };
        // Relaxed: only the number itself matters, and any shard is right for any thread.
        let turn = self.registered.fetch_add(1, Relaxed);
        ShardedRecorder { layout: self, shard: (turn % N as u64) as usize, not_sync: PhantomData }
    }

    #[inline]
    fn record(&self, event: Event, class: usize) {
        self.record_in(0, event, class);
    }

    fn snapshot(&self) -> Snapshot<C> {
        let mut counts = [[ClassCounts::default()]; C];
        for (shards, counts) in self.classes.iter().zip(&mut counts) {
            shards.iter().for_each(|cells| cells.add_frees_to(counts));
        }
        for (shards, counts) in self.classes.iter().zip(&mut counts) {
            shards.iter().for_each(|cells| cells.add_allocs_to(counts));
        }
        Snapshot::new(counts.map(|[counts]| counts))
    }
}

impl<const C: usize, const N: usize, P: Primitives> Recorder for ShardedRecorder<'_, C, N, P> {
    #[inline]
    fn record(&self, event: Event, class: usize) {
        self.layout.record_in(self.shard, event, class);
    }
}

impl<'a, const C: usize, const N: usize, P: Primitives> LendHandle for ShardedRecorder<'a, C, N, P> {
    type Handle = ShardedHandle<'a, C, N, P>;

    fn handle(&self) -> Option<Self::Handle> {
        Some(ShardedHandle { layout: self.layout, shard: self.shard, not_send: PhantomData })
    }
}

impl<const C: usize, const N: usize, P: Primitives> Handle for ShardedHandle<'_, C, N, P> {
    #[inline]
    fn record(self, event: Event, class: usize) {
        self.layout.record_in(self.shard, event, class);
    }
}

impl<const C: usize, const N: usize, P: Primitives> Copy for ShardedHandle<'_, C, N, P> {}

impl<const C: usize, const N: usize, P: Primitives> Clone for ShardedHandle<'_, C, N, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<const C: usize, const N: usize, P: Primitives> Default for Sharded<C, N, P> {
    fn default() -> Self {
        Self {
            classes: array::from_fn(|class| {
                array::from_fn(|shard| {
                    let cell = |events: &str, _| Atomic::named(0, format_args!("shards[{shard}].{events}[{class}]"));
                    CachePadded::new(SharedCells::from_fn(cell))
                })
            }),
            registered: CachePadded::new(Atomic::named(0, format_args!("registered"))),
        }
    }
}
