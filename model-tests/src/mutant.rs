//! Mutants: broken layouts that the suite must catch, each named after its mechanism.
//!
//! A mutant differs from a correct layout in one thing, says which real bug it restates, which claim it breaks, and
//! which engines must catch it: in words beside its code, and for the kill matrix in
//! [`catalog::mutant_entries`](crate::catalog::mutant_entries). They are selectable as layouts (`--layout mutant:NAME`)
//! and are no part of a default run.

pub(crate) mod claim;
pub(crate) mod exit;
pub(crate) mod locks;
mod parts;
pub(crate) mod reading;

#[cfg(test)]
pub(crate) use parts::Rules;
pub(crate) use parts::{FoldingFault, FoldingWith, Mutant, SharedFault, SharedWith, SlotsFault, SlotsWith, Sound};
