//! Exits that are not uncounted, and exits that are uncounted twice.
//!
//! Source: tokio #1562: a gauge of live threads never went down, because no exit path uncounted; the first fix uncounted
//! on a path where others did too, and the gauge underflowed to 2^32-1. Every engine can catch both.

use std::sync::Arc;

use countersign::{ClassCounts, Lock, Locks};

use crate::subject::mutant::template::{Cells, FoldingFault, Registry, add};

/// The exit forgets what was taken off. Breaks: exact. See the [module](self).
pub(crate) enum ExitNotUncounted {}

/// The exit takes off what is still in use, which whoever frees it will take off again. Breaks: in use never negative.
/// See the [module](self).
pub(crate) enum ExitUncountedTwice {}

impl FoldingFault for ExitNotUncounted {
    fn leave<const C: usize, P: Locks>(registry: &P::Mutex<Registry<C, P>>, cells: &Arc<Cells<C, P>>) {
        let mut registry = registry.lock();
        // The fault.
        add(&mut registry.retired, cells.owned().map(|counts| ClassCounts { frees: 0, ..counts }));
        registry.unlink(cells);
    }
}

impl FoldingFault for ExitUncountedTwice {
    fn leave<const C: usize, P: Locks>(registry: &P::Mutex<Registry<C, P>>, cells: &Arc<Cells<C, P>>) {
        let mut registry = registry.lock();
        // The fault.
        let all_freed = |counts: ClassCounts| ClassCounts { frees: counts.frees.max(counts.allocs), ..counts };
        add(&mut registry.retired, cells.owned().map(all_freed));
        registry.unlink(cells);
    }
}
