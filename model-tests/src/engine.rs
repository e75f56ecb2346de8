//! The engines: what runs a scenario, and how it explores the ways the threads can interleave.
//!
//! An engine supplies [`Primitives`] and [`Locks`], so that a layout's own source runs on it, and adds what a scenario
//! needs: threads, and an exploration of a program's executions. The engines are types of this crate, so the core never
//! names one.

mod bytes;
mod containment;
pub mod graph;
mod inert;
mod instrumented;
mod loom;
mod record;
mod replay;
pub mod rewriting;
mod shuttle;
mod sources;
mod std;
mod tally;

pub use self::graph::Graph;
pub use self::inert::{Inert, InertGuard, InertMutex};
pub use self::instrumented::{Instrumented, InstrumentedAtomic, live_atomics};
pub use self::loom::{Loom, LoomAtomic, LoomJoinHandle, LoomMutex, REFUSED};
pub use self::record::{Recorded, RecordedGuard, RecordedMutex};
pub use self::replay::{Replay, ReplayError};
pub use self::shuttle::{Dfs, Pct, Random, Shuttle, ShuttleAtomic, ShuttleJoinHandle, ShuttleMutex, Strategy};
pub use self::std::{RealJoinHandle, RealThreads};

use ::std::fmt;
use ::std::str::FromStr;
use ::std::sync::Arc;
use ::std::time::Duration;

use countersign::{Locks, Primitives};

use crate::verdict::{Claim, Exploration, Outcome, Violation};

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

/// The engines, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EngineName {
    /// Real threads on real atomics, many repetitions.
    Std,
    /// loom: the C11 memory model, partial-order reduced, with the holes that the engine's module lists.
    Loom,
    /// shuttle, random schedules; sequentially consistent.
    ShuttleRandom,
    /// shuttle, probabilistic concurrency testing; sequentially consistent.
    ShuttlePct,
    /// shuttle, every schedule; sequentially consistent.
    ShuttleDfs,
    /// Execution graphs: RC11, which has no load buffering, each execution once.
    Graph,
}

impl EngineName {
    /// Every engine.
    pub const ALL: [Self; 6] =
        [Self::Std, Self::Loom, Self::ShuttleRandom, Self::ShuttlePct, Self::ShuttleDfs, Self::Graph];

    /// The name as it is written on the command line and in reports.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Std => "std",
            Self::Loom => "loom",
            Self::ShuttleRandom => "shuttle-random",
            Self::ShuttlePct => "shuttle-pct",
            Self::ShuttleDfs => "shuttle-dfs",
            Self::Graph => "graph",
        }
    }

    /// What the engine explores, in a line.
    pub const fn explores(self) -> &'static str {
        match self {
            Self::Std => "samples: real threads on this machine's atomics",
            Self::Loom => "every execution: C11 memory model, partial-order reduced; 5 threads at most",
            Self::ShuttleRandom => "samples: random interleavings, sequentially consistent",
            Self::ShuttlePct => "samples: interleavings with few preemptions (PCT), sequentially consistent",
            Self::ShuttleDfs => "every interleaving, sequentially consistent",
            Self::Graph => "every execution graph of RC11, each once",
        }
    }

    /// Whether the engine tries some executions, and does not go through all of them.
    pub const fn samples(self) -> bool {
        matches!(self, Self::Std | Self::ShuttleRandom | Self::ShuttlePct)
    }

    /// Whether the engine explores the memory model, not only the interleavings: only then can it see what a weak
    /// ordering permits.
    pub const fn sees_weak_memory(self) -> bool {
        matches!(self, Self::Loom | Self::Graph)
    }

    /// Whether the engine notices the violation of a claim in an execution in which it happens.
    pub fn sees(self, claim: Claim) -> bool {
        match claim {
            Claim::SingleWriter => matches!(self, Self::Loom | Self::Graph),
            Claim::Deterministic => self == Self::Graph,
            _ => true,
        }
    }
}

impl fmt::Display for EngineName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for EngineName {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|engine| engine.as_str() == name).ok_or_else(|| {
            let known = Self::ALL.map(Self::as_str).join(", ");
            format!("there is no engine `{name}`; the engines are {known}")
        })
    }
}

/// Exchanges the process's panic hook for all engines, before several of them run at once: while one is exchanged, another
/// engine's panics would be printed.
pub(crate) fn install_hooks() {
    containment::install_hook();
    self::graph::install_hook();
    self::shuttle::discard_shuttles_hook();
}

/// Explores `program` on the engine of this name.
pub fn explore(engine: EngineName, program: Program, budget: &Budget) -> Exploration {
    match engine {
        EngineName::Std => RealThreads::explore(program, budget),
        EngineName::Loom => Loom::explore(program, budget),
        EngineName::ShuttleRandom => Shuttle::<Random>::explore(program, budget),
        EngineName::ShuttlePct => Shuttle::<Pct>::explore(program, budget),
        EngineName::ShuttleDfs => Shuttle::<Dfs>::explore(program, budget),
        EngineName::Graph => Graph::explore(program, budget),
    }
}

/// Repeats an execution of `program` on the engine of this name; see [`Engine::replay`].
pub fn replay(engine: EngineName, program: Program, schedule: &str) -> Result<Replay, ReplayError> {
    match engine {
        EngineName::Std => RealThreads::replay(program, schedule),
        EngineName::Loom => Loom::replay(program, schedule),
        EngineName::ShuttleRandom => Shuttle::<Random>::replay(program, schedule),
        EngineName::ShuttlePct => Shuttle::<Pct>::replay(program, schedule),
        EngineName::ShuttleDfs => Shuttle::<Dfs>::replay(program, schedule),
        EngineName::Graph => Graph::replay(program, schedule),
    }
}

/// One value for each engine.
#[derive(Clone, Copy, Debug)]
pub struct PerEngine<T> {
    /// For [`EngineName::Std`].
    pub std: T,
    /// For [`EngineName::Loom`].
    pub loom: T,
    /// For [`EngineName::ShuttleRandom`].
    pub shuttle_random: T,
    /// For [`EngineName::ShuttlePct`].
    pub shuttle_pct: T,
    /// For [`EngineName::ShuttleDfs`].
    pub shuttle_dfs: T,
    /// For [`EngineName::Graph`].
    pub graph: T,
}

impl<T: Copy> PerEngine<T> {
    /// The value for one engine.
    pub fn get(&self, engine: EngineName) -> T {
        match engine {
            EngineName::Std => self.std,
            EngineName::Loom => self.loom,
            EngineName::ShuttleRandom => self.shuttle_random,
            EngineName::ShuttlePct => self.shuttle_pct,
            EngineName::ShuttleDfs => self.shuttle_dfs,
            EngineName::Graph => self.graph,
        }
    }
}
