//! The shutdown path counts a thread as idle that is already counted.
//!
//! Source: tokio #6439, #7910 (the idle count is incremented again where all workers are woken to shut down, and
//! decremented once). Breaks: exact. Every engine can catch it, in any execution in which a thread exits while it is
//! idle: with an alloc that it has not freed.

use std::sync::Arc;

use countersign::{ClassCounts, Event, Lock, Locks};

use crate::subject::mutant::template::{Cells, FoldingFault, Registry};

/// See the [module](self).
pub(crate) enum CountedIdleAgain {}

impl FoldingFault for CountedIdleAgain {
    fn leave<const C: usize, P: Locks>(registry: &P::Mutex<Registry<C, P>>, cells: &Arc<Cells<C, P>>) {
        let idle = |counts: &ClassCounts| counts.in_use() > 0;
        let mut registry = registry.lock();
        if let Some(class) = cells.owned().iter().position(idle) {
            // The fault.
            registry.retired[class].count(Event::Alloc);
        }
        registry.fold(cells);
        registry.unlink(cells);
    }
}
