//! What was found of layouts.

pub mod check;
pub mod cost;
pub mod failures;
pub mod junit;
pub mod kill_matrix;
pub mod list;
pub mod orderings;
pub mod outcomes;
pub mod stress;
