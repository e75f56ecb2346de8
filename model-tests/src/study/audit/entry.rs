//! A program of the audit, what is expected of each engine, and what it shows.

use std::collections::BTreeSet;
use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::engine::{self, Budget, EngineName, Loom, PerEngine, Program};
use crate::verdict::{Claim, Exploration, Outcome, Verdict};

/// A program to audit engines by.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its name.
    pub name: &'static str,
    /// What it does, and what the values in an outcome are.
    pub about: &'static str,
    /// Where its answers come from.
    pub source: &'static str,
    /// What the memory model allows.
    pub allowed: BTreeSet<Answer>,
    /// What interleavings can show.
    pub interleaved: BTreeSet<Answer>,
    /// How much an engine may do.
    pub budget: Budget,
    pub(super) program: PerEngine<fn() -> Program>,
    pub(super) pins: Vec<Pin>,
    pub(super) without: Vec<EngineName>,
}

/// What an exploration shows.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Answer {
    /// An outcome of an exploration that came to its end.
    Sees(Outcome),
    /// A broken claim.
    Fails(Claim),
    /// No result.
    Truncated,
}

/// What an engine shows of a program, beside what it may show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expectation {
    /// Exactly that.
    Complete,
    /// Nothing else, but not everything.
    Part,
    /// Everything but these.
    Misses(BTreeSet<Answer>),
    /// Everything, and these.
    Invents(BTreeSet<Answer>),
    /// These, and nothing of what it should.
    Instead(BTreeSet<Answer>),
}

/// A known difference between what an engine shows and what is so.
#[derive(Clone, Debug)]
pub struct Pin {
    pub(super) engine: EngineName,
    pub(super) expectation: Expectation,
    pub(super) reason: &'static str,
    pub(super) source: &'static str,
}

/// One program on one engine, as it is reported.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row {
    /// The program's name.
    pub program: String,
    /// The engine's name.
    pub engine: String,
    /// The verdict's name.
    pub verdict: String,
    /// The bound, what ended a truncated run, or the broken claim.
    pub why: Option<String>,
    /// How many executions were run to their end.
    pub executions: u64,
    /// What the engine shows.
    pub shown: Vec<String>,
    /// What it should show: what the memory model allows, or interleavings if the engine knows nothing else.
    pub allowed: Vec<String>,
    /// What it does not show. An engine that samples need not show everything.
    pub missed: Vec<String>,
    /// What it should not show.
    pub invented: Vec<String>,
    /// What is expected of it, in words.
    pub expectation: String,
    /// Why that is no more or less than what is so.
    pub reason: Option<String>,
    /// Where that is known from.
    pub source: Option<String>,
    /// Whether it is as expected.
    pub expected: bool,
}

/// The budget of a program whose answers are few.
pub(super) const BUDGET: Budget = Budget { executions: 2_000_000, samples: 1_000, time: Duration::from_secs(60) };

impl Entry {
    /// The engines that the program runs on.
    pub fn engines(&self) -> Vec<EngineName> {
        EngineName::ALL.into_iter().filter(|engine| !self.without.contains(engine)).collect()
    }

    /// What an engine should show.
    pub fn reference(&self, engine: EngineName) -> &BTreeSet<Answer> {
        match engine {
            EngineName::Std | EngineName::Loom | EngineName::Graph => &self.allowed,
            EngineName::ShuttleRandom | EngineName::ShuttlePct | EngineName::ShuttleDfs => &self.interleaved,
        }
    }

    /// What is expected of an engine.
    pub fn expectation(&self, engine: EngineName) -> Expectation {
        match self.pin(engine) {
            Some(pin) => pin.expectation.clone(),
            None if engine.samples() => Expectation::Part,
            None => Expectation::Complete,
        }
    }

    /// The program on an engine.
    pub fn program(&self, engine: EngineName) -> Program {
        (self.program.get(engine))()
    }

    /// Runs the program on an engine. loom is asked without the guards of its engine, which would refuse the very
    /// programs that show what they are for.
    pub fn run(&self, engine: EngineName) -> Row {
        let program = self.program(engine);
        let exploration = match engine {
            EngineName::Loom => Loom::explore_unguarded(program, &self.budget),
            _ => engine::explore(engine, program, &self.budget),
        };
        self.judge(engine, &exploration)
    }

    /// What an exploration on this engine says about it.
    pub fn judge(&self, engine: EngineName, exploration: &Exploration) -> Row {
        let (shown, allowed) = (answers(exploration), self.reference(engine));
        let expectation = self.expectation(engine);
        let row = self.row(engine);
        Row {
            verdict: exploration.verdict.name().to_owned(),
            why: exploration.verdict.why(),
            executions: exploration.executions,
            missed: in_words(allowed.difference(&shown)),
            invented: in_words(shown.difference(allowed)),
            expected: expectation.is_met(&shown, allowed),
            shown: in_words(&shown),
            ..row
        }
    }

    /// The row of an engine that gave no answer, for this reason.
    pub fn unanswered(&self, engine: EngineName, why: String) -> Row {
        Row { missed: in_words(self.reference(engine)), why: Some(why), ..self.row(engine) }
    }

    fn row(&self, engine: EngineName) -> Row {
        let pin = self.pin(engine);
        Row {
            program: self.name.to_owned(),
            engine: engine.as_str().to_owned(),
            verdict: "truncated".to_owned(),
            why: None,
            executions: 0,
            shown: Vec::new(),
            allowed: in_words(self.reference(engine)),
            missed: Vec::new(),
            invented: Vec::new(),
            expectation: self.expectation(engine).to_string(),
            reason: pin.map(|pin| pin.reason.to_owned()),
            source: pin.map(|pin| pin.source.to_owned()),
            expected: false,
        }
    }

    fn pin(&self, engine: EngineName) -> Option<&Pin> {
        self.pins.iter().find(|pin| pin.engine == engine)
    }
}

impl Expectation {
    /// Whether an engine that shows this, of what it should show, does as expected.
    pub fn is_met(&self, shown: &BTreeSet<Answer>, allowed: &BTreeSet<Answer>) -> bool {
        match self {
            Self::Complete => shown == allowed,
            Self::Part => !shown.is_empty() && shown.is_subset(allowed),
            Self::Misses(missed) => missed.is_subset(allowed) && *shown == allowed - missed,
            Self::Invents(invented) => invented.is_disjoint(allowed) && *shown == allowed | invented,
            Self::Instead(answers) => answers.is_disjoint(allowed) && shown == answers,
        }
    }
}

/// What an exploration shows. One that did not come to its end shows no outcomes: which of them it met before that is up
/// to the order in which the engine goes.
pub fn answers(exploration: &Exploration) -> BTreeSet<Answer> {
    match &exploration.verdict {
        Verdict::Exhaustive | Verdict::Bounded { .. } | Verdict::Sampled => {
            exploration.outcomes.keys().cloned().map(Answer::Sees).collect()
        }
        Verdict::Truncated { .. } => [Answer::Truncated].into(),
        Verdict::Failed(violation) => [Answer::Fails(violation.claim)].into(),
    }
}

fn in_words<'a>(answers: impl IntoIterator<Item = &'a Answer>) -> Vec<String> {
    answers.into_iter().map(ToString::to_string).collect()
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sees(outcome) => outcome.fmt(f),
            Self::Fails(claim) => write!(f, "fails: {claim}"),
            Self::Truncated => f.write_str("truncated"),
        }
    }
}

impl fmt::Display for Expectation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |answers: &BTreeSet<Answer>| in_words(answers).join(" ");
        match self {
            Self::Complete => f.write_str("shows everything and nothing else"),
            Self::Part => f.write_str("shows some of it and nothing else"),
            Self::Misses(answers) => write!(f, "misses {}", list(answers)),
            Self::Invents(answers) => write!(f, "invents {}", list(answers)),
            Self::Instead(answers) => write!(f, "shows {} instead", list(answers)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(values: &[u64]) -> BTreeSet<Answer> {
        values.iter().map(|value| Answer::Sees(Outcome(vec![*value]))).collect()
    }

    #[test]
    fn a_difference_must_be_exactly_the_pinned_one() {
        let allowed = set(&[1, 2, 3]);
        let met = |expectation: &Expectation, shown: &[u64]| expectation.is_met(&set(shown), &allowed);

        assert!(met(&Expectation::Complete, &[1, 2, 3]));
        assert!(!met(&Expectation::Complete, &[1, 2]) && !met(&Expectation::Complete, &[1, 2, 3, 4]));
        assert!(met(&Expectation::Part, &[2]));
        assert!(!met(&Expectation::Part, &[]) && !met(&Expectation::Part, &[2, 4]));
        let misses = Expectation::Misses(set(&[3]));
        assert!(met(&misses, &[1, 2]) && !met(&misses, &[1, 2, 3]) && !met(&misses, &[1]));
        let invents = Expectation::Invents(set(&[4]));
        assert!(met(&invents, &[1, 2, 3, 4]) && !met(&invents, &[1, 2, 3]) && !met(&invents, &[1, 4]));
        let instead = Expectation::Instead(set(&[4]));
        assert!(met(&instead, &[4]) && !met(&instead, &[1, 4]) && !met(&instead, &[]));
    }
}
