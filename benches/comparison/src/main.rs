//! The stopwatch: `countersign bench` runs this.
//!
//! ```text
//!   groups ──settings──▶ blocks of runs ──▶ rows ──▶ comparisons ──▶ goals
//!                                            │            │            │
//!                                            └────────────┴────────────┴──▶ report: table, JSON, chart
//! ```
//!
//! A *mode* is a way to count; a *setting* is a group of modes with given sizes and a given number of workers, and its
//! first mode is the *reference*. One *run* lets every worker do the same number of operations and checks what was
//! counted. A *block* is four runs, reference, mode, mode, reference, and in the next round the other way round, so that
//! whatever drifts meanwhile falls on both; the same with the mode in both roles is the mode's *control*, which shows
//! what a ratio may be when nothing differs.

mod cli;
mod comparison;
mod goal;
mod group;
mod measurement;
mod report;
mod statistics;
mod workload;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
