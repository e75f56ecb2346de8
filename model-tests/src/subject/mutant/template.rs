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
mod sound;

pub(crate) use cells::{Cells, add, nothing};
pub(crate) use folding::{FoldingFault, FoldingWith, Registry};
pub(crate) use protocol::{Mutant, Protocol};
pub(crate) use shared::{SharedFault, SharedWith};
pub(crate) use slots::{MarkReread, Overflow, Reuse, Rules, SlotsFault, SlotsWith};
pub(crate) use sound::Sound;
