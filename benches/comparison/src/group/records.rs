//! Records of allocs by size class.

use std::cell::Cell;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

use contatori::counters::unsigned::Unsigned;
use contatori::counters::{CounterValue, Observable};
use countersign::{AllocProfile, Folding, Llgo, Padded, Sharded, Shared, Slots};
use crossbeam_utils::CachePadded;
use fast_counter::ConcurrentCounter;
use prometheus::IntCounter;

use super::counter::{Counter, Total, class, count_plainly, each, finish_plainly, plain_total};

const COUNT: usize = Llgo::COUNT;

/// As many as `Slots` has.
const BLOCKS: usize = 64;

/// `slots` is the reference.
pub(super) fn counters() -> Vec<Counter> {
    let mut counters = layouts();
    counters.extend([floor(), behind_a_pointer(), private(), contatori(), fast_counter(), prometheus()]);
    counters
}

/// Each layout through `thread_profile!`, as a program records.
fn layouts() -> Vec<Counter> {
    macro_rules! layouts {
        ($($name:literal: $layout:ident;)*) => {
            vec![$({
                countersign::thread_profile! {
                    static HEAP: AllocProfile<$layout<COUNT>, Llgo> = AllocProfile::new($layout::new());
                }
                Counter {
                    name: $name,
                    record: |sizes| each(sizes, |size| HEAP.record_alloc(size)),
                    finish: || (),
                    total: Total::Events(|| HEAP.snapshot().totals().allocs),
                }
            },)*]
        };
    }
    layouts! {
        "slots": Slots;
        "folding": Folding;
        "sharded": Sharded;
        "padded": Padded;
        "shared": Shared;
    }
}

fn floor() -> Counter {
    Counter {
        name: "floor",
        record: |sizes| each(sizes, count_plainly),
        finish: finish_plainly,
        total: Total::Events(plain_total),
    }
}

/// The floor where the thread finds its integers through a pointer, as it must whenever others are to find them too.
fn behind_a_pointer() -> Counter {
    thread_local! {
        static PLAIN: Cell<Option<&'static [Cell<u64>; COUNT]>> = const { Cell::new(None) };
    }
    static TOTAL: AtomicU64 = AtomicU64::new(0);

    #[cold]
    fn make() -> &'static [Cell<u64>; COUNT] {
        // Leaked: a few hundred bytes for each of a few thousand threads.
        let cells = Box::leak(Box::new([const { Cell::new(0) }; COUNT]));
        PLAIN.set(Some(cells));
        cells
    }
    Counter {
        name: "floor, by pointer",
        record: |sizes| {
            each(sizes, |size| {
                let cell = &PLAIN.get().unwrap_or_else(make)[class(size)];
                cell.set(cell.get() + 1);
            });
        },
        finish: || {
            let counted = PLAIN.get().map_or(0, |cells| cells.iter().map(Cell::take).sum());
            // Relaxed: the thread is joined before the total is read.
            TOTAL.fetch_add(counted, Relaxed);
        },
        // Relaxed: as above.
        total: Total::Events(|| TOTAL.load(Relaxed)),
    }
}

/// The locked increments of `shared`, on lines that no other thread touches, while there are no more than [`BLOCKS`].
fn private() -> Counter {
    static CELLS: [CachePadded<[AtomicU64; COUNT]>; BLOCKS] =
        [const { CachePadded::new([const { AtomicU64::new(0) }; COUNT]) }; BLOCKS];
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    thread_local! {
        // Relaxed: nothing is read through it.
        static BLOCK: usize = NEXT.fetch_add(1, Relaxed) % BLOCKS;
    }
    Counter {
        name: "private",
        record: |sizes| {
            // Relaxed: the thread is joined before the total is read.
            each(sizes, |size| _ = CELLS[BLOCK.with(|block| *block)][class(size)].fetch_add(1, Relaxed));
        },
        finish: || (),
        // Relaxed: as above.
        total: Total::Events(|| CELLS.iter().flat_map(|cells| cells.iter()).map(|cell| cell.load(Relaxed)).sum()),
    }
}

fn contatori() -> Counter {
    static COUNTERS: [Unsigned; COUNT] = [const { Unsigned::new() }; COUNT];
    fn value(counter: &Unsigned) -> u64 {
        match counter.value() {
            CounterValue::Unsigned(value) => value,
            other => unreachable!("an unsigned counter shows {other:?}"),
        }
    }
    Counter {
        name: "contatori",
        record: |sizes| each(sizes, |size| COUNTERS[class(size)].add(1)),
        finish: || (),
        total: Total::Events(|| COUNTERS.iter().map(value).sum()),
    }
}

fn fast_counter() -> Counter {
    /// As many as `Sharded` has.
    const SHARDS: usize = 32;
    static COUNTERS: LazyLock<[ConcurrentCounter; COUNT]> =
        LazyLock::new(|| std::array::from_fn(|_| ConcurrentCounter::new(SHARDS)));
    Counter {
        name: "fast-counter",
        record: |sizes| {
            let counters = &*COUNTERS;
            each(sizes, |size| counters[class(size)].add(1));
        },
        finish: || (),
        total: Total::Events(|| COUNTERS.iter().map(|counter| counter.sum() as u64).sum()),
    }
}

fn prometheus() -> Counter {
    static COUNTERS: LazyLock<[IntCounter; COUNT]> = LazyLock::new(|| {
        let counter = |class| IntCounter::new(format!("class_{class}"), "allocs").expect("the name is valid");
        std::array::from_fn(counter)
    });
    Counter {
        name: "prometheus",
        record: |sizes| {
            let counters = &*COUNTERS;
            each(sizes, |size| counters[class(size)].inc());
        },
        finish: || (),
        total: Total::Events(|| COUNTERS.iter().map(IntCounter::get).sum()),
    }
}
