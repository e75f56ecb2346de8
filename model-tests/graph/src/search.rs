//! From the runs of a program to a verdict.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::execution::Execution;
use crate::replay::{Replay, ReplayError};
use crate::run::driver::{during, run_once, with};
use crate::run::panics::install_panic_hook;
use crate::run::step::fault::Fault;
use crate::run::step::reply::{End, Stop};
use crate::run::step::stepper::Run;
use crate::show::diagnosis::violation;
use crate::show::schedule::{decode, encode};
use crate::show::trace::{fingerprint, trace};
use crate::verdict::{Claim, Conclusion, Exploration, Outcome, Program, Verdict, Violation};

/// An exploration of a program, to be set up and run.
///
/// ```
/// use std::sync::Arc;
/// use std::sync::atomic::Ordering::Relaxed;
///
/// use countersign_graph::sync::atomic::AtomicU64;
/// use countersign_graph::{Search, thread};
///
/// let exploration = Search::new(|| {
///     let cell = Arc::new(AtomicU64::new(0));
///     let writer = thread::spawn({
///         let cell = Arc::clone(&cell);
///         move || cell.store(1, Relaxed)
///     });
///     let seen = cell.load(Relaxed);
///     writer.join().unwrap();
///     seen
/// });
/// assert_eq!(exploration.run().executions, 2);
/// ```
#[must_use = "nothing is explored before `run`"]
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
    ///
    /// The program runs once for each execution, from the start. It makes all its shared state itself, is deterministic but
    /// for what the engine decides, and passes data between threads only through the engine's primitives, spawn and join.
    pub fn new<R: Conclusion>(program: impl Fn() -> R + Send + Sync + 'static) -> Self {
        Self {
            program: Arc::new(move || program().conclude()),
            executions: u64::MAX,
            time: Duration::MAX,
            max_events: MAX_EVENTS,
            sequentially_consistent: false,
        }
    }

    /// Limits the executions; going past ends the exploration as `Truncated`.
    pub fn max_executions(self, executions: u64) -> Self {
        Self { executions, ..self }
    }

    /// Limits the time; going past ends the exploration as `Truncated`.
    pub fn max_time(self, time: Duration) -> Self {
        Self { time, ..self }
    }

    /// Limits the events of a single execution; going past ends the exploration as `Truncated`. An operation is one
    /// event, a read-modify-write two.
    pub fn max_events(self, max_events: usize) -> Self {
        Self { max_events, ..self }
    }

    /// Does every operation as if its ordering were `SeqCst`: the executions are then those of some interleaving, and
    /// nothing else. For comparison with engines that know interleavings only; a token means nothing then.
    pub fn sequentially_consistent(self) -> Self {
        Self { sequentially_consistent: true, ..self }
    }

    /// Explores.
    pub fn run(self) -> Exploration {
        self.run_with(|_| ())
    }

    /// Explores, and shows each complete execution that keeps its claims.
    pub fn run_with(self, mut visit: impl FnMut(Complete<'_>) + Send) -> Exploration {
        let mut run = Run::new(self.max_events, None);
        run.sequentially_consistent = self.sequentially_consistent;
        install_panic_hook();
        during(run, || self.explore(&mut visit))
    }

    /// Explores for at most so many executions and so long, without stopping at a failure, and gives that with the fewest
    /// operations.
    pub fn shortest_failure(self, executions: u64, time: Duration) -> Option<(Violation, Execution)> {
        install_panic_hook();
        during(Run::new(self.max_events, None), || self.find_shortest(executions, time))
    }

    fn find_shortest(&self, executions: u64, time: Duration) -> Option<(Violation, Execution)> {
        let started = Instant::now();
        let mut shortest: Option<(Violation, Execution)> = None;
        for _ in 0..executions {
            match self.next_end() {
                Ended::Failed { violation, .. } => {
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
                Ended::Complete(_) | Ended::Blocked => {}
                Ended::Truncated(_) => break,
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
                Ended::Complete(outcome) => {
                    found.executions += 1;
                    with(|run| visit(Complete { run, outcome: &outcome }));
                    *found.outcomes.entry(outcome).or_default() += 1;
                }
                Ended::Failed { violation, complete } => {
                    found.executions += u64::from(complete);
                    found.verdict = Verdict::Failed(Box::new(violation));
                }
                Ended::Blocked => found.blocked += 1,
                Ended::Truncated(why) => found.verdict = Verdict::Truncated { why },
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
    fn next_end(&self) -> Ended {
        let failed = |fault: &Fault, complete| {
            let words = with(|run| violation(fault, &run.explorer.graph, &run.names));
            Ended::Failed { violation: words.expect("a run is going on"), complete }
        };
        match run_once(&self.program) {
            End::Complete(result) => match (with(|run| run.second_writer()).flatten(), result) {
                (Some(fault), _) => failed(&fault, true),
                (None, Ok(outcome)) => Ended::Complete(outcome),
                (None, Err(violation)) => Ended::Failed { violation, complete: true },
            },
            End::Blocked => Ended::Blocked,
            End::Stopped(Stop::Fault(fault)) => failed(&fault, false),
            End::Stopped(Stop::Truncated(why) | Stop::Mismatch(why)) => Ended::Truncated(why),
        }
    }
}

/// How a run ended, in words.
enum Ended {
    Complete(Outcome),
    /// A claim does not hold; the run came to its end or not.
    Failed {
        violation: Violation,
        complete: bool,
    },
    /// A thread is blocked for good, and that is not a deadlock.
    Blocked,
    /// It was given up, for this reason.
    Truncated(String),
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

/// Runs `program` once more, along exactly the execution that `schedule` stands for: that of an
/// [`Execution`] of the same program.
///
/// # Errors
///
/// If the text is no schedule, or the program does something else along it.
pub fn replay<R: Conclusion>(
    program: impl Fn() -> R + Send + Sync + 'static,
    schedule: &str,
) -> Result<Replay, ReplayError> {
    let search = Search::new(program);
    let run = Run::new(search.max_events, Some(decode(schedule)?));
    install_panic_hook();
    during(run, || search.follow(schedule))
}

impl Search {
    /// Runs the program along the schedule of the run at hand.
    fn follow(&self, schedule: &str) -> Result<Replay, ReplayError> {
        let error = |why: &str| ReplayError::new(schedule, why);
        let result = match self.next_end() {
            Ended::Complete(outcome) => Ok(outcome),
            Ended::Failed { violation, .. } => Err(violation),
            Ended::Truncated(why) => return Err(error(&why)),
            Ended::Blocked => return Err(error("the program does not come to its end along it")),
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
