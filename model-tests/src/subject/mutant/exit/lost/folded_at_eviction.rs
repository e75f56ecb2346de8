//! A thread's counts are folded when its row is evicted, and what it records afterwards is suppressed.
//!
//! Source: hotpath-rs #487. Breaks: exact. The evicted thread lives on, and its events go to a row that no snapshot looks
//! at. Every engine can catch it, in any execution with two live threads.

use std::sync::Arc;

use countersign::{Lock, Locks};

use crate::subject::mutant::template::{Cells, FoldingFault, Registry, add};

/// See the [module](self). There is room for one row.
pub(crate) enum FoldedAtEviction {}

impl FoldingFault for FoldedAtEviction {
    fn enter<const C: usize, P: Locks>(registry: &P::Mutex<Registry<C, P>>) -> Arc<Cells<C, P>> {
        let cells = Arc::new(Cells::named(format_args!("live.")));
        let mut registry = registry.lock();
        if let Some(evicted) = registry.live.pop() {
            // The fault: its owner knows nothing of it.
            add(&mut registry.retired, evicted.read());
        }
        registry.live.push(Arc::clone(&cells));
        cells
    }

    fn leave<const C: usize, P: Locks>(registry: &P::Mutex<Registry<C, P>>, cells: &Arc<Cells<C, P>>) {
        let mut registry = registry.lock();
        if registry.unlink(cells) {
            registry.fold(cells);
        }
    }
}
