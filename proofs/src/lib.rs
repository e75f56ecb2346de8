//! What is proved of the size classes, for every size of 64 bits and not for a sample.
//!
//! ```text
//!   Statement ──┬── smt         a solver, on the shipped formula run on its terms       all 2^64 sizes
//!               ├── exhaustion  no solver: every size one by one, and the edges above   0..=2^32
//!               └── harness     the same claims as Kani harnesses                       here: chosen sizes
//!   wrong: tables that are wrong at an edge, which each of these must refute
//! ```
//!
//! `README.md` says what each of these trusts.

#![deny(missing_docs, unsafe_op_in_unsafe_fn)]

pub mod exhaustion;
pub mod failure;
pub mod harness;
pub mod law;
pub mod smt;
pub mod statement;
pub mod wrong;

pub use failure::Failure;
pub use law::Refutation;
pub use statement::Statement;
