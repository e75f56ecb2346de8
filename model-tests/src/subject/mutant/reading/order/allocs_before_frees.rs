//! A snapshot reads the allocs before the frees.
//!
//! Source: stats_alloc, whose statistics are read field by field in this order. Breaks: in use never negative. A block
//! that is allocated and freed between the two readings is counted as a free alone. Every engine can catch it.

use std::array;
use std::sync::atomic::Ordering::{Acquire, Relaxed};

use countersign::{Atomic, Claims, ClassCounts, Primitives};

use crate::subject::mutant::template::{Cells, SharedFault};

/// See the [module](self). With `WITHHELD` it does not claim what it breaks, and is then a correct layout.
pub(crate) enum AllocsBeforeFrees<const WITHHELD: bool> {}

impl<const WITHHELD: bool> SharedFault for AllocsBeforeFrees<WITHHELD> {
    const CLAIMS: Claims = Claims { in_use_never_negative: !WITHHELD, ..Claims::ALL };

    fn read<const C: usize, P: Primitives>(cells: &Cells<C, P>) -> [ClassCounts; C] {
        // The fault: this comes first.
        let allocs: [u64; C] = array::from_fn(|class| cells.allocs[class].load(Relaxed));
        // Acquire, with the Release of the frees.
        array::from_fn(|class| ClassCounts { allocs: allocs[class], frees: cells.frees[class].load(Acquire) })
    }
}
