//! What goes wrong between writing and reading: frees before allocs, a total before its parts, a reset in between.

mod apart;
mod order;
mod reset;

pub(crate) use apart::derived_by_difference::DerivedByDifference;
pub(crate) use apart::earlier_cycle::EarlierCycle;
pub(crate) use apart::two_copies::TwoCopies;
pub(crate) use apart::unmerged_locals::UnmergedLocals;
pub(crate) use order::allocs_before_frees::AllocsBeforeFrees;
pub(crate) use order::free_ordering::{
    OverflowFreeReadRelaxed, OverflowFreeWrittenRelaxed, ShardFreeReadRelaxed, ShardFreeWrittenRelaxed,
    SlotFreeReadRelaxed, SlotFreeWrittenRelaxed,
};
pub(crate) use order::one_late::{AllocsLate, FreesLate, Late, OneLate};
pub(crate) use order::parts_apart::PartsApart;
pub(crate) use order::two_passes::TwoPasses;
pub(crate) use reset::read_then_zero::ReadThenZero;
pub(crate) use reset::reset_between::ResetBetween;
