//! An event that is recorded after the thread's node was destroyed is dropped.
//!
//! Source: valkey-search #1119, #1402 (an addition after the node's destruction returns early). Breaks: exact. Every
//! engine can catch it.

use countersign::{Event, Lock, Locks};

use crate::subject::mutant::template::{FoldingFault, Registry};

/// See the [module](self).
pub(crate) enum DeadNodeDrops {}

impl FoldingFault for DeadNodeDrops {
    fn late<const C: usize, P: Locks>(registry: &P::Mutex<Registry<C, P>>, event: Event, class: usize) {
        let mut registry = registry.lock();
        if registry.live.is_empty() {
            // The fault.
            return;
        }
        registry.retired[class].count(event);
    }
}
