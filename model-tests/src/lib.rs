//! The suite that vouches for Countersign's counters: scenarios, an oracle, engines that run them, and verdicts that
//! say what was explored and no more.

#![deny(missing_docs, unsafe_op_in_unsafe_fn)]

pub mod audit;
pub mod battery;
pub mod blind_spot;
pub mod budget;
pub mod catalog;
pub mod cell;
pub mod cli;
pub mod cost;
pub mod counterexample;
pub mod coverage;
pub mod engine;
pub mod litmus;
pub mod mutant;
pub mod oracle;
pub mod orderings;
pub mod outcomes;
mod pool;
pub mod report;
pub mod scenario;
pub mod shrink;
pub mod stress;
pub mod subject;
pub mod token;
pub mod trace;
pub mod vectors;
pub mod verdict;
pub mod verify;
pub mod yardstick;

pub use orderings::{OrderingAudit, orderings};
pub use verify::{Verification, Verify, verify};
