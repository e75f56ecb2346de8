//! Threads that wait for each other, or for themselves. Real threads then hang, and nothing is reported.

mod locked_in_both_orders;
mod locked_while_recording;
mod locked_while_waiting;

pub(crate) use locked_in_both_orders::LockedInBothOrders;
pub(crate) use locked_while_recording::LockedWhileRecording;
pub(crate) use locked_while_waiting::LockedWhileWaiting;
