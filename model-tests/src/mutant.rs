//! Mutants: broken layouts that the suite must catch, each named after its mechanism.
//!
//! A mutant differs from a correct layout in one thing, says which real bug it restates, which claim it breaks, and
//! which engines must catch it. They are selectable as layouts (`--layout mutant:NAME`) and are no part of a default
//! run.

pub mod allocs_before_frees;
pub mod claim_relaxed;
pub mod naive_fold;
mod parts;
pub mod unlink_before_fold;

pub use allocs_before_frees::AllocsBeforeFrees;
pub use claim_relaxed::ClaimRelaxed;
pub use naive_fold::NaiveFold;
pub use unlink_before_fold::UnlinkBeforeFold;
