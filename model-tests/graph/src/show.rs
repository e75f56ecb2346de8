//! What is said of a graph or of a run: an execution as rows, as a schedule, and a fault in words.

pub(crate) mod diagnosis;
pub mod encoding;
pub(crate) mod numbering;
pub(crate) mod schedule;
pub(crate) mod trace;
