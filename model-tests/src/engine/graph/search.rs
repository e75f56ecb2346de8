//! From the runs of a program to a verdict.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use super::coroutine::{during, run_once, with};
use super::run::{End, Run, Stop};
use super::schedule::{decode, encode};
use super::trace::{fingerprint, trace};
use crate::engine::{Budget, Program, Replay, ReplayError};
use crate::trace::Execution;
use crate::verdict::{Claim, Exploration, Outcome, Verdict, Violation};

/// An exploration of a program, to be set up and run.
///
/// ```
/// use std::sync::Arc;
/// use countersign::{Atomic, Primitives};
/// use countersign_models::engine::{Budget, Engine, JoinHandle, graph::{Graph, Search}};
/// use countersign_models::verdict::Outcome;
/// use std::sync::atomic::Ordering::Relaxed;
///
/// type Cell = <Graph as Primitives>::AtomicU64;
///
/// let program = Arc::new(|| {
///     let cell = Arc::new(Cell::new(0));
///     let writer = Graph::spawn({
///         let cell = Arc::clone(&cell);
///         move || cell.store(1, Relaxed)
///     });
///     let seen = cell.load(Relaxed);
///     writer.join();
///     Ok(Outcome(vec![seen]))
/// });
/// let exploration = Search::new(program).run();
/// assert_eq!(exploration.executions, 2);
/// ```
pub struct Search {
    program: Program,
    executions: u64,
    time: Duration,
    max_events: usize,
    sequentially_consistent: bool,
}

/// A complete execution, as an exploration meets it.
#[derive(Clone, Copy)]
pub struct Complete<'a> {
    run: &'a Run,
    outcome: &'a Outcome,
}

/// How many events an execution may have, unless another number is asked for: far more than any program that can be
/// explored, so that going past it means that a loop waits for something.
const MAX_EVENTS: usize = 20_000;

impl Search {
    /// An exploration without limits of executions and time.
    pub fn new(program: Program) -> Self {
        Self {
            program,
            executions: u64::MAX,
            time: Duration::MAX,
            max_events: MAX_EVENTS,
            sequentially_consistent: false,
        }
    }

    /// Limits the executions and the time; going past ends it as `Truncated`.
    #[must_use]
    pub fn budget(self, budget: &Budget) -> Self {
        Self { executions: budget.executions, time: budget.time, ..self }
    }

    /// Limits the events of a single execution; going past ends the exploration as `Truncated`. An operation is one
    /// event, a read-modify-write two.
    #[must_use]
    pub fn max_events(self, max_events: usize) -> Self {
        Self { max_events, ..self }
    }

    /// Does every operation as if its ordering were `SeqCst`: the executions are then those of some interleaving, and
    /// nothing else. For comparison with engines that know interleavings only; a token means nothing then.
    #[must_use]
    pub fn sequentially_consistent(self) -> Self {
        Self { sequentially_consistent: true, ..self }
    }

    /// Explores.
    pub fn run(self) -> Exploration {
        self.run_with(|_| ())
    }

    /// Explores, and shows each complete execution that keeps its claims.
    pub fn run_with(self, mut visit: impl FnMut(Complete<'_>) + Send) -> Exploration {
        on_a_thread(|| {
            let mut run = Run::new(self.max_events, None);
            run.sequentially_consistent = self.sequentially_consistent;
            during(run, || self.explore(&mut visit))
        })
    }

    /// Explores for at most so many executions and so long, without stopping at a failure, and gives that with the fewest
    /// operations.
    pub fn shortest_failure(self, executions: u64, time: Duration) -> Option<(Violation, Execution)> {
        on_a_thread(|| during(Run::new(self.max_events, None), || self.find_shortest(executions, time)))
    }

    fn find_shortest(&self, executions: u64, time: Duration) -> Option<(Violation, Execution)> {
        let started = Instant::now();
        let mut shortest: Option<(Violation, Execution)> = None;
        for _ in 0..executions {
            match self.next_end() {
                End::Complete(Err(violation)) | End::Stopped(Stop::Failed(violation)) => {
                    // What a program does that is not deterministic says nothing of its other executions.
                    let last = violation.claim == Claim::Deterministic;
                    let found = with(|run| execution(run)).filter(|found| {
                        shortest.as_ref().is_none_or(|(_, shortest)| found.trace.len() < shortest.trace.len())
                    });
                    shortest = found.map(|found| (violation, found)).or(shortest);
                    if last {
                        break;
                    }
                }
                End::Complete(Ok(_)) | End::Blocked => {}
                End::Stopped(Stop::Truncated(_) | Stop::Mismatch(_)) => break,
            }
            if started.elapsed() > time || !with(|run| run.explorer.advance()).unwrap_or_default() {
                break;
            }
        }
        shortest
    }

    fn explore(&self, visit: &mut dyn FnMut(Complete<'_>)) -> Exploration {
        let started = Instant::now();
        let mut found = Exploration {
            verdict: Verdict::Exhaustive,
            executions: 0,
            blocked: 0,
            outcomes: BTreeMap::new(),
            elapsed: Duration::ZERO,
            failing: None,
        };
        loop {
            match self.next_end() {
                End::Complete(Ok(outcome)) => {
                    found.executions += 1;
                    with(|run| visit(Complete { run, outcome: &outcome }));
                    *found.outcomes.entry(outcome).or_default() += 1;
                }
                End::Complete(Err(violation)) => {
                    found.executions += 1;
                    found.verdict = Verdict::Failed(Box::new(violation));
                }
                End::Blocked => found.blocked += 1,
                End::Stopped(Stop::Failed(violation)) => found.verdict = Verdict::Failed(Box::new(violation)),
                End::Stopped(Stop::Truncated(why) | Stop::Mismatch(why)) => found.verdict = Verdict::Truncated { why },
            }
            if let Verdict::Failed(_) = found.verdict {
                found.failing = with(|run| Box::new(execution(run)));
            }
            if found.verdict != Verdict::Exhaustive || !with(|run| run.explorer.advance()).unwrap_or_default() {
                break;
            }
            let limit = if found.executions >= self.executions {
                Some(format!("more than {} executions", self.executions))
            } else {
                (started.elapsed() > self.time).then(|| format!("more than {:?}", self.time))
            };
            if let Some(why) = limit {
                found.verdict = Verdict::Truncated { why };
                break;
            }
        }
        found.elapsed = started.elapsed();
        found
    }

    /// Runs the program once. A complete execution in which an owner's cell has a second writer has failed.
    fn next_end(&self) -> End {
        match run_once(&self.program) {
            End::Complete(result) => {
                let second = with(|run| run.second_writer()).flatten();
                End::Complete(second.map_or(result, Err))
            }
            end => end,
        }
    }
}

impl Complete<'_> {
    /// What the program gave at its end.
    pub fn outcome(&self) -> &Outcome {
        self.outcome
    }

    /// A number that is the same for the same execution graph, whichever way it was reached.
    pub fn fingerprint(&self) -> u64 {
        fingerprint(&self.run.explorer.graph, &self.run.names)
    }

    /// The execution, to be printed or repeated.
    pub fn execution(&self) -> Execution {
        execution(self.run)
    }
}

/// Runs `program` once more, along exactly the execution that `schedule` stands for.
pub fn rerun(program: Program, schedule: &str) -> Result<Replay, ReplayError> {
    let guide = decode(schedule)?;
    let search = Search::new(program);
    on_a_thread(|| during(Run::new(search.max_events, Some(guide)), || search.rerun(schedule)))
}

impl Search {
    /// Runs the program along the execution that the guide of the run at hand gives.
    fn rerun(&self, schedule: &str) -> Result<Replay, ReplayError> {
        let error = |why: &str| ReplayError::new(schedule, why);
        let result = match self.next_end() {
            End::Complete(result) => result,
            End::Stopped(Stop::Failed(violation)) => Err(violation),
            End::Stopped(Stop::Truncated(why) | Stop::Mismatch(why)) => return Err(error(&why)),
            End::Blocked => return Err(error("the program does not come to its end along it")),
        };
        let execution = with(|run| execution(run)).filter(|execution| execution.schedule.as_deref() == Some(schedule));
        let execution = execution.ok_or_else(|| error("the program does something else along it"))?;
        Ok(Replay { result, execution })
    }
}

fn execution(run: &Run) -> Execution {
    let (graph, names) = (&run.explorer.graph, &run.names);
    Execution { trace: trace(graph, names), schedule: Some(encode(graph, names)) }
}

/// Does `work` on an OS thread of its own: whatever a program leaves behind there (a thread that cannot be unwound
/// leaves its panic uncaught) ends with it.
fn on_a_thread<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    let result = std::thread::scope(|scope| scope.spawn(work).join());
    result.unwrap_or_else(|payload| std::panic::resume_unwind(payload))
}
