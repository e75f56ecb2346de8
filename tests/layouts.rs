//! Every layout counts what one thread records, whichever way. What several threads do to each other is for the suite.

use countersign::{
    ClassCounts, Counts, Event, Folding, Handle, Layout, LendHandle, Padded, Recorder, Sharded, Shared, Slots,
};

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
}
