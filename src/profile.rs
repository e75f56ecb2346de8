//! The allocation profile: size classes x layout.

use core::marker::PhantomData;

use crate::event::Event;
use crate::layout::{Layout, Recorder, Slots};
use crate::size_class::{Llgo, SizeClasses, class_of_size};
use crate::snapshot::Counts;

/// Counts allocs and frees by size class.
///
/// An instance on [`Std`](crate::Std) can be a `static`. Its own `record_alloc` and `record_free` need no
/// registration and use the cells that all threads share; [`register`](Self::register) gives a recorder with cells of
/// its own, and `thread_profile!` gives every thread one by itself.
///
/// ```
/// use countersign::{AllocProfile, Slots};
///
/// static HEAP: AllocProfile = AllocProfile::new(Slots::new());
///
/// let recorder = HEAP.register();
/// recorder.record_alloc(24);
/// recorder.record_alloc(4096);
/// recorder.record_free(24);
/// assert_eq!(HEAP.snapshot().totals().in_use(), 1);
/// println!("{}", HEAP.snapshot());
/// ```
pub struct AllocProfile<L = Slots<{ Llgo::COUNT }>, S = Llgo> {
    layout: L,
    sizes: PhantomData<fn() -> S>,
}

/// A thread's handle for recording into an [`AllocProfile`]; dropping it retires the thread.
pub struct ProfileRecorder<'a, L: Layout, S> {
    recorder: L::Recorder<'a>,
    sizes: PhantomData<fn() -> S>,
}

impl<L: Layout, S: SizeClasses> AllocProfile<L, S> {
    /// A profile over `layout`, whose number of classes must be that of the table: anything else does not compile.
    pub const fn new(layout: L) -> Self {
        const {
            assert!(L::CLASSES == S::COUNT, "the layout and the size classes differ in their number of classes");
            assert!(S::UPPER_BOUNDS.len() == S::COUNT, "the size classes have another number of upper bounds");
            let mut class = 1;
            while class < S::COUNT {
                assert!(S::UPPER_BOUNDS[class - 1] < S::UPPER_BOUNDS[class], "the upper bounds do not ascend");
                class += 1;
            }
        };
        Self { layout, sizes: PhantomData }
    }

    /// Gives the caller a recorder.
    pub fn register(&self) -> ProfileRecorder<'_, L, S> {
        ProfileRecorder { recorder: self.layout.register(), sizes: PhantomData }
    }

    /// Records that a block of `size` bytes was allocated. A block of no bytes is not recorded.
    #[inline]
    pub fn record_alloc(&self, size: usize) {
        self.record(Event::Alloc, size);
    }

    /// Records that a block of `size` bytes was freed. A block of no bytes is not recorded.
    #[inline]
    pub fn record_free(&self, size: usize) {
        self.record(Event::Free, size);
    }

    /// Counts the events recorded, at any time and while others record.
    pub fn snapshot(&self) -> L::Snapshot {
        self.layout.snapshot().with_bounds(S::UPPER_BOUNDS)
    }

    /// The counters themselves.
    pub const fn layout(&self) -> &L {
        &self.layout
    }

    #[inline]
    fn record(&self, event: Event, size: usize) {
        if let Some(class) = class_of::<S>(size) {
            self.layout.record(event, class);
        }
    }
}

impl<L: Layout, S: SizeClasses> ProfileRecorder<'_, L, S> {
    /// Records that a block of `size` bytes was allocated. A block of no bytes is not recorded.
    #[inline]
    pub fn record_alloc(&self, size: usize) {
        self.record(Event::Alloc, size);
    }

    /// Records that a block of `size` bytes was freed. A block of no bytes is not recorded.
    #[inline]
    pub fn record_free(&self, size: usize) {
        self.record(Event::Free, size);
    }

    #[inline]
    fn record(&self, event: Event, size: usize) {
        if let Some(class) = class_of::<S>(size) {
            self.recorder.record(event, class);
        }
    }
}

impl<L: Layout, S: SizeClasses> Default for AllocProfile<L, S> {
    fn default() -> Self {
        Self::new(L::default())
    }
}

/// The class of a block, or `None` for one of no bytes, which is not recorded.
#[doc(hidden)]
#[inline]
#[allow(unreachable_pub, reason = "re-exported for the macro where there is std")]
pub fn class_of<S: SizeClasses>(size: usize) -> Option<usize> {
    class_of_size(size, S::index)
}
