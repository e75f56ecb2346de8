//! Counts that go with the thread.

pub(crate) mod counted_at_exit;
pub(crate) mod dead_node_drops;
pub(crate) mod dropped_at_exit;
pub(crate) mod folded_at_eviction;
