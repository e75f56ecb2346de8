//! The contract that every layout is verified against, and the layouts.
//!
//! A *layout* is the arrangement of the counters in memory and the protocol by which threads record into them:
//!
//! | layout | a recording thread writes | exit | memory |
//! |---|---|---|---|
//! | [`Slots`] | its own slot, without a locked instruction | the slot is released, its counts stay | fixed |
//! | [`Folding`] | its own cell, without a locked instruction | the cell is folded into a total | grows with live threads |
//! | [`Sharded`] | a shard that few threads share | nothing to do | fixed |
//! | [`Padded`] | one atomic per class, each on lines of its own | nothing to do | fixed |
//! | [`Shared`] | one atomic per class | nothing to do | fixed |

mod cells;
mod contract;
#[cfg(feature = "std")]
mod folding;
mod sharded;
mod shared;
mod slots;

pub use contract::{Claims, Handle, Layout, LendHandle, Recorder};
#[cfg(feature = "std")]
pub use folding::{Folding, FoldingHandle, FoldingRecorder};
pub use sharded::{Sharded, ShardedHandle, ShardedRecorder};
pub use shared::{Padded, Shared, SharedHandle, SharedRecorder};
pub use slots::{Slots, SlotsHandle, SlotsRecorder};
