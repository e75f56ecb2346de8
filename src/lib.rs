//! Exact, scalable event counters, every layout of which is model-checked.
//!
//! A runtime counts every heap allocation by size class. One atomic for each class is exact, and becomes the hottest
//! contention in the program; layouts that avoid it are each easy to get subtly wrong. Here they share one contract,
//! [`Layout`], and are generic over the operations they use, [`Primitives`], so that the very source that runs in
//! production is verified by several independent checkers (the package `countersign-models`).
//!
//! # Map
//!
//! ```text
//!   size ──SizeClasses──▶ class ──Recorder──▶ cells      recording
//!   cells ──Layout::snapshot──▶ Snapshot ──▶ table       reading
//! ```
//!
//! - [`AllocProfile`]: counts allocs and frees by size; `thread_profile!` makes a static one in which each thread has
//!   cells of its own.
//! - `CountingAllocator`: a `#[global_allocator]` that counts into such a profile.
//! - [`Layout`]: the contract; [`Slots`] (the default), `Folding`, [`Sharded`], [`Padded`] and [`Shared`] keep it.
//! - [`SizeClasses`]: from a size to its class. [`Llgo`], [`Go`] and [`Jemalloc`] are tables; [`LogLinear`], [`Table`] and
//!   [`RuntimeTable`] make one of your own.
//! - [`Snapshot`]: what a reader gets.
//! - [`Primitives`]: what a layout may touch; [`Std`] is the real thing.
//!
//! # Features
//!
//! `std` (default): the `Folding` layout, `thread_profile!`, `CountingAllocator`, and the mutex of [`Std`]. Without it the crate is
//! `no_std` and needs no allocator. The target must have 64-bit atomics.
//!
//! `serde`: [`Snapshot`] and [`Difference`] can be serialised, as a list of all classes with their upper bounds and the
//! totals, and [`ClassCounts`] both ways. `no_std` too.

#![cfg_attr(not(feature = "std"), no_std)]
#![deny(missing_docs, unsafe_op_in_unsafe_fn)]
// Allowed in one module, `global`: implementing `GlobalAlloc` is unsafe.
#![deny(unsafe_code)]

/// README's code blocks are tests.
#[cfg(all(doctest, feature = "std"))]
#[doc = include_str!("../README.md")]
struct Readme;

mod event;
#[cfg(feature = "std")]
mod global;
mod layout;
mod primitives;
mod profile;
mod size_class;
mod snapshot;
#[cfg(feature = "std")]
#[doc(hidden)]
pub mod thread_profile;

pub use event::Event;
#[cfg(feature = "std")]
pub use global::{CountingAllocator, NoSlotError};
pub use layout::{
    Claims, Handle, Layout, LendHandle, Padded, Recorder, Sharded, ShardedHandle, ShardedRecorder, Shared,
    SharedHandle, SharedRecorder, Slots, SlotsHandle, SlotsRecorder,
};
#[cfg(feature = "std")]
pub use layout::{Folding, FoldingHandle, FoldingRecorder};
pub use primitives::{Atomic, Lock, Locks, Primitives, Std};
pub use profile::{AllocProfile, ProfileRecorder};
pub use size_class::{
    Formula, Go, GoBounds, Jemalloc, Llgo, LogLinear, NamedTable, RuntimeTable, SizeClasses, Table, TableError,
    UpperBounds, Word,
};
pub use snapshot::{ClassCounts, Counts, Difference, NotLaterError, Snapshot};
