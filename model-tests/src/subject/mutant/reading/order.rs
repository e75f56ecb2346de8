//! What is read or written in the wrong order.

pub(crate) mod allocs_before_frees;
pub(crate) mod free_ordering;
pub(crate) mod one_late;
pub(crate) mod parts_apart;
pub(crate) mod two_passes;
