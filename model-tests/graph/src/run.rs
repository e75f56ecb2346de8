//! One run of the program under test: its threads, which of their operations are replayed from the graph and which extend
//! it, and who goes on.
//!
//! ```text
//!   sync, thread ──operation──▶ driver ──step──▶ stepper ──▶ model: the graph
//!                                 │                └───────▶ schedule: an execution that is repeated
//!                                 └─enter, suspend─▶ coroutine
//! ```

pub(crate) mod coroutine;
pub(crate) mod driver;
pub(crate) mod fault;

pub(crate) mod names;
pub(crate) mod panics;
pub(crate) mod place;
pub(crate) mod schedule;
pub(crate) mod status;
pub(crate) mod stepper;
