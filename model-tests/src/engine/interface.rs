//! What an engine is, and what it is given.

use std::sync::Arc;
use std::time::Duration;

use countersign::{Locks, Primitives};
use countersign_graph::{Execution, ReplayError};

use super::name::EngineName;
use crate::verdict::{Exploration, Outcome, Violation};

/// A program to explore: it runs once per execution, from the start, and makes all its shared state anew each time.
///
/// It must be deterministic but for what the engine decides, pass data between threads only through the engine's
/// primitives, spawn and join, and report a broken claim by returning it.
pub type Program = Arc<dyn Fn() -> Result<Outcome, Violation> + Send + Sync>;

/// A way to run concurrent programs.
pub trait Engine: Primitives + Locks {
    /// The engine's name.
    const NAME: EngineName;

    /// A spawned thread.
    type JoinHandle<T: Send + 'static>: JoinHandle<T>;

    /// Starts a thread. What the caller did before happens-before what the thread does.
    fn spawn<T: Send + 'static>(body: impl FnOnce() -> T + Send + 'static) -> Self::JoinHandle<T>;

    /// Lets other threads run.
    fn yield_now();

    /// Says that the threads which the caller spawned should now run beside it, and beside each other.
    ///
    /// It orders nothing. An engine that explores needs no such hint and does nothing; on real threads, starting one takes
    /// longer than most programs here, and without it they would hardly ever meet.
    fn run_together() {}

    /// Runs `program` in as many ways as the engine can and the budget allows, and says what that proved.
    fn explore(program: Program, budget: &Budget) -> Exploration;

    /// Runs `program` once more, exactly as in the execution of an exploration that gave this schedule.
    fn replay(program: Program, schedule: &str) -> Result<Replay, ReplayError>;
}

/// A thread that can be waited for.
pub trait JoinHandle<T> {
    /// Waits for the thread's end. What it did happens-before the return. Panics if the thread panicked.
    #[track_caller]
    fn join(self) -> T;
}

/// How much an exploration may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The most executions that an engine which enumerates may run; going past is `Truncated`.
    pub executions: u64,
    /// How many executions an engine that samples runs.
    pub samples: u64,
    /// The longest time; going past is `Truncated`.
    pub time: Duration,
}

/// An execution that was repeated.
#[derive(Clone, Debug)]
pub struct Replay {
    /// What the program gave at its end, or how it failed.
    pub result: Result<Outcome, Violation>,
    /// What happened.
    pub execution: Execution,
}
