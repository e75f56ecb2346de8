//! What mutants are made of: correct parts, so that each mutant is broken in its own way only.
//!
//! [`SlotsWith`], [`FoldingWith`] and [`SharedWith`] are whole layouts in which each step that can be got wrong is an
//! item of a trait, given its sound form by default: a mutant overrides one. With [`Sound`], which overrides none, they
//! are correct, and the suite finds them so; what a mutant is killed for is then its fault and nothing else. Mutants
//! that fit none of these are a [`Protocol`] of their own.

mod cells;
mod folding;
mod protocol;
mod shared;
mod slots;

pub(crate) use cells::{Cells, add, nothing};
pub(crate) use folding::Registry;
pub(crate) use folding::{FoldingFault, FoldingWith};
pub(crate) use protocol::Mutant;
pub(crate) use protocol::Protocol;
pub(crate) use shared::{SharedFault, SharedWith};
pub(crate) use slots::{MarkReread, Overflow, Reuse, Rules};
pub(crate) use slots::{SlotsFault, SlotsWith};

/// No fault.
pub(crate) enum Sound {}

impl SlotsFault for Sound {}
impl FoldingFault for Sound {}
impl SharedFault for Sound {}
