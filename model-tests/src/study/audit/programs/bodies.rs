//! Threads with bodies, beside each other.

use std::sync::Arc;

use countersign::{Atomic, Primitives};

use crate::engine::{JoinHandle, Program};
use crate::study::litmus::Machine;
use crate::verdict::Outcome;

pub(super) type Cell<E> = <E as Primitives>::AtomicU64;

/// What one thread does, and what it saw.
pub(super) type Body<E> = Box<dyn Fn(&[Cell<E>]) -> Vec<u64> + Send + Sync>;

pub(super) fn body<E: Machine>(body: impl Fn(&[Cell<E>]) -> Vec<u64> + Send + Sync + 'static) -> Body<E> {
    Box::new(body)
}

/// Runs `others`, each in a thread of its own, beside `main` in the first one, and `last` when they have ended. The cells
/// hold 0 at first. The outcome is what `main`, the others and `last` saw, in this order.
pub(super) fn program<E: Machine>(cells: usize, others: Vec<Body<E>>, main: Body<E>, last: Body<E>) -> Program {
    let others: Vec<Arc<Body<E>>> = others.into_iter().map(Arc::new).collect();
    Arc::new(move || {
        let cells: Arc<[Cell<E>]> = (0..cells).map(|_| Cell::<E>::new(0)).collect();
        let spawn = |other: &Arc<Body<E>>| {
            let (cells, other) = (Arc::clone(&cells), Arc::clone(other));
            E::spawn(move || other(&cells))
        };
        let threads: Vec<_> = others.iter().map(spawn).collect();
        E::run_together();
        let mut seen = main(&cells);
        seen.extend(threads.into_iter().flat_map(JoinHandle::join));
        seen.extend(last(&cells));
        Ok(Outcome(seen))
    })
}

/// As [`program`], and nobody looks at the end.
pub(super) fn beside<E: Machine>(cells: usize, others: Vec<Body<E>>, main: Body<E>) -> Program {
    program::<E>(cells, others, main, body::<E>(|_| Vec::new()))
}
