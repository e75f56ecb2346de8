//! What a litmus program needs beyond an engine.

use std::sync::atomic::Ordering;

use crate::engine::Engine;

/// An engine that can run litmus programs.
pub trait Machine: Engine {
    /// A fence.
    fn fence(order: Ordering);

    /// Gives the execution up unless `holds`, and says whether the calling thread goes on.
    ///
    /// An engine that can block a thread for good does so and does not return. On one that cannot, the interpreter ends
    /// the thread, and the execution is not counted.
    fn assume(holds: bool) -> bool;
}
