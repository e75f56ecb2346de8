//! What a run says to an operation, and how it ends.

use super::fault::Fault;
use crate::verdict::{Outcome, Violation};

/// What became of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reply {
    /// It is done; a read has this value.
    Done(u64),
    /// The thread must wait and ask again.
    Wait,
    /// The run is given up and the thread is being unwound: nothing happens.
    NoEffect,
    /// The run is given up: the thread must be unwound.
    Unwind,
    /// The run is given up, but the thread does not stop doing things while it is unwound.
    Hang,
}

/// How a run ended.
#[derive(Clone, Debug)]
pub(crate) enum End {
    Complete(Result<Outcome, Violation>),
    /// A thread is blocked for good, and that is not a deadlock.
    Blocked,
    Stopped(Stop),
}

/// Why a run was given up.
#[derive(Clone, Debug)]
pub(crate) enum Stop {
    Fault(Fault),
    Truncated(String),
    /// The program does not do what the token says.
    Mismatch(String),
}
