//! The engines, by name.

use std::fmt;
use std::str::FromStr;

use crate::verdict::Claim;

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
