//! Mutants that wait for themselves or for each other.

use countersign::Std;

use super::entry::{HANGS, MutantEntry, own};
use crate::subject::LayoutEntry;
use crate::subject::mutant::locks;
use crate::subject::mutant::template::Mutant;
use crate::verdict::Claim;

pub(super) fn entries() -> Vec<MutantEntry> {
    vec![
        MutantEntry::new(
            own!(locks::LockedWhileWaiting, "mutant:locked_while_waiting"),
            "left-right #159",
            Claim::NoDeadlock,
            "exit_while_snapshot",
            HANGS,
        ),
        MutantEntry::new(
            own!(locks::LockedInBothOrders, "mutant:locked_in_both_orders"),
            "dhat-rs #38",
            Claim::NoDeadlock,
            "snapshot_while_recording",
            HANGS,
        ),
        MutantEntry::new(
            own!(locks::LockedWhileRecording, "mutant:locked_while_recording"),
            "dhat-rs #25",
            Claim::NoDeadlock,
            "record_then_join",
            HANGS,
        ),
    ]
}
