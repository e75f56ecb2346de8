//! What an exploration proved, honestly.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use countersign_graph::{Execution, Outcome};
use serde::{Deserialize, Serialize};

/// The result of exploring one program on one engine.
#[derive(Clone, Debug)]
pub struct Exploration {
    /// What was proved.
    pub verdict: Verdict,
    /// How many executions were run to their end.
    pub executions: u64,
    /// How many executions were begun in vain: a thread was blocked for good, without that being a deadlock.
    pub blocked: u64,
    /// What the readers saw, and in how many executions.
    pub outcomes: BTreeMap<Outcome, u64>,
    /// How long it took.
    pub elapsed: Duration,
    /// Where the verdict is `Failed`: the execution that failed, unless it is too long to be recorded.
    pub failing: Option<Box<Execution>>,
}

/// What an exploration proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The claims hold in every execution that the engine's model allows.
    Exhaustive,
    /// The claims hold in every execution within a bound.
    Bounded {
        /// The bound.
        by: String,
    },
    /// The claims hold in the executions that were tried.
    Sampled,
    /// The exploration ended before it was done: nothing is proved.
    Truncated {
        /// What ended it.
        why: String,
    },
    /// A claim does not hold.
    Failed(Box<Violation>),
}

impl Verdict {
    /// The verdict's name, as reports write it.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Exhaustive => "exhaustive",
            Self::Bounded { .. } => "bounded",
            Self::Sampled => "sampled",
            Self::Truncated { .. } => "truncated",
            Self::Failed(_) => "failed",
        }
    }

    /// What the name alone does not say: the bound, what ended a truncated run, or the broken claim.
    pub fn why(&self) -> Option<String> {
        match self {
            Self::Exhaustive | Self::Sampled => None,
            Self::Bounded { by } => Some(by.clone()),
            Self::Truncated { why } => Some(why.clone()),
            Self::Failed(violation) => Some(violation.to_string()),
        }
    }
}

/// A claim that did not hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Violation {
    /// Which claim.
    pub claim: Claim,
    /// What it asks for in this execution.
    pub claimed: String,
    /// What was seen instead.
    pub seen: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { claim, claimed, seen } = self;
        write!(f, "{claim}: claimed {claimed}; seen {seen}")
    }
}

/// What can be violated: the claims of the layout contract, and what every program must keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Claim {
    /// A snapshot at quiescence equals what was recorded.
    Exact,
    /// A concurrent snapshot lies between what had happened before it and what had not happened after it.
    Bounded,
    /// Of two ordered snapshots the later is nowhere smaller.
    Monotonic,
    /// A thread's exit neither drops nor doubles a count.
    FoldedOnce,
    /// Frees never exceed allocs in a class.
    InUseNeverNegative,
    /// Memory depends on the most threads alive at once.
    BoundedMemory,
    /// A cell that is read as its owner's is written by no other thread at the same time.
    SingleWriter,
    /// The program does not panic.
    NoPanic,
    /// The program ends: no thread waits for ever.
    NoDeadlock,
    /// The program does the same whenever it reads the same.
    Deterministic,
}

impl Claim {
    /// Every claim.
    pub const ALL: [Self; 10] = [
        Self::Exact,
        Self::Bounded,
        Self::Monotonic,
        Self::FoldedOnce,
        Self::InUseNeverNegative,
        Self::BoundedMemory,
        Self::SingleWriter,
        Self::NoPanic,
        Self::NoDeadlock,
        Self::Deterministic,
    ];

    /// The claim's name, as reports write it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Bounded => "bounded",
            Self::Monotonic => "monotonic",
            Self::FoldedOnce => "folded once",
            Self::InUseNeverNegative => "in use never negative",
            Self::BoundedMemory => "bounded memory",
            Self::SingleWriter => "single writer",
            Self::NoPanic => "no panic",
            Self::NoDeadlock => "no deadlock",
            Self::Deterministic => "deterministic",
        }
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
