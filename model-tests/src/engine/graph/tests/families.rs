//! Families of programs whose numbers of executions are known in closed form or from GenMC.

use std::sync::Arc;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use countersign::{Atomic, Primitives};

use super::explore;
use crate::engine::graph::Graph;
use crate::engine::{Engine, JoinHandle};
use crate::verdict::Outcome;

type Cell = <Graph as Primitives>::AtomicU64;

/// The executions of a program in which `threads` threads run `body` on `cells` cells.
fn executions(threads: usize, cells: usize, body: impl Fn(usize, &[Cell]) + Copy + Send + Sync + 'static) -> u64 {
    let program = move || {
        let cells: Arc<[Cell]> = (0..cells).map(|_| Cell::new(0)).collect();
        let spawn = |thread| {
            let cells = Arc::clone(&cells);
            Graph::spawn(move || body(thread, &cells))
        };
        let handles: Vec<_> = (0..threads).map(spawn).collect();
        handles.into_iter().for_each(JoinHandle::join);
        Outcome::default()
    };
    explore(program).executions
}

#[test]
fn ainc() {
    let count = |threads| executions(threads, 1, |_, cells| _ = cells[0].fetch_add(1, Relaxed));
    assert_eq!([1, 2, 3, 4, 5, 6].map(count), [1, 2, 6, 24, 120, 720]);
}

#[test]
fn binc() {
    let count = |threads: usize| {
        executions(threads, 2, |_, cells| {
            cells[0].fetch_add(1, Relaxed);
            cells[1].fetch_add(1, Relaxed);
        })
    };
    assert_eq!([2, 3].map(count), [4, 36]);
}

#[test]
fn casrot() {
    let count = |threads: usize| {
        executions(threads, 1, |thread, cells| {
            _ = cells[0].compare_exchange(thread as u64, thread as u64 + 1, Relaxed, Relaxed);
        })
    };
    assert_eq!([2, 3, 4, 5, 6].map(count), [2, 5, 14, 43, 144]);
}

#[test]
fn casw() {
    let count = |threads: usize| {
        executions(threads, 1, |thread, cells| {
            _ = cells[0].compare_exchange(0, 1, Relaxed, Relaxed);
            cells[0].store(thread as u64 + 3, Release);
        })
    };
    assert_eq!([2, 3, 4].map(count), [6, 66, 1200]);
}

#[test]
fn wrw() {
    let count = |threads: usize| {
        executions(threads + 1, 1, |thread, cells| match thread {
            0 => cells[0].store(1, Release),
            _ => {
                cells[0].load(Relaxed);
                cells[0].store(thread as u64 - 1, Release);
            }
        })
    };
    assert_eq!([2, 3].map(count), [22, 300]);
}

#[test]
fn readers() {
    let count = |threads: usize| {
        executions(threads + 1, 1, |thread, cells| match thread {
            0 => cells[0].store(42, Release),
            _ => _ = cells[0].load(Acquire),
        })
    };
    assert_eq!([2, 8].map(count), [4, 256]);
}

#[test]
fn lastzero() {
    let count = |threads: usize| {
        executions(threads + 1, threads + 1, |thread, cells| match thread {
            0 => _ = cells.iter().rev().find(|cell| cell.load(Acquire) == 0),
            _ => cells[thread].store(cells[thread - 1].load(Acquire) + 1, Release),
        })
    };
    assert_eq!([5, 8].map(count), [64, 704]);
}

#[test]
fn wcas() {
    let count = |threads: usize| {
        executions(threads + 1, 1, |thread, cells| match thread {
            0 => cells[0].store(2, Release),
            _ => _ = cells[0].compare_exchange(2, 3, Relaxed, Relaxed),
        })
    };
    assert_eq!([2, 3, 4, 5].map(count), [5, 13, 33, 81]);
}
