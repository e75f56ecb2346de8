//! What an exploration proved, and what a program gives at its end.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::execution::Execution;

/// A program to explore, as the engine runs it: once for each execution, from the start.
pub(crate) type Program = Arc<dyn Fn() -> Result<Outcome, Violation> + Send + Sync>;

/// The result of exploring one program.
#[derive(Clone, Debug)]
#[must_use = "an exploration that nobody looks at may have failed"]
pub struct Exploration {
    /// What was proved.
    pub verdict: Verdict,
    /// How many executions were run to their end.
    pub executions: u64,
    /// How many executions were begun in vain: a thread was blocked for good, without that being a deadlock.
    pub blocked: u64,
    /// What the program gave, and in how many executions.
    pub outcomes: BTreeMap<Outcome, u64>,
    /// How long it took.
    pub elapsed: Duration,
    /// Where the verdict is `Failed`: the execution that failed.
    pub failing: Option<Box<Execution>>,
}

/// What an exploration proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The claims hold in every execution that the memory model allows.
    Exhaustive,
    /// The exploration ended before it was done: nothing is proved.
    Truncated {
        /// What ended it.
        why: String,
    },
    /// A claim does not hold.
    Failed(Box<Violation>),
}

/// What a program gives at the end of an execution: the values that tell executions apart, in an order that the program
/// fixes. Two executions with the same outcome cannot be told apart by it.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Outcome(pub Vec<u64>);

/// A claim that did not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Which claim.
    pub claim: Claim,
    /// What it asks for in this execution.
    pub claimed: String,
    /// What was seen instead.
    pub seen: String,
}

/// What can be violated: what every program must keep, and what a program claims of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Claim {
    /// The program does not panic.
    NoPanic,
    /// The program ends: no thread waits for ever.
    NoDeadlock,
    /// A cell that is read as its owner's is written by no other thread at the same time.
    SingleWriter,
    /// The program does the same whenever it reads the same.
    Deterministic,
    /// A claim of the program's own, by its name.
    Own(&'static str),
}

/// What a program may return: nothing, numbers that are its [`Outcome`], or a `Result` of these and a [`Violation`].
pub trait Conclusion {
    /// The outcome, or the claim that does not hold.
    fn conclude(self) -> Result<Outcome, Violation>;
}

impl Exploration {
    /// Does nothing if the program was explored to the end and no claim was violated.
    ///
    /// # Panics
    ///
    /// If not, with the claim and the execution that violates it, or with what ended the exploration.
    #[track_caller]
    pub fn assert_exhaustive(&self) {
        let execution = self.failing.as_ref().map(|failing| format!("\n{failing}")).unwrap_or_default();
        let Self { verdict, executions, .. } = self;
        assert!(*verdict == Verdict::Exhaustive, "after {executions} executions: {verdict}{execution}");
    }
}

impl Outcome {
    /// This outcome, and then these values.
    #[must_use]
    pub fn and(mut self, values: Vec<u64>) -> Self {
        self.0.extend(values);
        self
    }
}

impl Claim {
    /// The claim's name, as reports write it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NoPanic => "no panic",
            Self::NoDeadlock => "no deadlock",
            Self::SingleWriter => "single writer",
            Self::Deterministic => "deterministic",
            Self::Own(name) => name,
        }
    }
}

impl Conclusion for Outcome {
    fn conclude(self) -> Result<Outcome, Violation> {
        Ok(self)
    }
}

impl Conclusion for () {
    fn conclude(self) -> Result<Outcome, Violation> {
        Ok(Outcome::default())
    }
}

impl Conclusion for u64 {
    fn conclude(self) -> Result<Outcome, Violation> {
        Ok(Outcome(vec![self]))
    }
}

impl<const N: usize> Conclusion for [u64; N] {
    fn conclude(self) -> Result<Outcome, Violation> {
        Ok(Outcome(self.to_vec()))
    }
}

impl Conclusion for Vec<u64> {
    fn conclude(self) -> Result<Outcome, Violation> {
        Ok(Outcome(self))
    }
}

impl<T: Conclusion> Conclusion for Result<T, Violation> {
    fn conclude(self) -> Result<Outcome, Violation> {
        self.and_then(Conclusion::conclude)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exhaustive => f.write_str("exhaustive"),
            Self::Truncated { why } => write!(f, "truncated: {why}"),
            Self::Failed(violation) => write!(f, "failed: {violation}"),
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(")?;
        for (index, value) in self.0.iter().enumerate() {
            write!(f, "{}{value}", if index == 0 { "" } else { ", " })?;
        }
        f.write_str(")")
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { claim, claimed, seen } = self;
        write!(f, "{claim}: claimed {claimed}; seen {seen}")
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
