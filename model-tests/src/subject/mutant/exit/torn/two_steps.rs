//! An exiting thread leaves the list and enters the total in two steps, and a reader looks at list and total in two
//! steps.
//!
//! Source: openjdk/jdk #13814 (bytes allocated by exited threads). Breaks: folded once, monotonic. All four combinations
//! of the orders are wrong: with one event, leaving first shows 0 or 1 of it when the total is read first and 0, 1 or 2
//! when the list is; entering first shows 0, 1 or 2, and 1 or 2. Only one critical section on both sides is right. Every
//! engine can catch each of the four.

use std::sync::Arc;

use countersign::{ClassCounts, Lock, Locks};

use crate::subject::mutant::template::{Cells, FoldingFault, Registry, add};

/// See the [module](self).
pub(crate) enum TwoSteps<const LEAVES_LIST_FIRST: bool, const READS_LIST_FIRST: bool> {}

impl<const LEAVES_LIST_FIRST: bool, const READS_LIST_FIRST: bool> FoldingFault
    for TwoSteps<LEAVES_LIST_FIRST, READS_LIST_FIRST>
{
    fn leave<const C: usize, P: Locks>(registry: &P::Mutex<Registry<C, P>>, cells: &Arc<Cells<C, P>>) {
        // The fault, here and in `read`: two critical sections.
        if LEAVES_LIST_FIRST {
            registry.lock().unlink(cells);
            registry.lock().fold(cells);
        } else {
            registry.lock().fold(cells);
            registry.lock().unlink(cells);
        }
    }

    fn read<const C: usize, P: Locks>(registry: &P::Mutex<Registry<C, P>>) -> [ClassCounts; C] {
        let mut counts;
        if READS_LIST_FIRST {
            counts = registry.lock().read_live();
            add(&mut counts, registry.lock().retired);
        } else {
            counts = registry.lock().retired;
            add(&mut counts, registry.lock().read_live());
        }
        counts
    }
}
