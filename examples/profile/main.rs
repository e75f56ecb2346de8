//! The allocation profile of a program at work: four threads parse and transform JSON for two seconds, while a fifth
//! prints what was allocated, every 100 milliseconds.
//!
//! ```console
//! $ cargo run --release -p countersign --example profile
//! ```

mod orders;

use std::fmt::Write;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use countersign::{ClassCounts, CountingAllocator, Llgo, SizeClasses};

#[global_allocator]
static GLOBAL: CountingAllocator = CountingAllocator::new();

const WORKERS: u64 = 4;
const TIME: Duration = Duration::from_secs(2);
const INTERVAL: Duration = Duration::from_millis(100);

fn main() {
    let start = Instant::now();
    let finished = AtomicBool::new(false);
    thread::scope(|scope| {
        let workers: Vec<_> = (0..WORKERS).map(|seed| scope.spawn(move || work(seed, start))).collect();
        scope.spawn(|| {
            // Relaxed: it is looked at until it is set, and nothing is read through it.
            while !finished.load(Relaxed) {
                println!("{}", table(start.elapsed()));
                thread::sleep(INTERVAL);
            }
        });
        let bytes: usize = workers.into_iter().map(|worker| worker.join().expect("a worker does not panic")).sum();
        // Relaxed: nothing is read through the flag.
        finished.store(true, Relaxed);
        println!("{} MiB of JSON parsed and written by {WORKERS} threads", bytes >> 20);
    });
    println!("{}", table(start.elapsed()));
}

/// Parses and transforms a document again and again, and returns how many bytes of JSON that were.
fn work(seed: u64, start: Instant) -> usize {
    let document = orders::document(seed);
    let mut bytes = 0;
    while start.elapsed() < TIME {
        bytes += orders::parsed_and_written(&document);
    }
    bytes
}

/// The classes that have events, with the bytes in use if every block were as large as its class allows.
fn table(elapsed: Duration) -> String {
    let snapshot = GLOBAL.snapshot();
    let mut text = format!(
        "after {} ms\n{:>12} {:>12} {:>12} {:>10} {:>14}\n",
        elapsed.as_millis(),
        "class (B)",
        "allocs",
        "frees",
        "in use",
        "bytes"
    );
    let mut total_bytes = 0;
    for (counts, bound) in snapshot.classes().iter().zip(Llgo::UPPER_BOUNDS) {
        let bytes = i128::from(counts.in_use()) * i128::from(*bound);
        total_bytes += bytes;
        if *counts != ClassCounts::default() {
            row(&mut text, bound, *counts, bytes);
        }
    }
    row(&mut text, &"total", snapshot.totals(), total_bytes);
    text
}

fn row(text: &mut String, label: &dyn std::fmt::Display, counts: ClassCounts, bytes: i128) {
    let ClassCounts { allocs, frees } = counts;
    // Writing to a string does not fail.
    let _ = writeln!(text, "{label:>12} {allocs:>12} {frees:>12} {:>10} {bytes:>14}", counts.in_use());
}
