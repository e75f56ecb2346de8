//! A static profile into which every thread records through a recorder of its own.
//!
//! `thread_local!` cannot be generic, so [`thread_profile!`](crate::thread_profile) makes three keys for each profile:
//!
//! ```text
//!   HANDLE:      Cell<Option<Handle>>     no destructor: reading it is reading a plain thread-local word
//!   REGISTERING: Cell<bool>               no destructor: set while GUARD is touched for the first time
//!   GUARD:       ThreadGuard              its destructor retires the thread
//!
//!   a thread's   first event          next events        destructor of GUARD      later events
//!                ───────────          ───────────        ───────────────────      ────────────
//!   HANDLE       None                 Some, if lent      set to None              None
//!   GUARD        registers            (recorder)         drops the recorder       cannot be reached
//!   event goes   to the recorder      to the recorder                             to the shared cells
//! ```
//!
//! An event that is recorded *while* a thread registers goes to the shared cells too: registering may allocate, and the
//! profile may be counting for the global allocator. So may the first touch of GUARD, where the standard library has to
//! note its destructor in a list of its own; REGISTERING is set before. No event is lost on any of these paths.
//!
//! Where thread-locals are keys of the operating system, even HANDLE and REGISTERING have an end; an event after that
//! finds neither, and goes to the shared cells.

use core::cell::{Cell, OnceCell};
use std::thread::LocalKey;

use crate::layout::{Handle, LendHandle, Recorder};

/// The thread-local word that holds a lent handle.
#[doc(hidden)]
pub type HandleKey<L> = LocalKey<Cell<Option<HandleOf<L>>>>;

/// The handle that the recorders of a layout lend.
#[doc(hidden)]
pub type HandleOf<L> = <<L as Layout>::Recorder<'static> as LendHandle>::Handle;

/// Keeps a thread's recorder, and retires it when the thread exits.
#[doc(hidden)]
pub struct ThreadGuard<L: Layout>
where
    L::Recorder<'static>: LendHandle,
{
    recorder: OnceCell<L::Recorder<'static>>,
    handle: &'static HandleKey<L>,
}

/// A profile's three keys.
#[doc(hidden)]
pub struct Keys<L: Layout>
where
    L::Recorder<'static>: LendHandle,
{
    pub handle: &'static HandleKey<L>,
    pub registering: &'static LocalKey<Cell<bool>>,
    pub guard: &'static LocalKey<ThreadGuard<L>>,
}

impl<L: Layout> Keys<L>
where
    L::Recorder<'static>: LendHandle,
{
    /// Records one event through the calling thread's recorder, registering it at its first event.
    #[inline(always)]
    pub fn record(&'static self, layout: &'static L, event: Event, class: usize) {
        match self.handle.try_with(Cell::get) {
            Ok(Some(handle)) => handle.record(event, class),
            _ => self.record_without_handle(layout, event, class),
        }
    }

    /// The handle of the calling thread, which is registered if it has recorded nothing yet. `None` where there is none
    /// to lend, and while the thread registers, and after its guard was dropped.
    pub fn handle(&'static self, layout: &'static L) -> Option<HandleOf<L>> {
        self.with_recorder(layout, LendHandle::handle).flatten()
    }

    // Cold, so that a caller saves registers for it only where it calls; though it is every record's way in a layout that
    // lends no handle, as `Folding` does.
    #[cold]
    #[inline(never)]
    fn record_without_handle(&'static self, layout: &'static L, event: Event, class: usize) {
        if self.with_recorder(layout, |recorder| recorder.record(event, class)).is_none() {
            layout.record(event, class);
        }
    }

    /// Calls `with` with the calling thread's recorder, registering the thread if it has none. Called from within that
    /// registration, or after the guard was dropped, there is no recorder to call it with.
    fn with_recorder<R>(&self, layout: &'static L, with: impl FnOnce(&L::Recorder<'static>) -> R) -> Option<R> {
        // Called from within the registration below, the guard must not be touched.
        if self.registering.try_with(|registering| registering.replace(true)) != Ok(false) {
            return None;
        }
        let result = self.guard.try_with(|guard| with(guard.recorder(layout)));
        // An error says that the key has had its end, and then nobody asks it any more.
        let _ = self.registering.try_with(|registering| registering.set(false));
        result.ok()
    }
}

impl<L: Layout> ThreadGuard<L>
where
    L::Recorder<'static>: LendHandle,
{
    /// A guard for a thread that has recorded nothing yet.
    pub const fn new(handle: &'static HandleKey<L>) -> Self {
        Self { recorder: OnceCell::new(), handle }
    }

    /// The thread's recorder, made if there is none. Not to be called from within its registration.
    fn recorder(&self, layout: &'static L) -> &L::Recorder<'static> {
        self.recorder.get_or_init(|| {
            let recorder = layout.register();
            self.lend(recorder.handle());
            recorder
        })
    }

    /// Sets the word that later events find.
    fn lend(&self, handle: Option<HandleOf<L>>) {
        // An error says that the key has had its end, and then no event finds it.
        let _ = self.handle.try_with(|key| key.set(handle));
    }
}

impl<L: Layout> Drop for ThreadGuard<L>
where
    L::Recorder<'static>: LendHandle,
{
    fn drop(&mut self) {
        // Before the recorder is dropped: from here on this thread's events go to the shared cells.
        self.lend(None);
    }
}

/// Declares a static [`AllocProfile`](crate::AllocProfile) into which every thread records through a recorder of its
/// own, registered at its first event and retired when the thread exits.
///
/// The static has the methods `record_alloc(size)`, `record_free(size)` and `snapshot()` of the profile. Events that a
/// thread records after its thread-locals were destroyed are counted as well.
///
/// Cost: for a layout whose recorders lend a handle ([`Slots`](crate::Slots) among them), a record costs the
/// thread-local word on top of what the layout costs.
///
/// ```
/// use countersign::{AllocProfile, Llgo, Slots};
///
/// countersign::thread_profile! {
///     /// Every block of this program.
///     pub static HEAP: AllocProfile<Slots<{ Llgo::COUNT }>, Llgo> = AllocProfile::new(Slots::new());
/// }
///
/// HEAP.record_alloc(100);
/// std::thread::spawn(|| HEAP.record_free(100)).join().unwrap();
/// assert_eq!(HEAP.snapshot().totals().in_use(), 0);
/// ```
#[macro_export]
macro_rules! thread_profile {
    ($(#[$attribute:meta])* $visibility:vis static $name:ident: AllocProfile<$layout:ty, $sizes:ty> = $new:expr;) => {
        $(#[$attribute])*
        #[allow(non_camel_case_types, clippy::upper_case_acronyms, reason = "a type of the same name carries the static's methods")]
        #[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug)]
        $visibility struct $name {
            _made_by_thread_profile: (),
        }

        $(#[$attribute])*
        $visibility static $name: $name = $name { _made_by_thread_profile: () };

        $(#[$attribute])*
        #[allow(dead_code, reason = "a profile need not use all that it can do")]
        impl $name {
            /// Records that a block of `size` bytes was allocated. A block of no bytes is not recorded.
            #[inline]
            $visibility fn record_alloc(self, size: usize) {
                self.record($crate::thread_profile::Event::Alloc, size);
            }

            /// Records that a block of `size` bytes was freed. A block of no bytes is not recorded.
            #[inline]
            $visibility fn record_free(self, size: usize) {
                self.record($crate::thread_profile::Event::Free, size);
            }

            /// Counts the events recorded, at any time and while others record.
            $visibility fn snapshot(self) -> <$layout as $crate::thread_profile::Layout>::Snapshot {
                self.profile().snapshot()
            }

            fn profile(self) -> &'static $crate::thread_profile::AllocProfile<$layout, $sizes> {
                static PROFILE: $crate::thread_profile::AllocProfile<$layout, $sizes> = $new;
                &PROFILE
            }

            /// The keys of the calling thread.
            #[inline(always)]
            fn keys(self) -> &'static $crate::thread_profile::Keys<$layout> {
                use ::core::cell::Cell;
                use ::core::option::Option;

                ::std::thread_local! {
                    static HANDLE: Cell<Option<$crate::thread_profile::HandleOf<$layout>>> =
                        const { Cell::new(Option::None) };
                    static REGISTERING: Cell<bool> = const { Cell::new(false) };
                    static GUARD: $crate::thread_profile::ThreadGuard<$layout> =
                        const { $crate::thread_profile::ThreadGuard::new(&HANDLE) };
                }
                const { &$crate::thread_profile::Keys { handle: &HANDLE, registering: &REGISTERING, guard: &GUARD } }
            }

            #[inline(always)]
            fn record(self, event: $crate::thread_profile::Event, size: usize) {
                if let ::core::option::Option::Some(class) = $crate::thread_profile::class_of::<$sizes>(size) {
                    self.keys().record(self.profile().layout(), event, class);
                }
            }
        }
    };
}

// What the macro names besides what is made here: so it goes through this module alone.
#[doc(hidden)]
pub use crate::event::Event;
#[doc(hidden)]
pub use crate::layout::Layout;
#[doc(hidden)]
pub use crate::profile::{AllocProfile, class_of};
