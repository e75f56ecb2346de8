//! Threads record, and others read.

pub mod drain_by_difference;
pub mod monotonic_across_threads;
pub mod read_your_own_records;
pub mod record_then_join;
pub mod records_of_one_snapshot_add_up;
pub mod snapshot_while_recording;
