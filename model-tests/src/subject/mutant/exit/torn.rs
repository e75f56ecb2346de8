//! The fold is torn apart: a reader sees half of it.

pub(crate) mod naive_fold;
pub(crate) mod offline_before_drain;
pub(crate) mod subtract_unspent;
pub(crate) mod two_steps;
pub(crate) mod unlink_before_fold;
