//! Mutants in which it is wrong whose a cell is.

use countersign::Std;

use super::entry::{INTERLEAVING, MutantEntry, WEAK_MEMORY, folding, own, shared, slots};
use crate::subject::LayoutEntry;
use crate::subject::mutant::claim;
use crate::subject::mutant::template::Mutant;
use crate::verdict::Claim;

pub(super) fn entries() -> Vec<MutantEntry> {
    vec![
        MutantEntry::new(
            slots::<claim::ClaimRelaxed>("mutant:claim_relaxed"),
            "slot adoption",
            Claim::Exact,
            "adopt_after_exit",
            WEAK_MEMORY,
        ),
        MutantEntry::new(
            slots::<claim::ReleaseRelaxed>("mutant:release_relaxed"),
            "slot adoption",
            Claim::Exact,
            "adopt_after_exit",
            WEAK_MEMORY,
        ),
        MutantEntry::new(
            slots::<claim::MarkNotReread>("mutant:mark_not_reread"),
            "high-water marks",
            Claim::InUseNeverNegative,
            "free_on_another_thread/fresh_slot",
            INTERLEAVING,
        ),
        MutantEntry::new(
            slots::<claim::MarkRereadTooEarly>("mutant:mark_reread_too_early"),
            "high-water marks",
            Claim::InUseNeverNegative,
            "free_on_another_thread/fresh_slot_without_recorder",
            INTERLEAVING,
        ),
        MutantEntry::new(
            slots::<claim::ClearedOnReuse>("mutant:cleared_on_reuse"),
            "peak #63",
            Claim::FoldedOnce,
            "snapshot_while_adopting",
            INTERLEAVING,
        ),
        MutantEntry::new(
            slots::<claim::OverflowStored>("mutant:overflow_stored"),
            "peak #63",
            Claim::Exact,
            "slots_exhausted",
            INTERLEAVING,
        ),
        MutantEntry::new(
            slots::<claim::OverflowDropped>("mutant:overflow_dropped"),
            "hotpath-rs #489",
            Claim::Exact,
            "slots_exhausted",
            INTERLEAVING,
        ),
        MutantEntry::new(
            slots::<claim::SlowPathIncrements>("mutant:slow_path_increments"),
            "countme",
            Claim::Exact,
            "slots_exhausted",
            INTERLEAVING,
        ),
        MutantEntry::new(
            shared::<claim::StoredByTwo>("mutant:stored_by_two"),
            "the counter that everybody writes first",
            Claim::Exact,
            "record_then_join",
            INTERLEAVING,
        ),
        MutantEntry::new(
            folding::<claim::RecycledId>("mutant:recycled_id"),
            "hotpath-rs #488",
            Claim::Exact,
            "adopt_after_exit",
            INTERLEAVING,
        ),
        MutantEntry::new(
            folding::<claim::RegistersTwice>("mutant:registers_twice"),
            "thread_local-rs #94",
            Claim::FoldedOnce,
            "reentrant_register",
            INTERLEAVING,
        ),
        MutantEntry::new(
            own!(claim::PresentBeforeInitialised, "mutant:present_before_initialised"),
            "thread_local-rs #33",
            Claim::Bounded,
            "register_while_snapshot",
            WEAK_MEMORY,
        ),
        MutantEntry::new(
            own!(claim::InitialisedByAnother, "mutant:initialised_by_another"),
            "arc-swap #195, #204",
            Claim::Exact,
            "claim_race",
            WEAK_MEMORY,
        ),
        MutantEntry::new(
            own!(claim::OrphanedBag, "mutant:orphaned_bag"),
            "crossbeam-epoch #54",
            Claim::FoldedOnce,
            "exit_while_snapshot",
            WEAK_MEMORY,
        ),
    ]
}
