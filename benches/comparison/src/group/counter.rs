//! Whatever counts one event at a time.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering::AcqRel, Ordering::Relaxed, compiler_fence};

use countersign::{Llgo, SizeClasses};

use super::setting::{Mode, Run};
use crate::workload::clock::{Task, elapsed};

/// A way to count. Its functions go through whole lists, so that a record is inlined there as it is in a program.
#[derive(Clone, Copy)]
pub(super) struct Counter {
    pub(super) name: &'static str,
    /// Counts one event of each size.
    pub(super) record: fn(&[u32]),
    /// Called by each thread after its last record: hands over what only that thread can see.
    pub(super) finish: fn(),
    /// What all threads counted so far, of those that are gone.
    pub(super) total: Total,
}

/// What a counter shows.
#[derive(Clone, Copy)]
pub(super) enum Total {
    Events(fn() -> u64),
    /// The sum of the sizes.
    Bytes(fn() -> u64),
    /// Nothing that a program could ask for.
    Hidden,
}

/// Runs of each counter, with `workers` threads. A unit is all of `list`.
pub(super) fn modes(counters: Vec<Counter>, list: &'static [u32], workers: usize) -> Vec<Mode> {
    let mode = |counter: Counter| Mode {
        name: counter.name,
        run: Box::new(move |passes| Recording { counter, list, passes }.run(workers)),
    };
    counters.into_iter().map(mode).collect()
}

/// A list of sizes that each worker goes through `passes` times.
struct Recording {
    counter: Counter,
    list: &'static [u32],
    passes: u64,
}

impl Recording {
    fn run(&self, workers: usize) -> Run {
        let before = self.total();
        let elapsed_ns = elapsed(workers, self).as_nanos() as u64;
        let counted = self.total().zip(before).map(|(after, before)| after.wrapping_sub(before));

        let operations = workers as u64 * self.passes * self.list.len() as u64;
        let verified = counted.map(|counted| self.verified(counted, workers as u64, operations));
        Run { operations, elapsed_ns, verified }
    }

    fn total(&self) -> Option<u64> {
        match self.counter.total {
            Total::Events(total) | Total::Bytes(total) => Some(total()),
            Total::Hidden => None,
        }
    }

    /// The events counted, without those of the warm-up. Of a sum of bytes nothing is known but whether it is right: all
    /// or none.
    fn verified(&self, counted: u64, workers: u64, operations: u64) -> u64 {
        let lists = workers * (self.passes + 1);
        match self.counter.total {
            Total::Bytes(_) => {
                let bytes: u64 = self.list.iter().map(|size| u64::from(*size)).sum();
                if counted == lists * bytes { operations } else { 0 }
            }
            _ => counted.wrapping_sub(workers * self.list.len() as u64),
        }
    }
}

impl Task for Recording {
    fn warm_up(&self, _: usize) {
        (self.counter.record)(self.list);
    }

    fn work(&self, _: usize) {
        for _ in 0..self.passes {
            (self.counter.record)(self.list);
        }
    }

    fn finish(&self, _: usize) {
        (self.counter.finish)();
    }
}

/// Calls `record` with each size. Nothing that one record has read is kept for the next, as nothing would be in a program
/// that does something in between.
#[inline(always)]
pub(super) fn each(sizes: &[u32], record: impl Fn(usize)) {
    for size in sizes {
        record(*size as usize);
        compiler_fence(AcqRel);
    }
}

/// The class of a size, for counters that leave it to their caller.
#[inline(always)]
pub(super) fn class(size: usize) -> usize {
    Llgo::index(size as u64)
}

thread_local! {
    static PLAIN: [Cell<u64>; Llgo::COUNT] = const { [const { Cell::new(0) }; Llgo::COUNT] };
}

static PLAIN_TOTAL: AtomicU64 = AtomicU64::new(0);

/// The floor: an integer of the thread's own, found by the class, plus one. Nobody can read it but the thread.
#[inline(always)]
pub(super) fn count_plainly(size: usize) {
    PLAIN.with(|cells| {
        let cell = &cells[class(size)];
        cell.set(cell.get() + 1);
    });
}

/// Hands over what this thread counted plainly.
pub(super) fn finish_plainly() {
    let counted = PLAIN.with(|cells| cells.iter().map(Cell::take).sum());
    // Relaxed: the thread is joined before the total is read.
    PLAIN_TOTAL.fetch_add(counted, Relaxed);
}

/// What finished threads counted plainly.
pub(super) fn plain_total() -> u64 {
    // Relaxed: see `finish_plainly`.
    PLAIN_TOTAL.load(Relaxed)
}

#[cfg(test)]
mod tests {
    use super::*;

    static LIST: [u32; 4] = [1, 20, 300, 4_000];

    /// Counts each event as `one`.
    fn counting(one: fn(u64) -> u64, total: fn(fn() -> u64) -> Total) -> Run {
        static COUNTED: AtomicU64 = AtomicU64::new(0);
        static ONE: std::sync::Mutex<fn(u64) -> u64> = std::sync::Mutex::new(|_| 0);
        *ONE.lock().unwrap() = one;
        let counter = Counter {
            name: "test",
            record: |sizes| {
                let one = *ONE.lock().unwrap();
                // Relaxed: the thread is joined before the total is read.
                each(sizes, |size| _ = COUNTED.fetch_add(one(size as u64), Relaxed));
            },
            finish: || (),
            total: total(|| COUNTED.load(Relaxed)),
        };
        Recording { counter, list: &LIST, passes: 5 }.run(2)
    }

    #[test]
    fn what_was_counted_is_compared_with_what_was_done() {
        let verified = |one, total| {
            let run = counting(one, total);
            assert_eq!(run.operations, 40);
            run.verified
        };
        assert_eq!(verified(|_| 1, Total::Events), Some(40));
        assert_eq!(verified(|size| size, Total::Bytes), Some(40));
        assert_eq!(verified(|_| 1, |_| Total::Hidden), None);
        // One that loses the smallest, and one that counts it twice: in the warm-up and in each pass, on both threads.
        assert_eq!(verified(|size| u64::from(size > 1), Total::Events), Some(28));
        assert_eq!(verified(|size| 1 + u64::from(size == 1), Total::Events), Some(52));
        assert_eq!(verified(|size| size.max(2), Total::Bytes), Some(0));
    }
}
