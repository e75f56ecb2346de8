//! What a reader gets: differences, their errors, and the tables.

#![allow(missing_docs, reason = "a test")]

use countersign::{AllocProfile, ClassCounts, Counts, Layout, Shared, Slots, Snapshot};

const fn counts(allocs: u64, frees: u64) -> ClassCounts {
    ClassCounts { allocs, frees }
}

#[test]
fn a_difference_counts_what_came_in_between() {
    let earlier = Snapshot::new([counts(10, 4), counts(0, 0)]);
    let later = Snapshot::new([counts(12, 9), counts(1, 0)]);
    let difference = later.since(&earlier).unwrap();
    assert_eq!(difference.classes(), &[counts(2, 5), counts(1, 0)]);
    assert_eq!(difference.classes()[0].in_use(), -3);
    assert_eq!(difference.totals(), counts(3, 5));
}

#[test]
fn snapshots_in_the_wrong_order_are_an_error() {
    let earlier = Snapshot::new([counts(1, 0), counts(7, 4)]);
    let later = Snapshot::new([counts(2, 0), counts(7, 5)]);
    let error = earlier.since(&later).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the snapshot given as the earlier one has 2 allocs in class 0, the later one 1: \
         pass the snapshot that was taken first, of the same counters"
    );
}

#[test]
fn a_profile_displays_sizes() {
    let profile = AllocProfile::<Slots<27>>::new(Slots::new());
    for _ in 0..1234 {
        profile.record_alloc(24);
    }
    profile.record_free(24);
    profile.record_alloc(5000);
    let table = "\
class           allocs  frees  in use
<=      32 B      1234      1    1233
<=       8 KiB       1      0       1
total             1235      1    1234";
    assert_eq!(profile.snapshot().to_string(), table);
    profile.record_alloc(usize::MAX);
    let with_the_last = "\
class                      allocs  frees  in use
<=      32 B                 1234      1    1233
<=       8 KiB                  1      0       1
<=       1 GiB and larger       1      0       1
total                        1236      1    1235";
    assert_eq!(profile.snapshot().to_string(), with_the_last);
}

#[test]
fn a_difference_displays_net_use_with_its_sign() {
    let layout = Shared::<2>::new();
    let before = layout.snapshot();
    layout.record(countersign::Event::Free, 1);
    let table = "\
class           allocs  frees  net use
1                    0      1       -1
total                0      1       -1";
    assert_eq!(layout.snapshot().since(&before).unwrap().to_string(), table);
}

#[test]
fn an_event_of_a_class_beyond_the_last_is_counted_in_the_last() {
    let layout = Slots::<2, 1>::new();
    layout.record(countersign::Event::Alloc, 99);
    assert_eq!(layout.snapshot().classes(), &[counts(0, 0), counts(1, 0)]);
}

/// Each bound is in the largest unit that leaves it whole, and each column as wide as its widest number.
#[test]
fn a_table_is_aligned_whatever_the_sizes_and_numbers() {
    const BOUNDS: [u64; 7] = [1, 1536, 1 << 20, 3 << 30, 1 << 40, 5 << 50, 7 << 60];
    let mut classes = [counts(1, 0); 7];
    classes[1] = counts(1_234_567_890, 999_999_999);
    let table = "\
class                          allocs      frees       in use
<=       1 B                        1          0            1
<=    1536 B               1234567890  999999999    234567891
<=       1 MiB                      1          0            1
<=       3 GiB                      1          0            1
<=       1 TiB                      1          0            1
<=       5 PiB                      1          0            1
<=       7 EiB and larger           1          0            1
total                      1234567896  999999999    234567897";
    assert_eq!(Snapshot::new(classes).with_bounds(&BOUNDS).to_string(), table);
}

/// A class without a bound has its number, and no longer label than others.
#[test]
fn a_class_beyond_the_bounds_is_labelled_by_its_number() {
    let table = "\
class           allocs  frees  in use
<=      16 B         1      0       1
1                    2      1       1
total                3      1       2";
    assert_eq!(Snapshot::new([counts(1, 0), counts(2, 1)]).with_bounds(&[16]).to_string(), table);
}
