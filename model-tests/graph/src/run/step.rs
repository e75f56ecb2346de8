//! What a run makes of each operation: it is replayed from the graph, or extends it, or its thread waits.

mod ending;
pub(crate) mod fault;
pub(crate) mod reply;
pub(crate) mod schedule;
pub(crate) mod status;
pub(crate) mod stepper;
