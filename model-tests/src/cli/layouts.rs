//! The commands that are about layouts.

pub(crate) mod cell;
pub(crate) mod check;
pub(crate) mod cost;
pub(crate) mod list;
pub(crate) mod mutants;
pub(crate) mod orderings;
pub(crate) mod replay;
pub(crate) mod stress;
