//! Programs whose number of executions is known, to measure engines by.
//!
//! The families come from the tests of GenMC, the counter programs are what layouts are made of. For each, an engine that
//! visits every execution graph exactly once needs a known number of executions; what an engine needs beside it, and how
//! long it takes, is its measure.

mod counters;
mod families;
mod measure;
mod programs;

pub use counters::Counters;
pub use families::Yardstick;
pub use measure::{Row, differs, measure};
