//! Counted again, uncounted again, or never uncounted.

pub(crate) mod counted_idle_again;
pub(crate) mod decrement_before_check;
pub(crate) mod exits;
pub(crate) mod folded_again;
pub(crate) mod kept;
