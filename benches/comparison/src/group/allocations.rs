//! Calls of `alloc` of counting allocators, over an allocator that does nothing: what is left is the counting.

use std::alloc::{GlobalAlloc, Layout};
use std::hint::black_box;
use std::ptr::without_provenance_mut;
use std::sync::LazyLock;

use accounting_allocator::AccountingAlloc;
use alloc_metrics::MetricAlloc;
use countersign::CountingAllocator;
use divan::AllocProfiler;
use stats_alloc::StatsAlloc;

use super::counter::{Counter, Total, count_plainly, each, finish_plainly, plain_total};

/// `counting` is the reference: [`CountingAllocator`], so `Slots`.
pub(super) fn counters() -> Vec<Counter> {
    let mut counters = vec![counting(), floor(), stats_alloc(), accounting_allocator(), alloc_metrics()];
    // On macOS it looks for what only its own benchmarks make, and counts nothing.
    if cfg!(not(target_os = "macos")) {
        counters.push(divan());
    }
    counters
}

fn counting() -> Counter {
    static COUNTING: CountingAllocator<Inert> = CountingAllocator::over(Inert);
    Counter {
        name: "counting",
        record: |sizes| each(sizes, |size| alloc(&COUNTING, size)),
        finish: || (),
        total: Total::Events(|| COUNTING.snapshot().totals().allocs),
    }
}

fn floor() -> Counter {
    Counter {
        name: "floor",
        record: |sizes| each(sizes, |size| alloc(&Plain, size)),
        finish: finish_plainly,
        total: Total::Events(plain_total),
    }
}

/// Counts events and bytes, not by class.
fn stats_alloc() -> Counter {
    static STATS: LazyLock<StatsAlloc<Inert>> = LazyLock::new(|| StatsAlloc::new(Inert));
    Counter {
        name: "stats_alloc",
        record: |sizes| {
            let allocator = &*STATS;
            each(sizes, |size| alloc(allocator, size));
        },
        finish: || (),
        total: Total::Events(|| STATS.stats().allocations as u64),
    }
}

/// Counts bytes and the largest block, not by class.
fn accounting_allocator() -> Counter {
    static ACCOUNTING: AccountingAlloc<Inert> = AccountingAlloc::with_allocator(Inert);
    Counter {
        name: "accounting-allocator",
        record: |sizes| each(sizes, |size| alloc(&ACCOUNTING, size)),
        finish: || (),
        total: Total::Bytes(|| ACCOUNTING.count().all_time.alloc as u64),
    }
}

/// Counts blocks and bytes in use, not by class; for the thread and, as its defaults have it, for the process.
fn alloc_metrics() -> Counter {
    static METRICS: MetricAlloc<Inert> = MetricAlloc::new(Inert);
    Counter {
        name: "alloc-metrics",
        record: |sizes| each(sizes, |size| alloc(&METRICS, size)),
        finish: || (),
        total: Total::Events(|| alloc_metrics::global_metrics().allocations as u64),
    }
}

/// Counts events, bytes and the most of both, for the thread alone, and shows them to its own benchmarks only.
fn divan() -> Counter {
    static DIVAN: AllocProfiler<Inert> = AllocProfiler::new(Inert);
    Counter {
        name: "divan",
        record: |sizes| each(sizes, |size| alloc(&DIVAN, size)),
        finish: || (),
        total: Total::Hidden,
    }
}

/// An allocator that does nothing.
struct Inert;

/// It too, with every block counted plainly.
struct Plain;

#[inline(always)]
fn alloc(allocator: &impl GlobalAlloc, size: usize) {
    if let Ok(layout) = Layout::from_size_align(size, 8) {
        // SAFETY: the size is not zero, and nobody uses the block.
        black_box(unsafe { allocator.alloc(layout) });
    }
}

// SAFETY: nobody uses the blocks.
unsafe impl GlobalAlloc for Inert {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        without_provenance_mut(layout.align())
    }

    #[inline]
    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
}

// SAFETY: as of `Inert`.
unsafe impl GlobalAlloc for Plain {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count_plainly(layout.size());
        // SAFETY: any layout will do for this one.
        unsafe { Inert.alloc(layout) }
    }

    #[inline]
    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
}
