//! What is true of a single cell. All accesses are relaxed: the order of one cell's writes needs no ordering.

use std::sync::atomic::Ordering::Relaxed;

use countersign::Atomic;

use super::bodies::{Body, Cell, beside, body, program};
use crate::engine::Program;
use crate::study::litmus::Machine;

/// (first look, second look)
pub(in crate::study::audit) fn two_looks<E: Machine>() -> Program {
    let writer = body::<E>(|cells| {
        cells[0].store(1, Relaxed);
        cells[0].store(2, Relaxed);
        Vec::new()
    });
    beside::<E>(1, vec![writer], looks::<E>())
}

/// (what the second writer read back, the reader's two looks)
pub(in crate::study::audit) fn two_writers<E: Machine>() -> Program {
    let first = body::<E>(|cells| {
        cells[0].store(1, Relaxed);
        Vec::new()
    });
    let second = body::<E>(|cells| {
        cells[0].store(2, Relaxed);
        vec![cells[0].load(Relaxed)]
    });
    beside::<E>(1, vec![first, looks::<E>()], second)
}

/// (what the writer read back, the last value)
pub(in crate::study::audit) fn own_write<E: Machine>() -> Program {
    let other = body::<E>(|cells| {
        cells[0].store(2, Relaxed);
        Vec::new()
    });
    let writer = body::<E>(|cells| {
        cells[0].store(1, Relaxed);
        vec![cells[0].load(Relaxed)]
    });
    program::<E>(1, vec![other], writer, last::<E>())
}

/// (what the first writer read back, the last value)
pub(in crate::study::audit) fn overwritten<E: Machine>() -> Program {
    let other = body::<E>(|cells| {
        cells[0].store(2, Relaxed);
        cells[0].store(3, Relaxed);
        Vec::new()
    });
    let writer = body::<E>(|cells| {
        cells[0].store(1, Relaxed);
        vec![cells[0].load(Relaxed)]
    });
    program::<E>(1, vec![other], writer, last::<E>())
}

/// (old value of the first, of the second, the last value)
pub(in crate::study::audit) fn two_additions<E: Machine>() -> Program {
    let thread = || body::<E>(|cells| vec![cells[0].fetch_add(1, Relaxed)]);
    program::<E>(1, vec![thread()], thread(), last::<E>())
}

/// (first look, second look)
pub(in crate::study::audit) fn plain_owner_load<E: Machine>() -> Program {
    owner::<E>(|cell| cell.load(Relaxed))
}

/// (first look, second look)
pub(in crate::study::audit) fn owners_read<E: Machine>() -> Program {
    owner::<E>(Cell::<E>::load_owned)
}

fn owner<E: Machine>(read: fn(&Cell<E>) -> u64) -> Program {
    let owner = body::<E>(move |cells| {
        for _ in 0..2 {
            cells[0].store(read(&cells[0]) + 1, Relaxed);
        }
        Vec::new()
    });
    beside::<E>(1, vec![owner], looks::<E>())
}

/// (first look, second look)
pub(in crate::study::audit) fn look_then_exchange<E: Machine>() -> Program {
    let thread = body::<E>(|cells| {
        if cells[0].load(Relaxed) == 0 {
            let _ = cells[0].compare_exchange(0, 1, Relaxed, Relaxed);
        }
        Vec::new()
    });
    beside::<E>(1, vec![thread], looks::<E>())
}

/// (first look, second look)
pub(in crate::study::audit) fn exchange_alone<E: Machine>() -> Program {
    let thread = body::<E>(|cells| {
        let _ = cells[0].compare_exchange(0, 1, Relaxed, Relaxed);
        Vec::new()
    });
    beside::<E>(1, vec![thread], looks::<E>())
}

/// (first look, second look)
pub(in crate::study::audit) fn look_then_raise<E: Machine>() -> Program {
    let thread = body::<E>(|cells| {
        if cells[0].load(Relaxed) < 1 {
            cells[0].fetch_max(1, Relaxed);
        }
        Vec::new()
    });
    beside::<E>(1, vec![thread], looks::<E>())
}

/// (flag, what the exchange found)
pub(in crate::study::audit) fn stale_exchange<E: Machine>() -> Program {
    let writer = body::<E>(|cells| {
        cells[0].store(1, Relaxed);
        cells[1].store(1, Relaxed);
        Vec::new()
    });
    let other = body::<E>(|cells| {
        let flag = cells[1].load(Relaxed);
        // It never succeeds, so it is a load.
        let (Ok(found) | Err(found)) = cells[0].compare_exchange(2, 3, Relaxed, Relaxed);
        vec![flag, found]
    });
    beside::<E>(2, vec![writer], other)
}

/// How many values the writer of [`far_behind`] stores.
pub(in crate::study::audit) const HISTORY: u64 = 20;

/// (flag, value)
pub(in crate::study::audit) fn far_behind<E: Machine>() -> Program {
    let writer = body::<E>(|cells| {
        for value in 1..=HISTORY {
            cells[0].store(value, Relaxed);
        }
        cells[1].store(1, Relaxed);
        Vec::new()
    });
    let reader = body::<E>(|cells| {
        let flag = cells[1].load(Relaxed);
        vec![flag, cells[0].load(Relaxed)]
    });
    beside::<E>(2, vec![writer], reader)
}

/// (old value of the addition, the last value)
pub(in crate::study::audit) fn addition_beside_store<E: Machine>() -> Program {
    let adder = body::<E>(|cells| vec![cells[0].fetch_add(1, Relaxed)]);
    program::<E>(1, vec![adder], store_ten::<E>(), last::<E>())
}

/// (old value of the swap, the last value)
pub(in crate::study::audit) fn swap_beside_store<E: Machine>() -> Program {
    let swapper = body::<E>(|cells| vec![cells[0].swap(1, Relaxed)]);
    program::<E>(1, vec![swapper], store_ten::<E>(), last::<E>())
}

fn store_ten<E: Machine>() -> Body<E> {
    body::<E>(|cells| {
        cells[0].store(10, Relaxed);
        Vec::new()
    })
}

/// Loads the cell twice.
fn looks<E: Machine>() -> Body<E> {
    body::<E>(|cells| vec![cells[0].load(Relaxed), cells[0].load(Relaxed)])
}

fn last<E: Machine>() -> Body<E> {
    body::<E>(|cells| vec![cells[0].load(Relaxed)])
}
