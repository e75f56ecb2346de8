//! The programs, on any engine.

use std::sync::Arc;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use countersign::{Atomic, Primitives};

use super::counters::Counters;
use crate::engine::{Engine, JoinHandle, Program};
use crate::verdict::Outcome;

type Cell<E> = <E as Primitives>::AtomicU64;

pub(super) fn ainc<E: Engine>(threads: usize) -> Program {
    program::<E>(threads, 1, |_, cells| {
        // Relaxed: atomicity alone is measured.
        cells[0].fetch_add(1, Relaxed);
        Vec::new()
    })
}

pub(super) fn binc<E: Engine>(threads: usize) -> Program {
    program::<E>(threads, 2, |_, cells| {
        // Relaxed, as above.
        cells[0].fetch_add(1, Relaxed);
        cells[1].fetch_add(1, Relaxed);
        Vec::new()
    })
}

pub(super) fn casrot<E: Engine>(threads: usize) -> Program {
    program::<E>(threads, 1, |index, cells| {
        let next = index as u64 + 1;
        // Relaxed, as above.
        let won = cells[0].compare_exchange(next - 1, next, Relaxed, Relaxed);
        vec![won.unwrap_or_else(|seen| seen)]
    })
}

pub(super) fn casw<E: Engine>(threads: usize) -> Program {
    program::<E>(threads, 1, |index, cells| {
        // Relaxed, as above.
        let won = cells[0].compare_exchange(0, 1, Relaxed, Relaxed);
        // Release, read by nobody who acquires: it ends the other exchanges' release sequences.
        cells[0].store(index as u64 + 3, Release);
        vec![won.unwrap_or_else(|seen| seen)]
    })
}

pub(super) fn wrw<E: Engine>(threads: usize) -> Program {
    program::<E>(threads + 1, 1, |index, cells| match index {
        0 => {
            // Release, read by nobody who acquires.
            cells[0].store(1, Release);
            Vec::new()
        }
        index => {
            // Relaxed: which write is read is all that is asked.
            let seen = cells[0].load(Relaxed);
            // Release, as above.
            cells[0].store(index as u64 - 1, Release);
            vec![seen]
        }
    })
}

pub(super) fn readers<E: Engine>(threads: usize) -> Program {
    program::<E>(threads + 1, 1, |index, cells| match index {
        0 => {
            // Release, with the Acquire of the readers.
            cells[0].store(42, Release);
            Vec::new()
        }
        // Acquire, with the Release above.
        _ => vec![cells[0].load(Acquire)],
    })
}

pub(super) fn lastzero<E: Engine>(threads: usize) -> Program {
    program::<E>(threads + 1, threads + 1, move |index, cells| match index {
        0 => {
            // Acquire, with the Release of the writers.
            let last = cells.iter().rposition(|cell| cell.load(Acquire) == 0);
            vec![last.map_or(0, |last| last as u64 + 1)]
        }
        index => {
            // Acquire, with the Release of the neighbour.
            let seen = cells[index - 1].load(Acquire);
            // Release, with the Acquire above and the reader's.
            cells[index].store(seen + 1, Release);
            vec![seen]
        }
    })
}

pub(super) fn counters<E: Engine>(size: Counters) -> Program {
    with_reader::<E>(size, |cell| {
        // Relaxed: the count alone is asked.
        cell.fetch_add(1, Relaxed);
    })
}

pub(super) fn owned_counters<E: Engine>(size: Counters) -> Program {
    with_reader::<E>(size, |cell| {
        let count = cell.load_owned();
        // Relaxed: the count alone is asked.
        cell.store(count + 1, Relaxed);
    })
}

/// Threads count, and the main thread reads all cells `sweeps` times.
fn with_reader<E: Engine>(size: Counters, count: fn(&Cell<E>)) -> Program {
    Arc::new(move || {
        let cells = cells::<E>(size.cells);
        let threads: Vec<_> = (0..size.threads)
            .map(|index| {
                let cells = Arc::clone(&cells);
                E::spawn(move || (0..size.events).for_each(|_| count(&cells[index % size.cells])))
            })
            .collect();
        // Relaxed: the counts alone are asked.
        let sweep = || cells.iter().map(|cell| cell.load(Relaxed)).collect::<Vec<_>>();
        let seen = (0..size.sweeps).flat_map(|_| sweep()).collect();
        threads.into_iter().for_each(JoinHandle::join);
        Ok(Outcome(seen))
    })
}

/// Threads run `body` beside each other; the outcome is what each returns, and the cells' last values.
fn program<E: Engine>(
    threads: usize,
    number_of_cells: usize,
    body: impl Fn(usize, &[Cell<E>]) -> Vec<u64> + Copy + Send + Sync + 'static,
) -> Program {
    Arc::new(move || {
        let cells = cells::<E>(number_of_cells);
        let threads: Vec<_> = (0..threads)
            .map(|index| {
                let cells = Arc::clone(&cells);
                E::spawn(move || body(index, &cells))
            })
            .collect();
        let mut seen: Vec<u64> = threads.into_iter().flat_map(JoinHandle::join).collect();
        // Relaxed: the joins make every write happen-before these reads.
        seen.extend(cells.iter().map(|cell| cell.load(Relaxed)));
        Ok(Outcome(seen))
    })
}

fn cells<E: Engine>(number: usize) -> Arc<[Cell<E>]> {
    (0..number).map(|_| Cell::<E>::new(0)).collect()
}
