//! The cells of an exited thread are used again with their counts, which are already in the total.
//!
//! Source: peak #63 and mimalloc #699, from the other side: what an exit hook has folded it folds again when the thread,
//! or its successor, exits once more. Breaks: folded once, exact. Every engine can catch it, in any execution in which a
//! thread registers after another's exit.

use std::sync::Arc;

use countersign::{Lock, Locks};

use crate::subject::mutant::template::{Cells, FoldingFault, Registry};

/// See the [module](self).
pub(crate) enum FoldedAgain {}

impl FoldingFault for FoldedAgain {
    fn enter<const C: usize, P: Locks>(registry: &P::Mutex<Registry<C, P>>) -> Arc<Cells<C, P>> {
        let mut registry = registry.lock();
        // The fault: these are not zero.
        let fresh = || Arc::new(Cells::named(format_args!("live.")));
        let cells = registry.kept.pop().unwrap_or_else(fresh);
        registry.live.push(Arc::clone(&cells));
        cells
    }

    fn leave<const C: usize, P: Locks>(registry: &P::Mutex<Registry<C, P>>, cells: &Arc<Cells<C, P>>) {
        let mut registry = registry.lock();
        registry.fold(cells);
        registry.unlink(cells);
        registry.kept.push(Arc::clone(cells));
    }
}
