//! An exiting thread leaves the reader's list before its counts are in the total.
//!
//! Source: folly #133 (`ThreadCachedInt`). Breaks: folded once, monotonic. A snapshot between the two critical sections
//! misses the thread. Every engine can catch it.

use std::sync::Arc;

use countersign::{Lock, Locks};

use crate::subject::mutant::template::{Cells, FoldingFault, Registry};

/// See the [module](self).
pub(crate) enum UnlinkBeforeFold {}

impl FoldingFault for UnlinkBeforeFold {
    fn leave<const C: usize, P: Locks>(registry: &P::Mutex<Registry<C, P>>, cells: &Arc<Cells<C, P>>) {
        registry.lock().unlink(cells);
        // The fault: here the thread is in neither.
        registry.lock().fold(cells);
    }
}
