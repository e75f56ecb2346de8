//! Families of programs whose numbers of executions are known in closed form or from GenMC.

mod common;

use std::sync::Arc;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use common::{explore, join};
use countersign_graph::sync::Mutex;
use countersign_graph::sync::atomic::AtomicU64;
use countersign_graph::{Outcome, thread};

/// The executions of a program in which `threads` threads run `body` on `cells` cells.
fn executions(threads: usize, cells: usize, body: impl Fn(usize, &[AtomicU64]) + Copy + Send + Sync + 'static) -> u64 {
    let program = move || {
        let cells: Arc<[AtomicU64]> = (0..cells).map(|_| AtomicU64::new(0)).collect();
        let spawn = |thread| {
            let cells = Arc::clone(&cells);
            thread::spawn(move || body(thread, &cells))
        };
        let handles: Vec<_> = (0..threads).map(spawn).collect();
        handles.into_iter().for_each(join);
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

/// N + 1 threads: two that write x and read y or z, then x, and N - 1 that write y and z.
#[test]
fn coa() {
    let count = |n: usize| {
        executions(n + 1, 3, |thread, cells| match thread {
            0 | 1 => {
                cells[0].store(thread as u64 + 1, Release);
                cells[1 + thread].load(Acquire);
                cells[0].load(Acquire);
            }
            _ => {
                cells[1].store(thread as u64 - 2, Release);
                cells[2].store(thread as u64 - 2, Release);
            }
        })
    };
    assert_eq!([1, 2, 3].map(count), [4, 16, 144]);
}

#[test]
fn lockinc() {
    let count = |threads: usize| {
        let program = move || {
            let shared = Arc::new((Mutex::new(()), AtomicU64::new(0)));
            let spawn = |_| {
                let shared = Arc::clone(&shared);
                thread::spawn(move || {
                    let _guard = shared.0.lock().unwrap();
                    shared.1.store(shared.1.load(Relaxed) + 1, Relaxed);
                })
            };
            let handles: Vec<_> = (0..threads).map(spawn).collect();
            handles.into_iter().for_each(join);
            [shared.1.load(Relaxed)]
        };
        let explored = explore(program);
        assert_eq!(explored.outcomes.keys().collect::<Vec<_>>(), [&Outcome(vec![threads as u64])]);
        explored.executions
    };
    assert_eq!([1, 2, 3, 4, 5].map(count), [1, 2, 6, 24, 120]);
}

/// A lock that has become stale must be kept: the unlock that it waits for may be reached only later.
#[test]
fn a_stale_lock_is_not_dropped() {
    let program = || {
        let shared = Arc::new((Mutex::new(()), AtomicU64::new(0), AtomicU64::new(0)));
        let thread = |body: fn(&(Mutex<()>, AtomicU64, AtomicU64)) -> u64| {
            let shared = Arc::clone(&shared);
            thread::spawn(move || body(&shared))
        };
        let reader = thread(|(mutex, x, y)| {
            let seen = x.load(Relaxed) + 2 * y.load(Relaxed);
            drop(mutex.lock().unwrap());
            seen
        });
        let holder = thread(|(mutex, x, _)| {
            let _guard = mutex.lock().unwrap();
            x.store(1, Relaxed);
            0
        });
        let writer = thread(|(_, _, y)| {
            y.store(1, Relaxed);
            0
        });
        let seen = join(reader);
        join(holder);
        join(writer);
        [seen]
    };
    assert_eq!(explore(program).executions, 6);
}

/// T writers that each increment a cell of their own K times, of S, and a reader that reads all of them R times.
#[test]
fn counters() {
    let count = |[threads, increments, cells, sweeps]: [usize; 4], owned: bool| {
        let body = move |thread: usize, cells: &[AtomicU64]| {
            if thread == threads {
                (0..sweeps).for_each(|_| cells.iter().for_each(|cell| _ = cell.load(Relaxed)));
                return;
            }
            let cell = &cells[thread % cells.len()];
            for _ in 0..increments {
                if owned {
                    cell.store(cell.load_owned() + 1, Relaxed);
                } else {
                    cell.fetch_add(1, Relaxed);
                }
            }
        };
        executions(threads + usize::from(sweeps > 0), cells, body)
    };
    let known = [
        ([2, 1, 2, 1], 4),
        ([2, 2, 2, 1], 9),
        ([2, 3, 2, 1], 16),
        ([3, 1, 3, 1], 8),
        ([3, 2, 3, 1], 27),
        ([4, 1, 4, 1], 16),
        ([2, 4, 2, 2], 225),
        ([3, 2, 3, 2], 216),
        ([4, 2, 4, 2], 1296),
    ];
    for (sizes, expected) in known {
        assert_eq!(count(sizes, false), expected, "fetch_add, {sizes:?}");
        assert_eq!(count(sizes, true), expected, "owner's load and store, {sizes:?}");
    }
    assert_eq!(count([4, 1, 1, 0], false), 24);
    assert_eq!(count([5, 1, 1, 0], false), 120);
}

/// Two slots and an overflow cell; each thread claims a slot by CAS from the first on, increments and gives it back.
#[test]
fn adoption() {
    let count = |[threads, sweeps]: [usize; 2]| {
        executions(threads + 1, 5, move |thread, cells| {
            let ([overflow, counts @ ..], owners) = cells.split_at(3) else { unreachable!() };
            if thread == threads {
                (0..sweeps).for_each(|_| cells[..3].iter().for_each(|cell| _ = cell.load(Relaxed)));
                return;
            }
            for (owner, count) in owners.iter().zip(counts) {
                if owner.compare_exchange(0, 1, Acquire, Relaxed).is_ok() {
                    count.store(count.load_owned() + 1, Relaxed);
                    owner.store(0, Release);
                    return;
                }
            }
            overflow.fetch_add(1, Relaxed);
        })
    };
    assert_eq!([[2, 1], [2, 2], [3, 1], [3, 2]].map(count), [14, 30, 180, 546]);
}

/// The example of the README: a reader and two writers.
#[test]
fn three_values_in_two_orders() {
    let count = executions(3, 1, |thread, cells| match thread {
        0 => _ = cells[0].load(Relaxed),
        _ => cells[0].store(thread as u64, Relaxed),
    });
    assert_eq!(count, 6);
}
