//! How long a record and a snapshot take in each layout, beside a plain thread-local increment, on one thread and on two.
//!
//! ```console
//! $ cargo bench -p countersign --bench layouts
//! ```

#![allow(missing_docs, reason = "a measurement")]

use std::cell::Cell;
use std::hint::black_box;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use countersign::{AllocProfile, Folding, Llgo, Padded, Sharded, Shared, SizeClasses, Slots, Snapshot};
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};

/// What is measured. The loops over records are inside, so that records are inlined as in a program.
struct Subject {
    name: &'static str,
    record: fn(u64),
    snapshot: fn() -> Snapshot<{ Llgo::COUNT }>,
}

macro_rules! subjects {
    ($($name:ident: $layout:ty = $new:expr;)*) => {
        [$({
            countersign::thread_profile! {
                static HEAP: AllocProfile<$layout, Llgo> = AllocProfile::new($new);
            }
            Subject {
                name: stringify!($name),
                record: |times| sizes(times).for_each(|size| HEAP.record_alloc(size)),
                snapshot: || HEAP.snapshot(),
            }
        },)*]
    };
}

fn subjects() -> [Subject; 5] {
    subjects! {
        slots: Slots<{ Llgo::COUNT }> = Slots::new();
        folding: Folding<{ Llgo::COUNT }> = Folding::new();
        sharded: Sharded<{ Llgo::COUNT }> = Sharded::new();
        padded: Padded<{ Llgo::COUNT }> = Padded::new();
        shared: Shared<{ Llgo::COUNT }> = Shared::new();
    }
}

fn floor(times: u64) {
    thread_local! {
        static PLAIN: [Cell<u64>; Llgo::COUNT] = const { [const { Cell::new(0) }; Llgo::COUNT] };
    }
    sizes(times).for_each(|size| {
        PLAIN.with(|cells| {
            let cell = &cells[Llgo::index(size as u64)];
            cell.set(cell.get() + 1);
        });
    });
}

/// Sizes of the eight smallest classes in turn, so that two threads meet in one class as they do in a program.
fn sizes(times: u64) -> impl Iterator<Item = usize> {
    (0..times).map(|n| black_box(16 << (n % 8)))
}

/// How long the slowest of `threads` takes for `times` records, all at once.
fn elapsed(threads: usize, times: u64, record: fn(u64)) -> Duration {
    let start = Barrier::new(threads);
    let run = || {
        // Registers the thread.
        record(1);
        start.wait();
        let begun = Instant::now();
        record(times);
        begun.elapsed()
    };
    thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(run)).collect();
        threads.into_iter().map(|thread| thread.join().expect("recording does not panic")).max().unwrap_or_default()
    })
}

fn record(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("record");
    for threads in [1, 2] {
        group.bench_function(BenchmarkId::new("floor", threads), |bencher| {
            bencher.iter_custom(|times| elapsed(threads, times, floor));
        });
        for Subject { name, record, .. } in subjects() {
            group.bench_function(BenchmarkId::new(name, threads), |bencher| {
                bencher.iter_custom(|times| elapsed(threads, times, record));
            });
        }
    }
}

/// On one thread nobody records meanwhile; on two the other does.
fn snapshot(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("snapshot");
    for threads in [1, 2] {
        for Subject { name, record, snapshot } in subjects() {
            record(1);
            let finished = AtomicBool::new(false);
            thread::scope(|scope| {
                for _ in 1..threads {
                    scope.spawn(|| {
                        // Relaxed: nothing is read through the flag.
                        while !finished.load(Relaxed) {
                            record(1_000);
                        }
                    });
                }
                group.bench_function(BenchmarkId::new(name, threads), |bencher| bencher.iter(snapshot));
                finished.store(true, Relaxed);
            });
        }
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(2));
    targets = record, snapshot
}
criterion_main!(benches);
