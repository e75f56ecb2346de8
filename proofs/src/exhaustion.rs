//! The proof without a solver: every size, one by one.

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use countersign::NamedTable;

use crate::law::{self, Refutation};

/// The largest size up to which every one is tried.
pub const LAST: u64 = 1 << 32;

/// How many sizes a thread takes at a time.
const CHUNK: u64 = 1 << 22;

/// Proves that `index`, which is the table's, keeps the law for all sizes up to [`LAST`], on all cores, and tries every edge above.
pub fn prove(table: &NamedTable, index: impl Fn(u64) -> usize + Sync) -> Result<(), Refutation> {
    let upper_bounds = table.upper_bounds;
    // The edges come first: where the law is broken they know soonest.
    table.edges().try_for_each(|edge| law::check(upper_bounds, &index, edge))?;
    let next = AtomicU64::new(0);
    // Relaxed suffices: the chunks are told apart by the atomicity of the addition, and threads share nothing else.
    let claim = || Some(next.fetch_add(1, Ordering::Relaxed) * CHUNK).filter(|start| *start <= LAST);
    let prove_chunks = || {
        while let Some(start) = claim() {
            chunk(upper_bounds, &index, start, LAST.min(start + CHUNK - 1))?;
        }
        Ok(())
    };
    let cores = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        let threads: Vec<_> = (0..cores).map(|_| scope.spawn(prove_chunks)).collect();
        let results = threads.into_iter().map(|thread| thread.join().expect("an index does not panic"));
        results.fold(Ok(()), Result::and)
    })
}

/// The sizes from `start` to `end`, in runs that have one lawful class.
fn chunk(upper_bounds: &[u64], index: impl Fn(u64) -> usize, start: u64, end: u64) -> Result<(), Refutation> {
    let mut from = start;
    loop {
        let lawful = law::class(upper_bounds, from);
        let to = law::sizes(upper_bounds, lawful).1.min(end);
        // No `..=`, which would take an end that may be 2^64 - 1 into account at each step.
        if let Some(size) = (from..to + 1).find(|size| index(*size) != lawful) {
            return Err(Refutation { size, class: index(size), lawful });
        }
        if to == end {
            return Ok(());
        }
        from = to + 1;
    }
}
