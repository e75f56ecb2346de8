//! Planted orderings: too strong, too weak, and both at once.

use std::sync::atomic::Ordering::{Acquire, Relaxed, SeqCst};

use countersign::{Sharded, Shared, Std};

use super::*;
use crate::engine::wrap::rewriting::{Instead, Role};
use crate::subject::LayoutEntry;
use crate::subject::mutant::template::{Mutant, Rules, SlotsFault, SlotsWith};

/// `Slots` with a snapshot that reads the frees of the slots as strongly as it can.
enum ReadsSeqCst {}

impl SlotsFault for ReadsSeqCst {
    const RULES: Rules = Rules { slot_free_read: SeqCst, ..Rules::SOUND };
}

/// The same, and a claim that is too weak.
enum ClaimsRelaxed {}

impl SlotsFault for ClaimsRelaxed {
    const RULES: Rules = Rules { claim: Relaxed, ..ReadsSeqCst::RULES };
}

fn slots<F: SlotsFault>() -> LayoutEntry {
    LayoutEntry::with_slots::<Mutant<1, SlotsWith<1, 1, F, Std>>>("copy", 1)
        .or_with_slots::<Mutant<1, SlotsWith<1, 2, F, Std>>>(2)
        .or_with_slots::<Mutant<1, SlotsWith<1, 3, F, Std>>>(3)
        .or_with_slots::<Mutant<2, SlotsWith<2, 2, F, Std>>>(2)
}

#[test]
fn what_is_too_strong_is_found_and_the_right_ordering_proposed() {
    let audit = OrderingAudit::of(&slots::<ReadsSeqCst>(), 2);
    assert_eq!(audit.exit_code(), 1);
    let survivors: Vec<_> = audit
        .sites
        .iter()
        .flat_map(|site| site.weaker.iter().map(move |(instead, fate)| (site, *instead, fate)))
        .filter(|(_, _, fate)| matches!(fate, Fate::Survives))
        .map(|(site, instead, _)| (site.site.role, site.site.order, instead))
        .collect();
    assert_eq!(survivors, [(Role::Load, SeqCst, Instead::Order(Acquire))]);
    let weakest: Vec<_> = audit.weakest.iter().map(|(site, instead)| (site.role, *instead)).collect();
    assert_eq!(weakest, [(Role::Load, Instead::Order(Acquire))]);
    let text = audit.to_string();
    assert!(text.contains("stronger than any scenario needs, Acquire would do"), "{text}");
}

#[test]
fn what_is_too_weak_is_red_with_a_small_counterexample() {
    let audit = OrderingAudit::of(&slots::<ClaimsRelaxed>(), 2);
    assert_eq!((audit.exit_code(), audit.sites.len()), (1, 0));
    let Fate::Killed(kill) = &audit.as_written else { panic!("{audit}") };
    let trace = &kill.counterexample.as_ref().unwrap().trace;
    assert!(trace.iter().all(|row| row.thread < 3), "{trace:?}");
    assert!(kill.size.threads <= 3);
}

#[test]
fn a_layout_is_audited_by_its_type_alone() {
    let audit = orderings::<Shared<2>>();
    assert!(audit.holds(), "{audit}");
    assert_eq!((audit.layout.as_str(), audit.sites.len()), ("Shared", 4));
    let audit = orderings::<Sharded<2, 2>>();
    assert!(audit.holds(), "{audit}");
}
