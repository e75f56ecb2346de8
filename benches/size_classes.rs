//! How long finding a class takes, beside what it takes the place of: a linear scan of the bounds, done twice.
//!
//! `cargo bench --bench size_classes`

#![allow(missing_docs, reason = "a benchmark")]

use std::hint::black_box;
use std::time::Instant;

use countersign::{Go, Jemalloc, Llgo, RuntimeTable, SizeClasses};

fn main() {
    let sizes = sizes();
    println!("{:<28} {:>8}", "", "ns each");
    measure("two linear scans, llgo", &sizes, |size| scan::<Llgo>(size) + scan::<Llgo>(black_box(size)));
    measure("llgo", &sizes, Llgo::index);
    measure("two linear scans, go", &sizes, |size| scan::<Go>(size) + scan::<Go>(black_box(size)));
    measure("go", &sizes, Go::index);
    measure("jemalloc", &sizes, Jemalloc::index);
    let table = RuntimeTable::try_new(Go::UPPER_BOUNDS).expect("Go's bounds make a table");
    measure("go, made at run time", &sizes, |size| table.index(size));
}

fn scan<S: SizeClasses>(size: u64) -> usize {
    S::UPPER_BOUNDS.iter().position(|bound| *bound >= size).unwrap_or(S::COUNT - 1)
}

/// Sizes in no order that a branch predictor could learn, most of them small, as allocations are.
fn sizes() -> Vec<u64> {
    let mut state = 1_u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    };
    (0..65_536).map(|_| 1 + (random() >> (31 - random() % 16))).collect()
}

/// The best of several rounds, since only disturbances make one longer.
fn measure(name: &str, sizes: &[u64], index: impl Fn(u64) -> usize) {
    const REPEATS: usize = 20;
    let round = |_| {
        let start = Instant::now();
        for _ in 0..REPEATS {
            let sum: usize = black_box(sizes).iter().map(|size| index(*size)).sum();
            black_box(sum);
        }
        start.elapsed().as_nanos() as f64 / (REPEATS * sizes.len()) as f64
    };
    let best = (0..20).map(round).fold(f64::INFINITY, f64::min);
    println!("{name:<28} {best:>8.2}");
}
