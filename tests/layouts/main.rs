//! Every layout counts what one thread records, whichever way. What several threads do to each other is for the suite.

#![cfg(feature = "std")]
#![allow(missing_docs, reason = "a test")]

mod names;
mod observed;

use countersign::{
    AllocProfile, ClassCounts, Counts, Event, Folding, Handle, Layout, LendHandle, Llgo, Padded, Recorder, Sharded,
    Shared, Slots,
};

use observed::{Observed, added_to, alive};

const ALLOC: ClassCounts = ClassCounts { allocs: 1, frees: 0 };

fn counts(layout: &impl Layout) -> Vec<ClassCounts> {
    layout.snapshot().classes().to_vec()
}

/// Three classes. With two slots or shards, the third recorder has none of its own.
fn every_event_is_counted_once<L: Layout>(layout: &L) {
    let nothing = ClassCounts::default();
    assert_eq!((L::CLASSES, counts(layout)), (3, vec![nothing; 3]));

    let recorders = [layout.register(), layout.register(), layout.register()];
    for (class, recorder) in recorders.iter().enumerate() {
        recorder.record(Event::Alloc, class);
    }
    assert_eq!(counts(layout), [ALLOC; 3]);
    recorders[1].record(Event::Free, 1);
    recorders[2].record(Event::Free, 2);
    layout.record(Event::Alloc, 0);
    layout.record(Event::Free, 0);
    let all =
        [ClassCounts { allocs: 2, frees: 1 }, ClassCounts { allocs: 1, frees: 1 }, ClassCounts { allocs: 1, frees: 1 }];
    assert_eq!(counts(layout), all);

    drop(recorders);
    assert_eq!(counts(layout), all, "what retired threads recorded stays");
    // Adopts what the first one had.
    let next = layout.register();
    next.record(Event::Free, 0);
    // A class that there is not is the last one.
    next.record(Event::Alloc, 3);
    layout.record(Event::Alloc, usize::MAX);
    let all = [ClassCounts { allocs: 2, frees: 2 }, all[1], ClassCounts { allocs: 3, frees: 1 }];
    assert_eq!(counts(layout), all);
    drop(next);
    assert_eq!(counts(layout), all);
}

/// What is recorded through a handle is recorded through its recorder.
fn a_handle_counts_for_its_recorder<L: Layout>(layout: &L)
where
    for<'a> L::Recorder<'a>: LendHandle,
{
    let recorder = layout.register();
    let handle = recorder.handle().expect("it has cells of its own");
    handle.record(Event::Alloc, 1);
    let copy = handle;
    copy.record(Event::Free, 1);
    assert_eq!(counts(layout)[1], ClassCounts { allocs: 1, frees: 1 });
}

#[test]
fn shared() {
    every_event_is_counted_once(&Shared::<3>::new());
    every_event_is_counted_once(&Shared::<3>::default());
    a_handle_counts_for_its_recorder(&Shared::<3>::new());
}

#[test]
fn padded() {
    every_event_is_counted_once(&Padded::<3>::new());
    every_event_is_counted_once(&Padded::<3>::default());
    a_handle_counts_for_its_recorder(&Padded::<3>::new());
}

#[test]
fn sharded() {
    every_event_is_counted_once(&Sharded::<3, 2>::new());
    every_event_is_counted_once(&Sharded::<3, 2>::default());
    a_handle_counts_for_its_recorder(&Sharded::<3, 2>::new());
}

#[test]
fn folding() {
    every_event_is_counted_once(&Folding::<3>::new());
    every_event_is_counted_once(&Folding::<3>::default());
    let layout = Folding::<3>::new();
    assert!(layout.register().handle().is_none(), "its cells are freed at exit, and a copy could outlive them");
}

#[test]
fn slots() {
    every_event_is_counted_once(&Slots::<3, 2>::new());
    every_event_is_counted_once(&Slots::<3, 2>::default());
    a_handle_counts_for_its_recorder(&Slots::<3, 2>::new());
    let layout = Slots::<3, 1>::new();
    let (owner, other) = (layout.register(), layout.register());
    assert!(owner.handle().is_some() && other.handle().is_none(), "who has no slot has no handle");
    drop(owner);
    assert!(layout.register().handle().is_some(), "a slot that was given back is adopted");
}

/// The events of a profile's recorder are in its snapshot, each in the class of its size.
#[test]
fn a_profiles_recorder_counts_by_size() {
    let profile = AllocProfile::<Slots<{ Llgo::COUNT }>, Llgo>::default();
    let recorder = profile.register();
    recorder.record_alloc(16);
    recorder.record_alloc(17);
    recorder.record_alloc(0);
    recorder.record_free(17);
    let snapshot = profile.snapshot();
    assert_eq!(snapshot.classes()[..2], [ALLOC, ClassCounts { allocs: 1, frees: 1 }]);
    assert_eq!(snapshot.totals(), ClassCounts { allocs: 2, frees: 1 });
}

/// `Folding` has cells for the threads that are registered, and for no other.
#[test]
fn a_retired_threads_cells_are_given_back() {
    let layout = Folding::<3, Observed>::default();
    assert_eq!(alive(), 0);
    let recorders = [layout.register(), layout.register(), layout.register()];
    assert_eq!(alive(), 3 * 6);
    let [first, second, third] = recorders;
    second.record(Event::Alloc, 0);
    drop(second);
    assert_eq!((alive(), counts(&layout)[0]), (2 * 6, ALLOC));
    drop(first);
    drop(third);
    assert_eq!((alive(), counts(&layout)[0]), (0, ALLOC));
}

/// The counts would be right in any shard; that the shards are used in turn is what they are for.
#[test]
fn recorders_are_dealt_the_shards_in_turn() {
    let layout = Sharded::<1, 3, Observed>::default();
    let recorders: Vec<_> = (0..6).map(|_| layout.register()).collect();
    added_to();
    recorders.iter().for_each(|recorder| recorder.record(Event::Alloc, 0));
    let cells = added_to();
    assert_eq!(cells[..3], cells[3..]);
    assert!(cells[0] != cells[1] && cells[1] != cells[2] && cells[0] != cells[2], "{cells:?}");
}

#[cfg(target_arch = "x86_64")]
#[test]
fn the_default_slots_of_a_runtime_take_at_most_36_kib_and_what_readme_says() {
    const BYTES: usize = size_of::<AllocProfile<Slots<{ Llgo::COUNT }>, Llgo>>();
    assert_eq!(BYTES, 33_920);
    const { assert!(BYTES <= 36 << 10) }
}
