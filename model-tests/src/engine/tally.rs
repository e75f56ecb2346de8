//! What an exploration has shown so far, and whether the budget allows another execution.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::engine::{Budget, Program};
use crate::verdict::{Exploration, Outcome, Verdict};

/// Counts executions and collects outcomes for one exploration.
///
/// Every engine keeps its count here, whatever limits its own library has: those tend to end a run as if it had been
/// completed.
pub(crate) struct Tally {
    limit: Limit,
    time: Duration,
    start: Instant,
    seen: Mutex<Seen>,
}

/// What the most executions mean to an engine.
enum Limit {
    /// One that enumerates has not finished when it reaches them.
    Enumerating(u64),
    /// One that samples is then done.
    Sampling(u64),
}

#[derive(Default)]
struct Seen {
    executions: u64,
    outcomes: BTreeMap<Outcome, u64>,
}

impl Tally {
    /// For an engine that goes through every execution there is.
    pub(crate) fn enumerating(budget: &Budget) -> Self {
        Self::new(Limit::Enumerating(budget.executions), budget.time)
    }

    /// For an engine that tries some executions.
    pub(crate) fn sampling(budget: &Budget) -> Self {
        Self::new(Limit::Sampling(budget.samples), budget.time)
    }

    fn new(limit: Limit, time: Duration) -> Self {
        Self { limit, time, start: Instant::now(), seen: Mutex::default() }
    }

    /// To be asked before each execution: an `Err` ends the exploration, with this verdict.
    pub(crate) fn admit(&self) -> Result<(), Verdict> {
        let executions = self.seen().executions;
        match self.limit {
            Limit::Sampling(most) if executions >= most => return Err(Verdict::Sampled),
            Limit::Enumerating(most) if executions >= most => {
                return Err(truncated(format!("the budget of {most} executions is used up")));
            }
            Limit::Sampling(_) | Limit::Enumerating(_) => {}
        }
        if self.start.elapsed() >= self.time {
            let time = self.time;
            return Err(truncated(format!("the time of {time:?} is used up after {executions} executions")));
        }
        Ok(())
    }

    /// Runs the program once and notes its outcome. An `Err` ends the exploration: a claim was broken.
    pub(crate) fn run(&self, program: &Program) -> Result<(), Verdict> {
        let result = program();
        let mut seen = self.seen();
        seen.executions += 1;
        match result {
            Ok(outcome) => {
                *seen.outcomes.entry(outcome).or_default() += 1;
                Ok(())
            }
            Err(violation) => Err(Verdict::Failed(Box::new(violation))),
        }
    }

    /// The exploration's result, when it ended with `verdict`.
    pub(crate) fn conclude(&self, verdict: Verdict) -> Exploration {
        let seen = std::mem::take(&mut *self.seen());
        let verdict = match verdict {
            Verdict::Exhaustive | Verdict::Bounded { .. } | Verdict::Sampled if seen.executions == 0 => {
                truncated("no execution was run to its end".to_owned())
            }
            other => other,
        };
        Exploration {
            verdict,
            executions: seen.executions,
            blocked: 0,
            outcomes: seen.outcomes,
            elapsed: self.start.elapsed(),
            failing: None,
        }
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        // Nothing that could panic runs while the lock is held.
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn truncated(why: String) -> Verdict {
    Verdict::Truncated { why }
}
