//! The counts of an exiting thread go with it.
//!
//! Source: client_python #566 (the files of dead workers are removed, and totals fall). Breaks: folded once, exact. Every
//! engine can catch it, in any execution in which a thread exits.

use std::sync::Arc;

use countersign::{Lock, Locks};

use crate::subject::mutant::template::{Cells, FoldingFault, Registry};

/// See the [module](self).
pub(crate) enum DroppedAtExit {}

impl FoldingFault for DroppedAtExit {
    fn leave<const C: usize, P: Locks>(registry: &P::Mutex<Registry<C, P>>, cells: &Arc<Cells<C, P>>) {
        // The fault: nobody folds them.
        registry.lock().unlink(cells);
    }
}
