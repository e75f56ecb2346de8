//! Mutants: broken layouts that the suite must catch, each named after its mechanism.
//!
//! A mutant differs from a correct layout in one thing, says which real bug it restates, which claim it breaks, and
//! which engines must catch it: in words beside its code, and for the kill matrix in
//! [`mutant_entries`](catalog::mutant_entries). They are selectable as layouts (`--layout mutant:NAME`)
//! and are no part of a default run.

pub mod catalog;
pub(crate) mod claim;
pub(crate) mod exit;
pub(crate) mod locks;
pub(crate) mod reading;
pub(crate) mod template;
