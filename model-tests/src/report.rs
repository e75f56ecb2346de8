//! What was found, as text for people and for programs: values go in, text comes out.

pub mod engines;
pub mod execution;
pub mod layouts;
pub mod table;
pub mod vectors;
mod verification;

pub use verification::verify;
