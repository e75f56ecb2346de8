//! What goes wrong when a thread exits: counts lost, doubled, taken back or never given up.

mod counted_at_exit;
mod counted_idle_again;
mod dead_node_drops;
mod decrement_before_check;
mod dropped_at_exit;
mod exits;
mod folded_again;
mod folded_at_eviction;
mod kept;
mod naive_fold;
mod offline_before_drain;
mod subtract_unspent;
mod two_steps;
mod unlink_before_fold;

pub(crate) use counted_at_exit::CountedAtExit;
pub(crate) use counted_idle_again::CountedIdleAgain;
pub(crate) use dead_node_drops::DeadNodeDrops;
pub(crate) use decrement_before_check::DecrementBeforeCheck;
pub(crate) use dropped_at_exit::DroppedAtExit;
pub(crate) use exits::{ExitNotUncounted, ExitUncountedTwice};
pub(crate) use folded_again::FoldedAgain;
pub(crate) use folded_at_eviction::FoldedAtEviction;
pub(crate) use kept::{KeptForEver, KeptUntilRead};
pub(crate) use naive_fold::NaiveFold;
pub(crate) use offline_before_drain::OfflineBeforeDrain;
pub(crate) use subtract_unspent::SubtractUnspent;
pub(crate) use two_steps::TwoSteps;
pub(crate) use unlink_before_fold::UnlinkBeforeFold;
