//! One run of the program under test: its threads, which of their operations are replayed from the graph and which extend
//! it, and who goes on.
//!
//! ```text
//!   sync, thread ──operation──▶ driver ──step──▶ step ──▶ model: the graph
//!                                 │                └───────▶ schedule: an execution that is repeated
//!                                 └─enter, suspend─▶ coroutine
//! ```

pub(crate) mod coroutine;
pub(crate) mod driver;
pub(crate) mod names;
pub(crate) mod panics;
pub(crate) mod place;
pub(crate) mod step;
