//! The commands that are about engines.

pub(crate) mod audit;
pub(crate) mod coverage;
pub(crate) mod litmus;
pub(crate) mod yardstick;
