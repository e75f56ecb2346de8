//! What is timed: the groups of modes, and the settings in which each is.

mod alignment;
mod allocations;
mod counter;
mod program;
mod records;
mod setting;
mod settings;
mod snapshots;

pub(crate) use setting::{Group, Mode, Run, Setting};
pub(crate) use settings::{cores, settings};
