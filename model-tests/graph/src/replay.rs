//! Repeating one execution.

use std::fmt;

use crate::execution::Execution;
use crate::verdict::{Outcome, Violation};

/// An execution that was repeated.
#[derive(Clone, Debug)]
pub struct Replay {
    /// What the program gave at its end, or how it failed.
    pub result: Result<Outcome, Violation>,
    /// What happened.
    pub execution: Execution,
}

/// Why a schedule does not lead to an execution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayError {
    schedule: String,
    why: String,
}

impl ReplayError {
    /// The error about this schedule, for this reason.
    pub fn new(schedule: &str, why: impl Into<String>) -> Self {
        Self { schedule: schedule.to_owned(), why: why.into() }
    }

    /// What is wrong with the schedule, or with the program.
    pub fn why(&self) -> &str {
        &self.why
    }
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { schedule, why } = self;
        write!(
            f,
            "the schedule `{schedule}` does not lead to an execution: {why}; expected a schedule that this program's \
             exploration gave, whole"
        )
    }
}

impl std::error::Error for ReplayError {}
