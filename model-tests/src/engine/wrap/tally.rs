//! What an exploration has shown so far, and whether the budget allows another execution.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use countersign_graph::{ReplayError, encoding};

use crate::engine::interface::{Budget, Program, Replay};
use crate::engine::wrap::containment::{Ended, Panic};
use crate::engine::wrap::record::{self, Memory, Record};
use crate::verdict::{Execution, Exploration, Outcome, Verdict, Violation, fingerprint};

/// Counts executions and collects outcomes for one exploration.
///
/// These engines go through their executions in the same order each time, so an execution's number is all that it takes
/// to repeat it: that is their schedule.
///
/// Every engine keeps its count here, whatever limits its own library has: those tend to end a run as if it had been
/// completed.
pub(crate) struct Tally {
    limit: Limit,
    time: Duration,
    start: Instant,
    memory: Memory,
    interpret: fn(Panic) -> Verdict,
    seen: Mutex<Seen>,
}

/// The version of the schedules.
const VERSION: u8 = 1;

/// What the most executions mean to an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Limit {
    /// One that enumerates has not finished when it reaches them.
    Enumerating(u64),
    /// One that samples is then done.
    Sampling(u64),
    /// It repeats the execution of this number, and ends.
    Replaying(u64),
}

#[derive(Default)]
struct Seen {
    /// Executions that were begun: the number of the last one.
    begun: u64,
    executions: u64,
    /// Of the execution that was to be repeated.
    repeated: Option<Outcome>,
    outcomes: BTreeMap<Outcome, u64>,
}

impl Tally {
    /// For an engine that goes through every execution there is. It finds this kind of memory behind its records, and
    /// `interpret` says what a panic means.
    pub(crate) fn enumerating(budget: &Budget, memory: Memory, interpret: fn(Panic) -> Verdict) -> Self {
        Self::new(Limit::Enumerating(budget.executions), budget.time, memory, interpret)
    }

    /// For an engine that tries some executions.
    pub(crate) fn sampling(budget: &Budget, memory: Memory, interpret: fn(Panic) -> Verdict) -> Self {
        Self::new(Limit::Sampling(budget.samples), budget.time, memory, interpret)
    }

    /// For an engine that repeats one execution.
    pub(crate) fn replaying(
        schedule: &str,
        memory: Memory,
        interpret: fn(Panic) -> Verdict,
    ) -> Result<Self, ReplayError> {
        let read = encoding::read(VERSION, schedule).and_then(|(numbers, _)| match numbers[..] {
            [number] if number > 0 => Ok(number),
            _ => Err("it is not the number of an execution".to_owned()),
        });
        let number = read.map_err(|why| ReplayError::new(schedule, why))?;
        Ok(Self::new(Limit::Replaying(number), Duration::MAX, memory, interpret))
    }

    fn new(limit: Limit, time: Duration, memory: Memory, interpret: fn(Panic) -> Verdict) -> Self {
        Self { limit, time, start: Instant::now(), memory, interpret, seen: Mutex::default() }
    }

    /// To be asked before each execution, on the OS thread of its main thread: an `Err` ends the exploration, with this verdict.
    pub(crate) fn admit(&self) -> Result<(), Verdict> {
        let executions = self.seen().executions;
        match self.limit {
            Limit::Sampling(most) if executions >= most => return Err(Verdict::Sampled),
            Limit::Enumerating(most) if executions >= most => {
                return Err(truncated(format!("the budget of {most} executions is used up")));
            }
            Limit::Sampling(_) | Limit::Enumerating(_) | Limit::Replaying(_) => {}
        }
        if self.start.elapsed() >= self.time {
            let time = self.time;
            return Err(truncated(format!("the time of {time:?} is used up after {executions} executions")));
        }
        self.seen().begun += 1;
        record::begin();
        Ok(())
    }

    /// Runs the program once and notes its outcome. An `Err` ends the exploration: a claim was broken.
    pub(crate) fn run(&self, program: &Program) -> Result<(), Verdict> {
        let result = program();
        let mut seen = self.seen();
        seen.executions += 1;
        match result {
            Ok(outcome) if self.limit == Limit::Replaying(seen.begun) => {
                seen.repeated = Some(outcome);
                Err(Verdict::Sampled)
            }
            Ok(outcome) => {
                *seen.outcomes.entry(outcome).or_default() += 1;
                Ok(())
            }
            Err(violation) => Err(Verdict::Failed(Box::new(violation))),
        }
    }

    /// The exploration's result.
    pub(crate) fn conclude(&self, ended: Ended) -> Exploration {
        let Ended { end, record } = ended;
        let seen = std::mem::take(&mut *self.seen());
        let verdict = match end.unwrap_or_else(self.interpret) {
            Verdict::Exhaustive | Verdict::Bounded { .. } | Verdict::Sampled if seen.executions == 0 => {
                truncated("no execution was run to its end".to_owned())
            }
            other => other,
        };
        let failed = matches!(verdict, Verdict::Failed(_));
        Exploration {
            verdict,
            executions: seen.executions,
            blocked: 0,
            outcomes: seen.outcomes,
            elapsed: self.start.elapsed(),
            failing: if failed { self.execution(seen.begun, record).map(Box::new) } else { None },
        }
    }

    /// The execution that was to be repeated; `schedule` is what it was to be repeated from.
    pub(crate) fn conclude_replay(&self, schedule: &str, ended: Ended) -> Result<Replay, ReplayError> {
        let Ended { end, record } = ended;
        let error = |why: String| ReplayError::new(schedule, why);
        let Seen { begun, executions, repeated, .. } = std::mem::take(&mut *self.seen());
        let in_time = self.limit == Limit::Replaying(begun);
        let result: Result<Outcome, Violation> = match (end.unwrap_or_else(self.interpret), repeated) {
            (Verdict::Failed(violation), _) if in_time => Err(*violation),
            (_, Some(outcome)) => Ok(outcome),
            (Verdict::Failed(_), _) => return Err(error(format!("the program fails in execution {begun} already"))),
            (Verdict::Truncated { why }, _) => return Err(error(why)),
            _ => return Err(error(format!("the program has {executions} executions only"))),
        };
        let execution = self.execution(begun, record).filter(|found| found.schedule.as_deref() == Some(schedule));
        let execution =
            execution.ok_or_else(|| error("the program does something else in that execution".to_owned()))?;
        Ok(Replay { result, execution })
    }

    /// The execution of this number; `None` if not all of it was recorded.
    fn execution(&self, number: u64, record: Record) -> Option<Execution> {
        let trace = record.into_trace(self.memory)?;
        let repeatable = self.memory != Memory::Real;
        let schedule = repeatable.then(|| encoding::write(VERSION, [number], fingerprint(&trace)));
        Some(Execution { trace, schedule })
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        // Nothing that could panic runs while the lock is held.
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn truncated(why: String) -> Verdict {
    Verdict::Truncated { why }
}
