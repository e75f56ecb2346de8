//! Snapshots and differences as data.

#![allow(missing_docs, reason = "a test")]

use countersign::{AllocProfile, ClassCounts, Event, Layout, Shared, SizeClasses};
use serde_json::{Value, json};

/// Three classes: up to 16 bytes, up to 64, and all larger sizes.
enum Small {}

impl SizeClasses for Small {
    const COUNT: usize = 3;
    const UPPER_BOUNDS: &'static [u64] = &[16, 64, 256];

    fn index(size: u64) -> usize {
        Self::UPPER_BOUNDS.iter().position(|bound| *bound >= size).unwrap_or(2)
    }
}

fn to_value(data: impl serde::Serialize) -> Value {
    serde_json::to_value(data).unwrap()
}

#[test]
fn a_profiles_snapshot_has_every_class_with_its_upper_bound() {
    let profile = AllocProfile::<Shared<3>, Small>::new(Shared::new());
    profile.record_alloc(10);
    profile.record_alloc(16);
    profile.record_free(10);
    profile.record_alloc(1_000);
    let expected = json!({
        "classes": [
            { "class": 0, "upper_bound": 16, "allocs": 2, "frees": 1, "in_use": 1 },
            { "class": 1, "upper_bound": 64, "allocs": 0, "frees": 0, "in_use": 0 },
            { "class": 2, "upper_bound": null, "allocs": 1, "frees": 0, "in_use": 1 },
        ],
        "totals": { "allocs": 3, "frees": 1, "in_use": 2 },
    });
    assert_eq!(to_value(profile.snapshot()), expected);
}

#[test]
fn a_difference_has_a_net_use_that_may_be_negative() {
    let layout = Shared::<2>::new();
    let before = layout.snapshot();
    layout.record(Event::Free, 0);
    let expected = json!({
        "classes": [
            { "class": 0, "upper_bound": null, "allocs": 0, "frees": 1, "net_use": -1 },
            { "class": 1, "upper_bound": null, "allocs": 0, "frees": 0, "net_use": 0 },
        ],
        "totals": { "allocs": 0, "frees": 1, "net_use": -1 },
    });
    assert_eq!(to_value(layout.snapshot().since(&before).unwrap()), expected);
}

#[test]
fn counts_are_read_as_they_were_written() {
    let counts = ClassCounts { allocs: u64::MAX, frees: 1 };
    let text = serde_json::to_string(&counts).unwrap();
    assert_eq!(text, r#"{"allocs":18446744073709551615,"frees":1}"#);
    assert_eq!(serde_json::from_str::<ClassCounts>(&text).unwrap(), counts);
}

/// The counts of the classes can be read from a snapshot, by whoever wants no more than these.
#[test]
fn counts_are_read_from_a_snapshot() {
    let layout = Shared::<2>::new();
    layout.record(Event::Alloc, 1);
    let snapshot = layout.snapshot();
    let mut value = to_value(snapshot);
    let classes: Vec<ClassCounts> = serde_json::from_value(value["classes"].take()).unwrap();
    assert_eq!(classes, snapshot.classes());
}
