//! The same statements as harnesses for Kani.
//!
//! `cargo kani -p countersign-proofs` would prove the functions that carry `kani::proof`, for all values of `kani::any`.
//! Kani is not run in this repository: without it a stand-in for the crate `kani` runs the same functions on chosen
//! values.

mod claims;
#[cfg(not(kani))]
mod kani_stand_in;
pub mod tables;

#[cfg(not(kani))]
pub use claims::{CLAIMS, Claim};
#[cfg(not(kani))]
pub use kani_stand_in::run;
pub use tables::HARNESSES;
