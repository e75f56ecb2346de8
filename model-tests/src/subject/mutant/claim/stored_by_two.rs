//! Cells that several threads write are written by a load and a store.
//!
//! Source: the counter that everybody writes first; peak #63 had it in a corner. Breaks: exact. Two threads load the same
//! count and store the same count plus one. Every engine can catch it.

use std::sync::atomic::Ordering::{Relaxed, Release};

use countersign::{Atomic, Event, Primitives};

use crate::subject::mutant::template::{Cells, SharedFault};

/// See the [module](self).
pub(crate) enum StoredByTwo {}

impl SharedFault for StoredByTwo {
    fn write<const C: usize, P: Primitives>(cells: &Cells<C, P>, event: Event, class: usize) {
        let (cell, order) = match event {
            Event::Alloc => (&cells.allocs[class], Relaxed),
            Event::Free => (&cells.frees[class], Release),
        };
        // The fault: another thread's store may come between the two.
        let count = cell.load(Relaxed);
        cell.store(count + 1, order);
    }
}
