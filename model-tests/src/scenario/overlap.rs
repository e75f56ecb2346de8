//! Whether threads ran beside each other, where no reader sees it.
//!
//! A scenario whose only snapshot is taken after the join has one correct outcome, and an exploration of a single execution
//! would reach it. So its threads look at each other, and every order in which they can live is an outcome of its own.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use countersign::{Atomic, Primitives};

use crate::scenario::interface::{Required, Size};
use crate::verdict::Outcome;

/// What threads know of each other.
pub(crate) struct Overlap<P: Primitives> {
    /// Whether each thread is done: 0 or 1.
    done: Vec<P::AtomicU64>,
}

impl<P: Primitives> Overlap<P> {
    pub(crate) fn of(threads: usize) -> Arc<Self> {
        Arc::new(Self { done: (0..threads).map(|thread| Atomic::named(0, format_args!("done[{thread}]"))).collect() })
    }

    /// Does the work of the thread of this number, and returns, beside what comes of it, whether the thread of the next
    /// number, the first after the last, was done before it began: 0 or 1.
    pub(crate) fn run<T>(&self, index: usize, work: impl FnOnce() -> T) -> (T, u64) {
        // Relaxed: it looks whether the other one is done, and must learn nothing from it that real threads would not know.
        let next_is_done = self.done[(index + 1) % self.done.len()].load(Relaxed);
        let result = work();
        // Relaxed: it says that this thread is done, and must give nothing along with it.
        self.done[index].store(1, Relaxed);
        (result, next_is_done)
    }
}

/// What threads must see of each other in a scenario whose outcomes end with what [`Overlap::run`] returned.
pub(crate) fn required(size: Size) -> Vec<Required> {
    match size.threads {
        2 => orders::<2>(),
        3 => orders::<3>(),
        4 => orders::<4>(),
        _ => Vec::new(),
    }
}

/// Those of `T` threads: all at once; and the first, and the last, after the one that it looks at.
fn orders<const T: usize>() -> Vec<Required> {
    vec![
        Required::sc("all threads at once", |outcome| seen::<T>(outcome) == [0; T]),
        Required::sc("the first thread after the second", |outcome| seen::<T>(outcome)[0] == 1),
        Required::sc("the last thread after the first", |outcome| seen::<T>(outcome)[T - 1] == 1),
    ]
}

/// What each thread saw of the next one.
fn seen<const T: usize>(outcome: &Outcome) -> [u64; T] {
    outcome.0.last_chunk().copied().unwrap_or([0; T])
}
