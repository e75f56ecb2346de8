//! The exit hook runs more than once, and acts before it checks whether it already did.
//!
//! Source: mimalloc #699 (a platform may call the hook twice for a thread; it decremented first). Breaks: folded once,
//! exact. Every engine can catch it, in any execution.

use std::sync::Arc;

use countersign::{Lock, Locks};

use crate::subject::mutant::template::{Cells, FoldingFault, Registry};

/// See the [module](self).
pub(crate) enum DecrementBeforeCheck {}

impl FoldingFault for DecrementBeforeCheck {
    fn leave<const C: usize, P: Locks>(registry: &P::Mutex<Registry<C, P>>, cells: &Arc<Cells<C, P>>) {
        for _call_by_the_platform in 0..2 {
            let mut registry = registry.lock();
            // The fault: the check whether the thread is still linked should come first.
            registry.fold(cells);
            if !registry.unlink(cells) {
                return;
            }
        }
    }
}
