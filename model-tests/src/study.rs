//! What can be asked of layouts and of engines.
//!
//! - [`check`]: do the claims hold, in every scenario on every engine?
//! - [`coverage`]: does an engine that claims to be exhaustive reach everything?
//! - [`orderings`]: is each ordering needed?
//! - [`cost`]: how many operations does each step take?
//! - [`kill_matrix`]: which engine catches which mutant?
//! - [`audit`]: what does an engine show of programs whose answers are known?
//! - [`litmus`]: and of the programs of a file?
//! - [`yardstick`]: how many executions does it need?
//! - [`stress`]: what do real threads make of a layout?

pub mod audit;
pub mod check;
pub mod cost;
pub mod coverage;
pub mod kill_matrix;
pub mod litmus;
pub mod orderings;
pub mod stress;
pub mod yardstick;
