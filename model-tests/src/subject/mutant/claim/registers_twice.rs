//! A thread whose registration is re-entered is registered twice.
//!
//! Source: thread_local-rs #94 (a re-entrant initialiser). Breaks: folded once. While the thread lives its counts are
//! added twice. Every engine can catch it.

use std::sync::Arc;

use countersign::{Lock, Locks};

use crate::subject::mutant::template::{Cells, FoldingFault, Registry};

/// See the [module](self). A registration is taken to be re-entered when another thread's is there.
pub(crate) enum RegistersTwice {}

impl FoldingFault for RegistersTwice {
    fn enter<const C: usize, P: Locks>(registry: &P::Mutex<Registry<C, P>>) -> Arc<Cells<C, P>> {
        let cells = Arc::new(Cells::named(format_args!("live.")));
        let mut registry = registry.lock();
        let re_entered = !registry.live.is_empty();
        registry.live.push(Arc::clone(&cells));
        if re_entered {
            // The fault: the outer registration does not look whether the inner one has linked the cells.
            registry.live.push(Arc::clone(&cells));
        }
        cells
    }
}
