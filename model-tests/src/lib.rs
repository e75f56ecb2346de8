//! The suite that vouches for Countersign's counters: scenarios, an oracle, engines that run them, and verdicts that
//! say what was explored and no more.
//!
//! # The rooms
//!
//! ```text
//!   report ──▶ study ──▶ failure ──▶ scenario ──▶ subject ──▶ engine ──▶ verdict      (▶ may use, and all to its right)
//! ```
//!
//! - [`verdict`]: what is claimed, and what an exploration proved of it.
//! - [`engine`]: what runs a program in many ways; one adapter for each library.
//! - [`subject`]: what is verified: layouts, and broken ones that must be caught.
//! - [`scenario`]: small programs that race one thing.
//! - [`failure`]: an execution that breaks a claim, as small as it gets, and how it is repeated.
//! - [`study`]: what can be asked.
//! - [`report`]: what was found, as text.
//!
//! The command line is in the binary alone.

#![deny(missing_docs, unsafe_op_in_unsafe_fn)]

pub mod engine;
pub mod failure;
pub mod report;
pub mod scenario;
pub mod study;
pub mod subject;
pub mod verdict;

pub use report::verify;
pub use study::check::{Verification, Verify};
pub use study::orderings::{OrderingAudit, orderings};
