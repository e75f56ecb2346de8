//! What goes wrong when a thread exits: counts lost, doubled, taken back or never given up.

mod lost;
mod torn;
mod twice;

pub(crate) use lost::counted_at_exit::CountedAtExit;
pub(crate) use lost::dead_node_drops::DeadNodeDrops;
pub(crate) use lost::dropped_at_exit::DroppedAtExit;
pub(crate) use lost::folded_at_eviction::FoldedAtEviction;
pub(crate) use torn::naive_fold::NaiveFold;
pub(crate) use torn::offline_before_drain::OfflineBeforeDrain;
pub(crate) use torn::subtract_unspent::SubtractUnspent;
pub(crate) use torn::two_steps::TwoSteps;
pub(crate) use torn::unlink_before_fold::UnlinkBeforeFold;
pub(crate) use twice::counted_idle_again::CountedIdleAgain;
pub(crate) use twice::decrement_before_check::DecrementBeforeCheck;
pub(crate) use twice::exits::{ExitNotUncounted, ExitUncountedTwice};
pub(crate) use twice::folded_again::FoldedAgain;
pub(crate) use twice::kept::{KeptForEver, KeptUntilRead};
