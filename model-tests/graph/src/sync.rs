//! Shared memory for programs under test, in the shape of [`std::sync`].

pub mod atomic;
mod mutex;
pub(crate) mod wait;

pub use mutex::{Mutex, MutexGuard};
