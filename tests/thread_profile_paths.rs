//! Which way an event of a `thread_profile!` goes, as its documentation draws it: a layout that tells.

#![cfg(feature = "std")]
#![allow(missing_docs, reason = "a test")]

use std::marker::PhantomData;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::thread;

use countersign::{AllocProfile, ClassCounts, Event, Handle, Layout, LendHandle, Llgo, Locks, Recorder, Snapshot};

const CLASSES: usize = Llgo::COUNT;

/// Counts the events that came each way.
#[derive(Default)]
struct Ways {
    through_handle: AtomicU64,
    through_recorder: AtomicU64,
    without: AtomicU64,
    /// Through a handle of a thread that had retired, which nobody may do.
    after_retirement: AtomicU64,
}

struct WayRecorder<'a> {
    ways: &'a Ways,
    is_alive: &'static AtomicBool,
}

#[derive(Clone, Copy)]
struct WayHandle<'a> {
    ways: &'a Ways,
    is_alive: &'static AtomicBool,
    not_send: PhantomData<*const ()>,
}

impl Ways {
    const fn new() -> Self {
        Self {
            through_handle: AtomicU64::new(0),
            through_recorder: AtomicU64::new(0),
            without: AtomicU64::new(0),
            after_retirement: AtomicU64::new(0),
        }
    }

    /// Everything so far, in the order of the fields.
    fn so_far(&self) -> [u64; 4] {
        [&self.through_handle, &self.through_recorder, &self.without, &self.after_retirement]
            .map(|way| way.load(Relaxed))
    }
}

impl Layout for Ways {
    const CLASSES: usize = CLASSES;
    type On<Q: Locks> = Self;
    type Snapshot = Snapshot<CLASSES>;
    type Recorder<'a> = WayRecorder<'a>;

    fn register(&self) -> WayRecorder<'_> {
        WayRecorder { ways: self, is_alive: Box::leak(Box::new(AtomicBool::new(true))) }
    }

    fn record(&self, _: Event, _: usize) {
        self.without.fetch_add(1, Relaxed);
    }

    fn snapshot(&self) -> Snapshot<CLASSES> {
        Snapshot::new([ClassCounts::default(); CLASSES])
    }
}

impl Recorder for WayRecorder<'_> {
    fn record(&self, _: Event, _: usize) {
        self.ways.through_recorder.fetch_add(1, Relaxed);
    }
}

impl Drop for WayRecorder<'_> {
    fn drop(&mut self) {
        self.is_alive.store(false, Relaxed);
    }
}

impl<'a> LendHandle for WayRecorder<'a> {
    type Handle = WayHandle<'a>;

    fn handle(&self) -> Option<WayHandle<'a>> {
        Some(WayHandle { ways: self.ways, is_alive: self.is_alive, not_send: PhantomData })
    }
}

impl Handle for WayHandle<'_> {
    fn record(self, _: Event, _: usize) {
        let Ways { through_handle, after_retirement, .. } = self.ways;
        let way = if self.is_alive.load(Relaxed) { through_handle } else { after_retirement };
        way.fetch_add(1, Relaxed);
    }
}

countersign::thread_profile! {
    static HEAP: AllocProfile<Ways, Llgo> = AllocProfile::new(Ways::new());
}

/// Records when its thread's locals are destroyed.
struct Late;

impl Drop for Late {
    fn drop(&mut self) {
        HEAP.record_free(1);
    }
}

thread_local! {
    static TOUCHED_FIRST: Late = const { Late };
    static TOUCHED_LAST: Late = const { Late };
}

#[test]
fn the_first_event_registers_the_next_ones_find_the_handle_and_late_ones_go_without() {
    let ways = HEAP.profile().layout();
    thread::spawn(|| {
        TOUCHED_FIRST.with(|_| ());
        HEAP.record_alloc(1);
        assert_eq!(HEAP.profile().layout().so_far(), [0, 1, 0, 0]);
        (0..5).for_each(|_| HEAP.record_alloc(1));
        assert_eq!(HEAP.profile().layout().so_far(), [5, 1, 0, 0]);
        TOUCHED_LAST.with(|_| ());
    })
    .join()
    .unwrap();
    // One of the two is destroyed before the guard and the other after it, whichever that is.
    assert_eq!(ways.so_far(), [6, 1, 1, 0]);
}
