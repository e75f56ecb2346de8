//! What goes wrong between writing and reading: frees before allocs, a total before its parts, a reset in between.

mod allocs_before_frees;
mod derived_by_difference;
mod earlier_cycle;
mod free_ordering;
mod one_late;
mod parts_apart;
mod read_then_zero;
mod reset_between;
mod two_copies;
mod two_passes;
mod unmerged_locals;

pub(crate) use allocs_before_frees::AllocsBeforeFrees;
pub(crate) use derived_by_difference::DerivedByDifference;
pub(crate) use earlier_cycle::EarlierCycle;
pub(crate) use free_ordering::{
    OverflowFreeReadRelaxed, OverflowFreeWrittenRelaxed, ShardFreeReadRelaxed, ShardFreeWrittenRelaxed,
    SlotFreeReadRelaxed, SlotFreeWrittenRelaxed,
};
pub(crate) use one_late::{AllocsLate, FreesLate, Late, OneLate};
pub(crate) use parts_apart::PartsApart;
pub(crate) use read_then_zero::ReadThenZero;
pub(crate) use reset_between::ResetBetween;
pub(crate) use two_copies::TwoCopies;
pub(crate) use two_passes::TwoPasses;
pub(crate) use unmerged_locals::UnmergedLocals;
