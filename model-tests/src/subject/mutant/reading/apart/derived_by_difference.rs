//! The frees are not counted but derived: allocs less blocks alive, two counters that are read apart.
//!
//! Source: golang/go #67019 (an unsigned subtraction of two counters read apart). Breaks: in use never negative. An alloc
//! between the two readings makes the difference wrap to 2^64-1. Every engine can catch it.

use std::array;
use std::sync::atomic::Ordering::{Acquire, Release};

use countersign::{Atomic, ClassCounts, Event, Primitives};

use crate::subject::mutant::template::{Cells, SharedFault};

/// See the [module](self). The blocks alive are in the cells of the frees.
pub(crate) enum DerivedByDifference {}

impl SharedFault for DerivedByDifference {
    fn write<const C: usize, P: Primitives>(cells: &Cells<C, P>, event: Event, class: usize) {
        // Release, with the Acquire of the other cell in `read`: as strong as orderings can be.
        match event {
            Event::Alloc => {
                cells.allocs[class].fetch_add(1, Release);
                cells.frees[class].fetch_add(1, Release);
            }
            Event::Free => {
                cells.frees[class].fetch_add(1_u64.wrapping_neg(), Release);
            }
        }
    }

    fn read<const C: usize, P: Primitives>(cells: &Cells<C, P>) -> [ClassCounts; C] {
        array::from_fn(|class| {
            let allocs = cells.allocs[class].load(Acquire);
            // The fault: there may be a block alive that was not allocated above.
            let alive = cells.frees[class].load(Acquire);
            ClassCounts { allocs, frees: allocs.wrapping_sub(alive) }
        })
    }
}
