//! What is subtle about slots, each done wrong.

use std::sync::atomic::Ordering::Relaxed;

use crate::subject::mutant::template::{MarkReread, Overflow, Reuse, Rules, SlotsFault};

/// A slot is claimed without Acquire.
///
/// Source: slot adoption as such. Breaks: exact. The new owner may go on from a stale count, and the last events of the
/// previous owner are overwritten. An engine that knows weak memory must catch it; one that does not cannot.
pub(crate) enum ClaimRelaxed {}

impl SlotsFault for ClaimRelaxed {
    const RULES: Rules = Rules { claim: Relaxed, ..Rules::SOUND };
}

/// A slot is released without Release.
///
/// Source: slot adoption as such. Breaks: exact, as [`ClaimRelaxed`], from the other side. An engine that knows weak
/// memory must catch it; one that does not cannot.
pub(crate) enum ReleaseRelaxed {}

impl SlotsFault for ReleaseRelaxed {
    const RULES: Rules = Rules { release: Relaxed, ..Rules::SOUND };
}

/// A snapshot reads once how many slots there are, before the frees.
///
/// Source: high-water marks as such. Breaks: in use never negative. A thread claims a fresh slot and allocates, another
/// frees: the free is counted, and the slot with the alloc lies above the mark. Every engine can catch it.
pub(crate) enum MarkNotReread {}

impl SlotsFault for MarkNotReread {
    const RULES: Rules = Rules { mark_reread: MarkReread::Never, ..Rules::SOUND };
}

/// A snapshot reads the mark again, but before it has read the frees in overflow.
///
/// Source: high-water marks as such. Breaks: in use never negative, as [`MarkNotReread`], where the free is counted in
/// overflow. Every engine can catch it.
pub(crate) enum MarkRereadTooEarly {}

impl SlotsFault for MarkRereadTooEarly {
    const RULES: Rules = Rules { mark_reread: MarkReread::BeforeOverflow, ..Rules::SOUND };
}

/// A slot that is used again is cleared, and its counts are moved elsewhere, while a snapshot adds up.
///
/// Source: peak #63. Breaks: folded once, monotonic. Every engine can catch it.
pub(crate) enum ClearedOnReuse {}

impl SlotsFault for ClearedOnReuse {
    const RULES: Rules = Rules { reuse: Reuse::Cleared, ..Rules::SOUND };
}

/// Threads that found no slot share cells and write them with plain stores.
///
/// Source: peak #63. Breaks: exact. Two such threads overwrite each other's events. Every engine can catch it.
pub(crate) enum OverflowStored {}

impl SlotsFault for OverflowStored {
    const RULES: Rules = Rules { overflow: Overflow::Stored, ..Rules::SOUND };
}

/// The events of threads that found no slot are dropped.
///
/// Source: hotpath-rs #489 (after 256 slots). Breaks: exact. Every engine can catch it, in any execution with more threads
/// than slots.
pub(crate) enum OverflowDropped {}

impl SlotsFault for OverflowDropped {
    const RULES: Rules = Rules { overflow: Overflow::Dropped, ..Rules::SOUND };
}

/// The slow path of the decrement increments.
///
/// Source: countme. Breaks: exact. Every engine can catch it, in any execution in which a thread without a slot frees.
pub(crate) enum SlowPathIncrements {}

impl SlotsFault for SlowPathIncrements {
    const RULES: Rules = Rules { overflow: Overflow::FreesAsAllocs, ..Rules::SOUND };
}
