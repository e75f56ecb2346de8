//! Programs for the engines that model the threads: on real ones they show nothing that can be relied on, or hang.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use countersign::{Atomic, Lock, Locks};
use countersign_models::engine::{Engine, JoinHandle, Program};
use countersign_models::verdict::{Exploration, Outcome};

use crate::programs::{AMPLE, Cell, outcomes_of, planted};

/// The mutex of an engine.
type Mutex<E, T> = <E as Locks>::Mutex<T>;

/// Each of two threads stores to its own cell and loads the other's.
pub(crate) fn store_buffering<E: Engine>() -> Exploration {
    outcomes_of::<E>(|| {
        let cells = Arc::new((Cell::<E>::new(0), Cell::<E>::new(0)));
        let theirs = Arc::clone(&cells);
        let other = E::spawn(move || {
            theirs.1.store(1, Relaxed);
            theirs.0.load(Relaxed)
        });
        cells.0.store(1, Relaxed);
        let mine = cells.1.load(Relaxed);
        vec![mine, other.join()]
    })
}

/// A panic in one thread, which locks a mutex in a destructor, while another thread is suspended within the mutex.
pub(crate) fn panicking_beside_a_lock<E: Engine>() -> Exploration {
    struct LockOnDrop<E: Engine>(Arc<Mutex<E, Vec<u64>>>);

    impl<E: Engine> Drop for LockOnDrop<E> {
        fn drop(&mut self) {
            self.0.lock().push(0);
        }
    }

    outcomes_of::<E>(|| {
        let mutex = Arc::new(Mutex::<E, _>::new(vec![]));
        let inside = Arc::new(Cell::<E>::new(0));
        let (their_mutex, their_inside) = (Arc::clone(&mutex), Arc::clone(&inside));
        let other = E::spawn(move || {
            let mut guard = their_mutex.lock();
            their_inside.swap(1, Relaxed);
            guard.push(1);
            their_inside.swap(0, Relaxed);
        });
        let locks = LockOnDrop::<E>(Arc::clone(&mutex));
        // Not a load, which could read an old value when the mutex is free again.
        assert!(inside.fetch_add(0, Relaxed) == 0, "a planted panic");
        drop(locks);
        other.join();
        vec![mutex.lock().len() as u64]
    })
}

/// A panic in a thread that holds a mutex, beside one that looks whether it runs during the unwinding.
pub(crate) fn panicking_within_a_lock<E: Engine>() -> Exploration {
    outcomes_of::<E>(|| {
        let mutex = Arc::new(Mutex::<E, _>::new(0));
        let cell = Arc::new(Cell::<E>::new(0));
        let (their_mutex, their_cell) = (Arc::clone(&mutex), Arc::clone(&cell));
        let other = E::spawn(move || {
            let _guard = their_mutex.lock();
            // With 1 the main thread still has a step to do that needs no lock.
            assert!(their_cell.fetch_add(0, Relaxed) != 1, "a planted panic");
        });
        for _ in 0..2 {
            cell.fetch_add(1, Relaxed);
            RAN_DURING_A_PANIC.fetch_or(std::thread::panicking(), Relaxed);
        }
        other.join();
        vec![]
    })
}

/// Whether the other thread of [`panicking_within_a_lock`] ever ran during the unwinding.
pub(crate) static RAN_DURING_A_PANIC: AtomicBool = AtomicBool::new(false);

/// Two threads that take two mutexes, in opposite orders.
pub(crate) fn deadlock<E: Engine>() -> Exploration {
    outcomes_of::<E>(|| {
        let mutexes = Arc::new((Mutex::<E, _>::new(0), Mutex::<E, _>::new(0)));
        let theirs = Arc::clone(&mutexes);
        let other = E::spawn(move || {
            let first = theirs.1.lock();
            *theirs.0.lock() += *first;
        });
        let first = mutexes.0.lock();
        *mutexes.1.lock() += *first;
        drop(first);
        other.join();
        vec![]
    })
}

/// A thread that locks a mutex twice.
pub(crate) fn locking_twice<E: Engine>() -> Exploration {
    outcomes_of::<E>(|| {
        let mutex = Mutex::<E, _>::new(0);
        let first = mutex.lock();
        *mutex.lock() += *first;
        vec![]
    })
}

/// A thread that waits for a store that never comes.
pub(crate) fn spinning<E: Engine>() -> Exploration {
    outcomes_of::<E>(|| {
        let cell = Cell::<E>::new(0);
        while cell.load(Relaxed) == 0 {
            E::yield_now();
        }
        vec![]
    })
}

/// A claim that is broken where the reader sees the writer's store.
pub(crate) fn broken_claim<E: Engine>() -> Exploration {
    let program: Program = Arc::new(|| {
        let cell = Arc::new(Cell::<E>::new(0));
        let theirs = Arc::clone(&cell);
        let writer = E::spawn(move || theirs.store(1, Relaxed));
        let value = cell.load(Relaxed);
        writer.join();
        if value == 0 { Ok(Outcome(vec![value])) } else { Err(planted()) }
    });
    E::explore(program, &AMPLE)
}
