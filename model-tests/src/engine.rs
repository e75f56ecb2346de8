//! The engines: what runs a scenario, and how it explores the ways the threads can interleave.
//!
//! An engine supplies [`Primitives`] and [`Locks`], so that a layout's own source runs on it, and adds what a scenario
//! needs: threads, and an exploration of a program's executions. The engines are types of this crate, so the core never
//! names one.

mod containment;
mod counting;
mod inert;
mod loom;
mod shuttle;
mod std;
mod tally;

pub use self::counting::{Counted, Counting, live_atomics};
pub use self::inert::{Inert, InertGuard, InertMutex};
pub use self::loom::{Loom, LoomAtomic, LoomJoinHandle, LoomMutex};
pub use self::shuttle::{Dfs, Random, Shuttle, ShuttleAtomic, ShuttleJoinHandle, ShuttleMutex, Strategy};
pub use self::std::{RealJoinHandle, RealThreads};

use ::std::fmt;
use ::std::str::FromStr;
use ::std::sync::Arc;
use ::std::time::Duration;

use countersign::{Locks, Primitives};

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

    /// Runs `program` in as many ways as the engine can and the budget allows, and says what that proved.
    fn explore(program: Program, budget: &Budget) -> Exploration;
}

/// A thread that can be waited for.
pub trait JoinHandle<T> {
    /// Waits for the thread's end. What it did happens-before the return. Panics if the thread panicked.
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
    /// shuttle, every schedule; sequentially consistent.
    ShuttleDfs,
}

impl EngineName {
    /// Every engine.
    pub const ALL: [Self; 4] = [Self::Std, Self::Loom, Self::ShuttleRandom, Self::ShuttleDfs];

    /// The name as it is written on the command line and in reports.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Std => "std",
            Self::Loom => "loom",
            Self::ShuttleRandom => "shuttle-random",
            Self::ShuttleDfs => "shuttle-dfs",
        }
    }

    /// Whether the engine explores the memory model, not only the interleavings: only then can it see what a weak
    /// ordering permits.
    pub const fn sees_weak_memory(self) -> bool {
        matches!(self, Self::Loom)
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

/// One value for each engine.
#[derive(Clone, Copy, Debug)]
pub struct PerEngine<T> {
    /// For [`EngineName::Std`].
    pub std: T,
    /// For [`EngineName::Loom`].
    pub loom: T,
    /// For [`EngineName::ShuttleRandom`].
    pub shuttle_random: T,
    /// For [`EngineName::ShuttleDfs`].
    pub shuttle_dfs: T,
}

impl<T: Copy> PerEngine<T> {
    /// The value for one engine.
    pub fn get(&self, engine: EngineName) -> T {
        match engine {
            EngineName::Std => self.std,
            EngineName::Loom => self.loom,
            EngineName::ShuttleRandom => self.shuttle_random,
            EngineName::ShuttleDfs => self.shuttle_dfs,
        }
    }
}
