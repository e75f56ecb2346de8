//! A new thread has the id of a dead one, and is taken for it.
//!
//! Source: hotpath-rs #488 (a recycled thread id matches the slot of a dead thread, whose row is no longer shown). Breaks:
//! exact. The events of the new thread are lost. Every engine can catch it, in any execution in which a thread registers
//! after another's exit.

use std::sync::Arc;

use countersign::{Lock, Locks};

use crate::subject::mutant::template::{Cells, FoldingFault, Registry};

/// See the [module](self). The id is that of any dead thread, if there is one.
pub(crate) enum RecycledId {}

impl FoldingFault for RecycledId {
    fn enter<const C: usize, P: Locks>(registry: &P::Mutex<Registry<C, P>>) -> Arc<Cells<C, P>> {
        let mut registry = registry.lock();
        if let Some(cells) = registry.kept.first() {
            // The fault: this row is that of another thread, and it is not linked any more.
            return Arc::clone(cells);
        }
        let cells = Arc::new(Cells::named(format_args!("live.")));
        registry.live.push(Arc::clone(&cells));
        cells
    }

    fn leave<const C: usize, P: Locks>(registry: &P::Mutex<Registry<C, P>>, cells: &Arc<Cells<C, P>>) {
        let mut registry = registry.lock();
        if registry.unlink(cells) {
            registry.fold(cells);
            registry.kept.push(Arc::clone(cells));
        }
    }
}
