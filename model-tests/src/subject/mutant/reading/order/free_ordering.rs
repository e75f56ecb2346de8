//! A free is published or read with an ordering that is too weak.
//!
//! Source: the pairing that every layout needs; crossbeam-epoch and thread_local-rs had it wrong elsewhere. Breaks: in use
//! never negative. The alloc of a free that a snapshot counts is not brought along, and may be missed. An engine that
//! knows weak memory must catch each of these; one that does not cannot.

use std::sync::atomic::Ordering::{self, Relaxed};

use crate::subject::mutant::template::{Rules, SharedFault, SlotsFault};

/// In a slot, the store. See the [module](self).
pub(crate) enum SlotFreeWrittenRelaxed {}

/// In a slot, the read. See the [module](self).
pub(crate) enum SlotFreeReadRelaxed {}

/// In overflow, the addition. See the [module](self).
pub(crate) enum OverflowFreeWrittenRelaxed {}

/// In overflow, the read. See the [module](self).
pub(crate) enum OverflowFreeReadRelaxed {}

/// In a shard, the addition. See the [module](self).
pub(crate) enum ShardFreeWrittenRelaxed {}

/// In a shard, the read. See the [module](self).
pub(crate) enum ShardFreeReadRelaxed {}

impl SlotsFault for SlotFreeWrittenRelaxed {
    const RULES: Rules = Rules { slot_free_written: Relaxed, ..Rules::SOUND };
}

impl SlotsFault for SlotFreeReadRelaxed {
    const RULES: Rules = Rules { slot_free_read: Relaxed, ..Rules::SOUND };
}

impl SlotsFault for OverflowFreeWrittenRelaxed {
    const RULES: Rules = Rules { overflow_free_written: Relaxed, ..Rules::SOUND };
}

impl SlotsFault for OverflowFreeReadRelaxed {
    const RULES: Rules = Rules { overflow_free_read: Relaxed, ..Rules::SOUND };
}

impl SharedFault for ShardFreeWrittenRelaxed {
    const FREE_WRITTEN: Ordering = Relaxed;
}

impl SharedFault for ShardFreeReadRelaxed {
    const FREE_READ: Ordering = Relaxed;
}
