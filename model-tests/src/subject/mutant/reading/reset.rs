//! Counters are set to zero.

pub(crate) mod read_then_zero;
pub(crate) mod reset_between;
