//! Mutants that are wrong between writing and reading.

use countersign::Std;

use super::entry::{INTERLEAVING, MutantEntry, STORED_BESIDE_UPDATES, WEAK_MEMORY, late, own, shared, slots};
use crate::subject::LayoutEntry;
use crate::subject::mutant::reading;
use crate::subject::mutant::template::Mutant;
use crate::verdict::Claim;

pub(super) fn entries() -> Vec<MutantEntry> {
    vec![
        MutantEntry::new(
            shared::<reading::AllocsBeforeFrees<false>>("mutant:allocs_before_frees"),
            "stats_alloc",
            Claim::InUseNeverNegative,
            "snapshot_while_recording",
            INTERLEAVING,
        ),
        MutantEntry::new(
            own!(reading::UnmergedLocals, "mutant:unmerged_locals"),
            "mimalloc #1410, #301",
            Claim::InUseNeverNegative,
            "exit_while_exit",
            INTERLEAVING,
        ),
        MutantEntry::new(
            own!(reading::EarlierCycle, "mutant:earlier_cycle"),
            "golang/go #19311",
            Claim::InUseNeverNegative,
            "snapshot_while_recording",
            INTERLEAVING,
        ),
        MutantEntry::new(
            shared::<reading::PartsApart>("mutant:parts_apart"),
            "golang/go #38712",
            Claim::Bounded,
            "records_of_one_snapshot_add_up",
            INTERLEAVING,
        ),
        MutantEntry::new(
            shared::<reading::DerivedByDifference>("mutant:derived_by_difference"),
            "golang/go #67019",
            Claim::InUseNeverNegative,
            "snapshot_while_recording",
            INTERLEAVING,
        ),
        MutantEntry::new(
            late::<reading::FreesLate>("mutant:frees_late"),
            "tokio #7591",
            Claim::Exact,
            "scope_exit",
            INTERLEAVING,
        ),
        MutantEntry::new(
            late::<reading::AllocsLate>("mutant:allocs_late"),
            "client_golang #275, rust-prometheus #314",
            Claim::InUseNeverNegative,
            "snapshot_while_recording",
            INTERLEAVING,
        ),
        MutantEntry::new(
            own!(reading::ResetBetween, "mutant:reset_between"),
            "tikv #2940",
            Claim::InUseNeverNegative,
            "free_on_another_thread/adopted_slot",
            INTERLEAVING,
        ),
        MutantEntry::new(
            own!(reading::ReadThenZero, "mutant:read_then_zero"),
            "Kamon #393, brpc #3547",
            Claim::Exact,
            "drain_by_difference",
            STORED_BESIDE_UPDATES,
        ),
        MutantEntry::new(
            shared::<reading::TwoPasses>("mutant:two_passes"),
            "LLGo's MemProfile",
            Claim::NoPanic,
            "snapshot_while_recording",
            INTERLEAVING,
        ),
        MutantEntry::new(
            own!(reading::TwoCopies, "mutant:two_copies"),
            "sysstat #433",
            Claim::Monotonic,
            "monotonic_across_threads",
            INTERLEAVING,
        ),
        MutantEntry::new(
            slots::<reading::SlotFreeWrittenRelaxed>("mutant:slot_free_written_relaxed"),
            "the pairing that every layout needs",
            Claim::InUseNeverNegative,
            "free_on_another_thread/slots",
            WEAK_MEMORY,
        ),
        MutantEntry::new(
            slots::<reading::SlotFreeReadRelaxed>("mutant:slot_free_read_relaxed"),
            "the pairing that every layout needs",
            Claim::InUseNeverNegative,
            "free_on_another_thread/slots",
            WEAK_MEMORY,
        ),
        MutantEntry::new(
            slots::<reading::OverflowFreeWrittenRelaxed>("mutant:overflow_free_written_relaxed"),
            "the pairing that every layout needs",
            Claim::InUseNeverNegative,
            "free_on_another_thread/free_in_overflow",
            WEAK_MEMORY,
        ),
        MutantEntry::new(
            slots::<reading::OverflowFreeReadRelaxed>("mutant:overflow_free_read_relaxed"),
            "the pairing that every layout needs",
            Claim::InUseNeverNegative,
            "free_on_another_thread/free_in_overflow",
            WEAK_MEMORY,
        ),
        MutantEntry::new(
            shared::<reading::ShardFreeWrittenRelaxed>("mutant:shard_free_written_relaxed"),
            "the pairing that every layout needs",
            Claim::InUseNeverNegative,
            "free_on_another_thread/slots",
            WEAK_MEMORY,
        ),
        MutantEntry::new(
            shared::<reading::ShardFreeReadRelaxed>("mutant:shard_free_read_relaxed"),
            "the pairing that every layout needs",
            Claim::InUseNeverNegative,
            "free_on_another_thread/slots",
            WEAK_MEMORY,
        ),
    ]
}
