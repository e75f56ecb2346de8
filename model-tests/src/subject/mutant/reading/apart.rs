//! What belongs together is kept in two places.

pub(crate) mod derived_by_difference;
pub(crate) mod earlier_cycle;
pub(crate) mod two_copies;
pub(crate) mod unmerged_locals;
