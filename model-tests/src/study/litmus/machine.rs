//! What a litmus program needs beyond an engine.

use std::sync::atomic::Ordering;

use crate::engine::{Engine, Graph, Loom, RealThreads, Shuttle, Strategy};

/// An engine that can run litmus programs.
pub trait Machine: Engine {
    /// A fence.
    #[track_caller]
    fn fence(order: Ordering);

    /// Gives the execution up unless `holds`, and says whether the calling thread goes on.
    ///
    /// An engine that can block a thread for good does so and does not return. On one that cannot, the interpreter ends
    /// the thread, and the execution is not counted.
    fn assume(holds: bool) -> bool;
}

impl Machine for Graph {
    #[track_caller]
    fn fence(order: Ordering) {
        countersign_graph::sync::atomic::fence(order);
    }

    fn assume(holds: bool) -> bool {
        countersign_graph::assume(holds);
        true
    }
}

impl Machine for Loom {
    fn fence(order: Ordering) {
        loom::sync::atomic::fence(order);
    }

    fn assume(holds: bool) -> bool {
        holds
    }
}

impl<S: Strategy> Machine for Shuttle<S> {
    fn fence(_: Ordering) {
        // Every access is seq_cst here, so there is nothing left for a fence to order.
    }

    fn assume(holds: bool) -> bool {
        holds
    }
}

impl Machine for RealThreads {
    fn fence(order: Ordering) {
        std::sync::atomic::fence(order);
    }

    fn assume(holds: bool) -> bool {
        holds
    }
}
