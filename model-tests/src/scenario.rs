//! The scenarios: small concurrent programs, each of which races one thing, written once for every layout and engine.
//!
//! A scenario registers beforehand, and retires afterwards, whatever it does not race: that keeps the number of
//! executions small enough to enumerate all of them. Its main thread is the reader where there is one. It returns what
//! the readers saw, or the first claim that does not hold; it never panics, so that a failed execution ends like any
//! other, with every recorder retired.
//!
//! What the oracle must know (which events happen-before a snapshot) comes from spawn, join and hand-offs that are
//! themselves operations of the engine. Nothing on the side adds an edge that real threads would not have.

mod catalog;
mod cell;
mod events;
pub mod exiting;
pub mod free_on_another_thread;
mod interface;
mod overlap;
pub mod recording;
pub mod registering;

pub use catalog::{Forms, Run, ScenarioEntry, find, forms, scenarios};
pub use cell::Cell;
pub use interface::{Memory, Required, Scenario, Size};
