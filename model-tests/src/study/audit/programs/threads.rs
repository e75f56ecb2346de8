//! Threads, mutexes, and the ways in which an exploration ends.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use countersign::{Atomic, Lock, Locks};

use super::bodies::{Cell, beside, body, program};
use crate::engine::{JoinHandle, Program};
use crate::study::litmus::Machine;
use crate::verdict::Outcome;

type Mutex<E, T> = <E as Locks>::Mutex<T>;

/// (the data in the mutex, the cell beside it)
pub(in crate::study::audit) fn mutex<E: Machine>() -> Program {
    Arc::new(|| {
        let shared = Arc::new((Mutex::<E, _>::new(0), Cell::<E>::new(0)));
        let theirs = Arc::clone(&shared);
        let other = E::spawn(move || {
            let mut data = theirs.0.lock();
            // Relaxed: the mutex orders it.
            theirs.1.store(1, Relaxed);
            *data = 1;
        });
        E::run_together();
        let data = shared.0.lock();
        let seen = vec![*data, shared.1.load(Relaxed)];
        drop(data);
        other.join();
        Ok(Outcome(seen))
    })
}

/// (what the child saw)
pub(in crate::study::audit) fn spawn<E: Machine>() -> Program {
    Arc::new(|| {
        let cell = Arc::new(Cell::<E>::new(0));
        // Relaxed: the spawn orders it.
        cell.store(1, Relaxed);
        let seen = E::spawn(move || cell.load(Relaxed)).join();
        Ok(Outcome(vec![seen]))
    })
}

/// (what is seen after the join)
pub(in crate::study::audit) fn join<E: Machine>() -> Program {
    let child = body::<E>(|cells| {
        // Relaxed: the join orders it.
        cells[0].store(1, Relaxed);
        Vec::new()
    });
    program::<E>(1, vec![child], body::<E>(|_| Vec::new()), body::<E>(|cells| vec![cells[0].load(Relaxed)]))
}

/// (what is seen after the join)
pub(in crate::study::audit) fn exit<E: Machine>() -> Program {
    struct StoresWhenDropped<E: Machine>(Arc<Cell<E>>);

    impl<E: Machine> Drop for StoresWhenDropped<E> {
        fn drop(&mut self) {
            // Relaxed: the join orders it.
            self.0.store(1, Relaxed);
        }
    }

    Arc::new(|| {
        let cell = Arc::new(Cell::<E>::new(0));
        let owned = StoresWhenDropped::<E>(Arc::clone(&cell));
        E::spawn(move || drop(owned)).join();
        Ok(Outcome(vec![cell.load(Relaxed)]))
    })
}

/// ()
pub(in crate::study::audit) fn six_threads<E: Machine>() -> Program {
    let idle = || body::<E>(|_| Vec::new());
    beside::<E>(0, (0..5).map(|_| idle()).collect(), idle())
}

pub(in crate::study::audit) fn deadlock<E: Machine>() -> Program {
    Arc::new(|| {
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
        Ok(Outcome::default())
    })
}

pub(in crate::study::audit) fn panic<E: Machine>() -> Program {
    let panics = body::<E>(|_| panic!("a panic on purpose"));
    beside::<E>(0, vec![panics], body::<E>(|_| Vec::new()))
}

/// (the last value)
pub(in crate::study::audit) fn second_writer<E: Machine>() -> Program {
    let writer = || {
        body::<E>(|cells| {
            // Relaxed: it is wrong with any ordering.
            cells[0].store(cells[0].load_owned() + 1, Relaxed);
            Vec::new()
        })
    };
    program::<E>(1, vec![writer()], writer(), body::<E>(|cells| vec![cells[0].load(Relaxed)]))
}
