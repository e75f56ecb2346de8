//! The profiles that are stressed: statics made by `thread_profile!`, as programs have them, so that the thread-local
//! word, the guard and its destructor, and the way without a recorder are all in play.

use std::marker::PhantomData;
use std::sync::OnceLock;

use countersign::{
    AllocProfile, Claims, Event, Folding, FoldingHandle, Layout, LendHandle, Llgo, Locks, Padded, Recorder, Sharded,
    Shared, SizeClasses, Slots, Std,
};

use super::tally::{CLASSES, Tally};
use crate::subject::mutant::template::{FoldingWith, Mutant, SharedWith, SlotsWith};
use crate::subject::mutant::{claim, exit, locks, reading};

/// A static profile.
pub(super) trait Profile: 'static {
    /// Records that a block of the class was allocated.
    fn alloc(class: usize);

    /// Records that a block of the class was freed.
    fn free(class: usize);

    /// Takes a snapshot.
    fn snapshot() -> Tally;
}

/// Declares a profile of each layout.
macro_rules! profiles {
    ($($(#[$attribute:meta])* $module:ident: $layout:ty = $new:expr;)*) => {
        $($(#[$attribute])* pub(super) mod $module {
            use super::*;

            countersign::thread_profile! {
                /// See the module.
                pub(in crate::study::stress) static HEAP: AllocProfile<$layout, Llgo> = AllocProfile::new($new);
            }

            impl Profile for HEAP {
                #[inline]
                fn alloc(class: usize) {
                    HEAP.record_alloc(size_of_class(class));
                }

                #[inline]
                fn free(class: usize) {
                    HEAP.record_free(size_of_class(class));
                }

                fn snapshot() -> Tally {
                    Tally(*HEAP.snapshot().classes())
                }
            }
        })*
    };
}

profiles! {
    shared: Shared<CLASSES> = Shared::new();
    padded: Padded<CLASSES> = Padded::new();
    sharded: Sharded<CLASSES> = Sharded::new();
    folding: Folding<CLASSES> = Folding::new();
    slots: Slots<CLASSES> = Slots::new();
    /// So few slots that most threads find none free.
    slots_4: Slots<CLASSES, 4> = Slots::new();

    stored_by_two: Broken<SharedWith<CLASSES, claim::StoredByTwo, Std>> = Lazy::new();
    overflow_dropped: Broken<SlotsWith<CLASSES, 4, claim::OverflowDropped, Std>> = Lazy::new();
    cleared_on_reuse: Broken<SlotsWith<CLASSES, 16, claim::ClearedOnReuse, Std>> = Lazy::new();
    dropped_at_exit: Broken<FoldingWith<CLASSES, exit::DroppedAtExit, Std>> = Lazy::new();
    folded_again: Broken<FoldingWith<CLASSES, exit::FoldedAgain, Std>> = Lazy::new();
    counted_at_exit: Broken<FoldingWith<CLASSES, exit::CountedAtExit, Std>> = Lazy::new();
    kept_for_ever: Broken<FoldingWith<CLASSES, exit::KeptForEver, Std>> = Lazy::new();
    read_then_zero: Broken<reading::ReadThenZero<CLASSES, Std>> = Lazy::new();
    allocs_before_frees: Broken<SharedWith<CLASSES, reading::AllocsBeforeFrees<false>, Std>> = Lazy::new();
    locked_in_both_orders: Broken<locks::LockedInBothOrders<CLASSES, Std>> = Lazy::new();
}

type Broken<X> = Lazy<Mutant<CLASSES, X>>;

/// A layout that is made at its first use, so that a mutant, which no constant makes, can be a static. Its recorders lend
/// no handle.
pub(super) struct Lazy<L>(OnceLock<L>);

/// The recorder of a [`Lazy`] layout.
pub(super) struct LazyRecorder<'a, L: Layout> {
    recorder: L::Recorder<'a>,
    layout: PhantomData<&'a L>,
}

impl<L> Lazy<L> {
    const fn new() -> Self {
        Self(OnceLock::new())
    }
}

impl<L: Layout> Lazy<L> {
    fn get(&self) -> &L {
        self.0.get_or_init(L::default)
    }
}

impl<L: Layout> Layout for Lazy<L> {
    const CLASSES: usize = L::CLASSES;
    const CLAIMS: Claims = L::CLAIMS;
    type On<Q: Locks> = L::On<Q>;
    type Snapshot = L::Snapshot;
    type Recorder<'a> = LazyRecorder<'a, L>;

    fn register(&self) -> LazyRecorder<'_, L> {
        LazyRecorder { recorder: self.get().register(), layout: PhantomData }
    }

    fn record(&self, event: Event, class: usize) {
        self.get().record(event, class);
    }

    fn snapshot(&self) -> L::Snapshot {
        self.get().snapshot()
    }
}

impl<L: Layout> Default for Lazy<L> {
    fn default() -> Self {
        Self::new()
    }
}

impl<L: Layout> Recorder for LazyRecorder<'_, L> {
    fn record(&self, event: Event, class: usize) {
        self.recorder.record(event, class);
    }
}

impl<L: Layout> LendHandle for LazyRecorder<'_, L> {
    // The handle that there never is.
    type Handle = FoldingHandle;

    fn handle(&self) -> Option<FoldingHandle> {
        None
    }
}

fn size_of_class(class: usize) -> usize {
    Llgo::UPPER_BOUNDS[class] as usize
}
