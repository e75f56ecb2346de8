//! What orders accesses to different cells, and what does not.

use std::sync::atomic::Ordering::{self, Acquire, Relaxed, Release, SeqCst};

use countersign::Atomic;

use super::bodies::{beside, body};
use crate::engine::Program;
use crate::study::litmus::Machine;

pub(in crate::study::audit) fn relaxed_message<E: Machine>() -> Program {
    message_passing::<E>(Relaxed, Relaxed, false)
}

pub(in crate::study::audit) fn released_message<E: Machine>() -> Program {
    // Release, with the Acquire of the reader.
    message_passing::<E>(Release, Acquire, false)
}

pub(in crate::study::audit) fn fenced_message<E: Machine>() -> Program {
    message_passing::<E>(Relaxed, Relaxed, true)
}

/// (flag, data)
fn message_passing<E: Machine>(publish: Ordering, observe: Ordering, fences: bool) -> Program {
    let writer = body::<E>(move |cells| {
        cells[0].store(1, Relaxed);
        if fences {
            // Release, with the Acquire fence of the reader.
            E::fence(Release);
        }
        cells[1].store(1, publish);
        Vec::new()
    });
    let reader = body::<E>(move |cells| {
        let flag = cells[1].load(observe);
        if fences {
            // Acquire, with the Release fence of the writer.
            E::fence(Acquire);
        }
        vec![flag, cells[0].load(Relaxed)]
    });
    beside::<E>(2, vec![writer], reader)
}

pub(in crate::study::audit) fn relaxed_buffering<E: Machine>() -> Program {
    store_buffering::<E>(Relaxed, false)
}

pub(in crate::study::audit) fn seq_cst_buffering<E: Machine>() -> Program {
    // SeqCst: the order of all four accesses is what is asked.
    store_buffering::<E>(SeqCst, false)
}

pub(in crate::study::audit) fn fenced_buffering<E: Machine>() -> Program {
    store_buffering::<E>(Relaxed, true)
}

/// (what the first thread saw, what the second saw)
fn store_buffering<E: Machine>(order: Ordering, fences: bool) -> Program {
    let thread = move |own: usize| {
        body::<E>(move |cells| {
            cells[own].store(1, order);
            if fences {
                // SeqCst, with the other thread's: one of the two fences is first.
                E::fence(SeqCst);
            }
            vec![cells[1 - own].load(order)]
        })
    };
    beside::<E>(2, vec![thread(1)], thread(0))
}

/// (what the first thread saw, what the second saw)
pub(in crate::study::audit) fn load_buffering<E: Machine>() -> Program {
    let thread = |own: usize| {
        body::<E>(move |cells| {
            let seen = cells[1 - own].load(Relaxed);
            cells[own].store(1, Relaxed);
            vec![seen]
        })
    };
    beside::<E>(2, vec![thread(1)], thread(0))
}

pub(in crate::study::audit) fn acquired_iriw<E: Machine>() -> Program {
    // Acquire, with the Release of the writers.
    iriw::<E>(Release, Acquire)
}

pub(in crate::study::audit) fn seq_cst_iriw<E: Machine>() -> Program {
    // SeqCst: that all threads agree on one order is what is asked.
    iriw::<E>(SeqCst, SeqCst)
}

/// (first reader: first cell, second cell; second reader: second cell, first cell)
fn iriw<E: Machine>(write: Ordering, read: Ordering) -> Program {
    let writer = |cell: usize| {
        body::<E>(move |cells| {
            cells[cell].store(1, write);
            Vec::new()
        })
    };
    let reader = |first: usize| {
        body::<E>(move |cells| {
            let seen = cells[first].load(read);
            vec![seen, cells[1 - first].load(read)]
        })
    };
    beside::<E>(2, vec![writer(0), writer(1), reader(1)], reader(0))
}

/// (flag, data)
pub(in crate::study::audit) fn release_sequence<E: Machine>() -> Program {
    let writer = body::<E>(|cells| {
        cells[0].store(1, Relaxed);
        // Release, with the Acquire of the reader, also by way of the other thread's exchange.
        cells[1].store(1, Release);
        Vec::new()
    });
    let other = body::<E>(|cells| {
        // Relaxed: a read-modify-write carries the release on, whatever its own ordering.
        let _ = cells[1].compare_exchange(1, 2, Relaxed, Relaxed);
        Vec::new()
    });
    let reader = body::<E>(|cells| {
        // Acquire, with the Release above.
        let flag = cells[1].load(Acquire);
        vec![flag, cells[0].load(Relaxed)]
    });
    beside::<E>(2, vec![writer, other], reader)
}
