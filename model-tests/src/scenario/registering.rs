//! Threads register, and adopt what others left.

pub mod adopt_after_exit;
pub mod claim_race;
pub mod reentrant_register;
pub mod register_while_snapshot;
pub mod slots_exhausted;
pub mod snapshot_while_adopting;
