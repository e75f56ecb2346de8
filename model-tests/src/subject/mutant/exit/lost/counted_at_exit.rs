//! A thread's counts are seen only when its destructor has folded them.
//!
//! Source: counters that flush in a thread-local's destructor, and `std::thread::scope`, which may return before such
//! destructors ran (rust-lang/rust pull request 149482 documents it). Breaks: exact. Every engine can catch it.

use countersign::{ClassCounts, Lock, Locks};

use crate::subject::mutant::template::{FoldingFault, Registry};

/// See the [module](self).
pub(crate) enum CountedAtExit {}

impl FoldingFault for CountedAtExit {
    fn read<const C: usize, P: Locks>(registry: &P::Mutex<Registry<C, P>>) -> [ClassCounts; C] {
        // The fault: the live threads are not looked at.
        registry.lock().retired
    }
}
