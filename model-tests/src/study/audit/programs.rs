//! The programs, on any engine.

mod bodies;
pub(super) mod coherence;
pub(super) mod ordering;
pub(super) mod threads;
