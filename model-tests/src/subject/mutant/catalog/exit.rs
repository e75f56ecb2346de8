//! Mutants whose exits are wrong.

use countersign::Std;

use super::entry::{INTERLEAVING, MutantEntry, ONE_AFTER_ANOTHER, folding, own};
use crate::subject::LayoutEntry;
use crate::subject::mutant::exit;
use crate::subject::mutant::template::Mutant;
use crate::verdict::Claim;

pub(super) fn entries() -> Vec<MutantEntry> {
    vec![
        MutantEntry::new(
            own!(exit::NaiveFold, "mutant:naive_fold"),
            "the fold that everybody writes first",
            Claim::FoldedOnce,
            "exit_while_snapshot",
            INTERLEAVING,
        ),
        MutantEntry::new(
            folding::<exit::UnlinkBeforeFold>("mutant:unlink_before_fold"),
            "folly #133",
            Claim::FoldedOnce,
            "exit_while_snapshot",
            INTERLEAVING,
        ),
        MutantEntry::new(
            own!(exit::OfflineBeforeDrain, "mutant:offline_before_drain"),
            "Linux f689054aace2 (percpu_counter)",
            Claim::FoldedOnce,
            "exit_while_snapshot",
            INTERLEAVING,
        ),
        MutantEntry::new(
            folding::<exit::TwoSteps<true, true>>("mutant:two_steps_unlink_first_list_read_first"),
            "openjdk/jdk #13814",
            Claim::FoldedOnce,
            "exit_while_snapshot",
            INTERLEAVING,
        ),
        MutantEntry::new(
            folding::<exit::TwoSteps<true, false>>("mutant:two_steps_unlink_first_total_read_first"),
            "openjdk/jdk #13814",
            Claim::FoldedOnce,
            "exit_while_snapshot",
            INTERLEAVING,
        ),
        MutantEntry::new(
            folding::<exit::TwoSteps<false, true>>("mutant:two_steps_fold_first_list_read_first"),
            "openjdk/jdk #13814",
            Claim::FoldedOnce,
            "exit_while_snapshot",
            INTERLEAVING,
        ),
        MutantEntry::new(
            folding::<exit::TwoSteps<false, false>>("mutant:two_steps_fold_first_total_read_first"),
            "openjdk/jdk #13814",
            Claim::FoldedOnce,
            "exit_while_snapshot",
            INTERLEAVING,
        ),
        MutantEntry::new(
            own!(exit::SubtractUnspent, "mutant:subtract_unspent"),
            "dotnet/coreclr #24615",
            Claim::Monotonic,
            "exit_while_snapshot",
            INTERLEAVING,
        ),
        MutantEntry::new(
            folding::<exit::DecrementBeforeCheck>("mutant:decrement_before_check"),
            "mimalloc #699",
            Claim::FoldedOnce,
            "exit_while_snapshot",
            INTERLEAVING,
        ),
        MutantEntry::new(
            folding::<exit::FoldedAgain>("mutant:folded_again"),
            "peak #63, mimalloc #699",
            Claim::FoldedOnce,
            "double_exit",
            INTERLEAVING,
        ),
        MutantEntry::new(
            folding::<exit::FoldedAtEviction>("mutant:folded_at_eviction"),
            "hotpath-rs #487",
            Claim::Exact,
            "snapshot_while_recording",
            INTERLEAVING,
        ),
        MutantEntry::new(
            folding::<exit::CountedIdleAgain>("mutant:counted_idle_again"),
            "tokio #6439, #7910",
            Claim::Exact,
            "threads_come_and_go",
            ONE_AFTER_ANOTHER,
        ),
        MutantEntry::new(
            folding::<exit::ExitNotUncounted>("mutant:exit_not_uncounted"),
            "tokio #1562",
            Claim::Exact,
            "record_then_join",
            INTERLEAVING,
        ),
        MutantEntry::new(
            folding::<exit::ExitUncountedTwice>("mutant:exit_uncounted_twice"),
            "tokio #1562, its first fix",
            Claim::InUseNeverNegative,
            "exit_while_exit",
            INTERLEAVING,
        ),
        MutantEntry::new(
            folding::<exit::DroppedAtExit>("mutant:dropped_at_exit"),
            "client_python #566",
            Claim::FoldedOnce,
            "exit_while_snapshot",
            INTERLEAVING,
        ),
        MutantEntry::new(
            folding::<exit::KeptForEver>("mutant:kept_for_ever"),
            "client_python #566",
            Claim::BoundedMemory,
            "threads_come_and_go",
            ONE_AFTER_ANOTHER,
        ),
        MutantEntry::new(
            folding::<exit::KeptUntilRead>("mutant:kept_until_read"),
            "accounting-allocator",
            Claim::BoundedMemory,
            "threads_come_and_go",
            ONE_AFTER_ANOTHER,
        ),
        MutantEntry::new(
            folding::<exit::DeadNodeDrops>("mutant:dead_node_drops"),
            "valkey-search #1119, #1402",
            Claim::Exact,
            "late_record",
            INTERLEAVING,
        ),
        MutantEntry::new(
            folding::<exit::CountedAtExit>("mutant:counted_at_exit"),
            "rust-lang/rust pull request 149482",
            Claim::Exact,
            "scope_exit",
            INTERLEAVING,
        ),
    ]
}
