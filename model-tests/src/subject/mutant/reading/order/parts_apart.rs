//! A total and its parts are read at different times, and one part is what the others leave of the total.
//!
//! Source: golang/go #38712 (the parts of a memory statistic do not add up to its total). Breaks: bounded. The total is
//! read first; an event between the readings is in a part and not in the total. Every engine can catch it, with two
//! classes.

use std::array;
use std::sync::atomic::Ordering::{Acquire, Release};

use countersign::{Atomic, ClassCounts, Event, Primitives};

use crate::subject::mutant::template::{Cells, SharedFault};

/// See the [module](self). The last class holds the total.
pub(crate) enum PartsApart {}

impl SharedFault for PartsApart {
    fn write<const C: usize, P: Primitives>(cells: &Cells<C, P>, event: Event, class: usize) {
        let counters = match event {
            Event::Alloc => &cells.allocs,
            Event::Free => &cells.frees,
        };
        if class + 1 < C {
            counters[class].fetch_add(1, Release);
        }
        counters[C - 1].fetch_add(1, Release);
    }

    fn read<const C: usize, P: Primitives>(cells: &Cells<C, P>) -> [ClassCounts; C] {
        // The fault: this comes first.
        let total = [cells.frees[C - 1].load(Acquire), cells.allocs[C - 1].load(Acquire)];
        let mut counts = array::from_fn(|class| {
            let frees = cells.frees[class].load(Acquire);
            ClassCounts { allocs: cells.allocs[class].load(Acquire), frees }
        });
        let (rest, parts) = counts.split_last_mut().expect("a layout has a class");
        let sum = parts.iter().fold(ClassCounts::default(), |sum, part| sum.plus(*part));
        *rest = ClassCounts { allocs: total[1].wrapping_sub(sum.allocs), frees: total[0].wrapping_sub(sum.frees) };
        counts
    }
}
