//! What was found of engines.

pub mod audit;
pub mod coverage;
pub mod yardstick;
