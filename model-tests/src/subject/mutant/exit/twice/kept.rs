//! The cells of exited threads are kept.
//!
//! Sources: client_python #566 (the files of dead workers, if they are not removed, grow in number without bound), and
//! accounting-allocator (what dead threads leave behind grows until someone reads). Breaks: bounded memory. Every engine
//! can catch both, in any execution.

use std::mem;
use std::sync::Arc;

use countersign::{ClassCounts, Lock, Locks};

use crate::subject::mutant::template::{Cells, FoldingFault, Registry, add};

/// For ever. See the [module](self).
pub(crate) enum KeptForEver {}

/// Until the next snapshot. See the [module](self).
pub(crate) enum KeptUntilRead {}

impl FoldingFault for KeptForEver {
    fn leave<const C: usize, P: Locks>(_: &P::Mutex<Registry<C, P>>, _: &Arc<Cells<C, P>>) {
        // The fault: they stay linked, so no count is lost, and no memory comes back.
    }
}

impl FoldingFault for KeptUntilRead {
    fn leave<const C: usize, P: Locks>(registry: &P::Mutex<Registry<C, P>>, cells: &Arc<Cells<C, P>>) {
        let mut registry = registry.lock();
        registry.unlink(cells);
        // The fault: there may never be a snapshot.
        registry.kept.push(Arc::clone(cells));
    }

    fn read<const C: usize, P: Locks>(registry: &P::Mutex<Registry<C, P>>) -> [ClassCounts; C] {
        let mut registry = registry.lock();
        for cells in mem::take(&mut registry.kept) {
            add(&mut registry.retired, cells.read());
        }
        let mut counts = registry.retired;
        add(&mut counts, registry.read_live());
        counts
    }
}
