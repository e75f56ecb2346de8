//! Whether the claims of layouts hold: every layout, scenario and engine, or those that are asked for.
//!
//! ```text
//!   cells ──order──▶ jobs ──children, or verify's own threads──▶ sizes: one cell after the other ──▶ report
//! ```

mod budget;
pub mod children;
mod jobs;
mod order;
mod outcomes;
pub mod pool;
mod report;
mod sizes;
mod verify;

pub use budget::BudgetName;
pub use jobs::{Job, executable, explore};
pub use order::{Order, explore_in_order};
pub use outcomes::{Expected, OutcomeReport, outcomes};
pub use report::{CellReport, ChildReport, Report, SizeReport, Summary};
pub use sizes::{Detail, add, explore_in_turn};
pub use verify::{Verification, Verify, short_name};
