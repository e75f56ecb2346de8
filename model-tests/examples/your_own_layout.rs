//! A layout that is not in the core, verified on every engine by one call; with `--broken`, its mistake is found.
use countersign::{Atomic, ClassCounts, Event, Layout, Locks, Primitives, Recorder, Snapshot, Std};
use countersign_models::{Verification, verify};
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::{array, cell::Cell, marker::PhantomData};

/// `N` lanes. The first recorders own one each, for good; all others share the last. With `BROKEN` they do not.
struct Lanes<const C: usize, const N: usize, const BROKEN: bool = false, P: Primitives = Std> {
    lanes: [Lane<C, P>; N],
    registered: P::AtomicU64,
}
#[repr(align(128))] // Allocs and frees of each class, on cache lines of their own.
struct Lane<const C: usize, P: Primitives>([[P::AtomicU64; 2]; C]);
/// A lane, and whether only this recorder writes it (which is why it must not be `Sync`).
struct LaneRecorder<'a, const C: usize, P: Primitives>(&'a Lane<C, P>, bool, PhantomData<Cell<()>>);
impl<const C: usize, P: Primitives> Recorder for LaneRecorder<'_, C, P> {
    fn record(&self, event: Event, class: usize) {
        let [allocs, frees] = &self.0.0[class.min(C - 1)];
        match (event, self.1) {
            // Relaxed: what orders an alloc before a snapshot is its free.
            (Event::Alloc, true) => allocs.store(allocs.load_owned() + 1, Relaxed),
            (Event::Alloc, false) => drop(allocs.fetch_add(1, Relaxed)),
            // Release, with the Acquire in `snapshot`: who counts a free counts its alloc.
            (Event::Free, true) => frees.store(frees.load_owned() + 1, Release),
            (Event::Free, false) => drop(frees.fetch_add(1, Release)),
        }
    }
}
impl<const C: usize, const N: usize, const BROKEN: bool, P: Primitives> Layout for Lanes<C, N, BROKEN, P> {
    const CLASSES: usize = C;
    type On<Q: Locks> = Lanes<C, N, BROKEN, Q>;
    type Snapshot = Snapshot<C>;
    type Recorder<'a> = LaneRecorder<'a, C, P>;
    fn register(&self) -> LaneRecorder<'_, C, P> {
        let turn = self.registered.fetch_add(1, Relaxed); // Relaxed: no lane has a previous owner to hear from.
        let lane = if BROKEN { turn % (N as u64 - 1) } else { turn.min(N as u64 - 1) } as usize;
        LaneRecorder(&self.lanes[lane], lane < N - 1, PhantomData)
    }
    fn record(&self, event: Event, class: usize) {
        LaneRecorder(&self.lanes[N - 1], false, PhantomData).record(event, class);
    }
    fn snapshot(&self) -> Snapshot<C> {
        let mut counts = [ClassCounts::default(); C];
        let cells = || self.lanes.iter().flat_map(|lane| lane.0.iter().enumerate());
        // Acquire, with the Release in `record`: the allocs of these frees happen before the next line reads allocs.
        cells().for_each(|(class, [_, frees])| counts[class].frees += frees.load(Acquire));
        cells().for_each(|(class, [allocs, _])| counts[class].allocs += allocs.load(Relaxed));
        Snapshot::new(counts)
    }
}
impl<const C: usize, const N: usize, const BROKEN: bool, P: Primitives> Default for Lanes<C, N, BROKEN, P> {
    fn default() -> Self {
        let cell = |lane, class, of| Atomic::named(0, format_args!("lanes[{lane}].{of}[{class}]")); // Names: optional.
        let lane = |lane| Lane(array::from_fn(|class| ["allocs", "frees"].map(|of| cell(lane, class, of))));
        Self { lanes: array::from_fn(lane), registered: Atomic::named(0, format_args!("registered")) }
    }
}
fn main() -> Verification {
    let broken = std::env::args().any(|argument| argument == "--broken");
    if broken { verify::<Lanes<2, 2, true>>() } else { verify::<Lanes<2, 2>>() }
}
