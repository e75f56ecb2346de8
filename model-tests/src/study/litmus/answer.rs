//! The answer to a litmus program, compared with what is known about it.

use std::collections::BTreeSet;

use countersign_litmus::Litmus;
use serde::Serialize;

use super::explore::Run;
use crate::engine::EngineName;
use crate::verdict::Verdict;

/// One program's answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Row {
    /// The program's name.
    pub name: String,
    /// The executions that count.
    pub executions: u64,
    /// The executions that were given up because an assumption did not hold.
    pub blocked: u64,
    /// The distinct outcomes.
    pub outcomes: Vec<String>,
}

/// One program's answer, and what is to be said about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The answer.
    pub row: Row,
    /// Why the answer does not stand: something was not as expected, a check did not pass, or the exploration did not
    /// end well.
    pub problems: Vec<String>,
    /// How an engine that is not held to the expectations differs from them.
    pub differences: Vec<String>,
}

impl Report {
    /// Compares a run on `engine` with what the program expects.
    ///
    /// What a file expects holds in the memory model, so only an engine that is complete and sound for it is held to
    /// it. loom counts and sees otherwise, and shuttle counts schedules, none of them weak: their differences are
    /// worth knowing and no failure. A check that does not pass is a problem on every engine.
    pub fn new(litmus: &Litmus, run: Run, engine: EngineName) -> Self {
        let mut problems = Vec::new();
        match run.verdict {
            Verdict::Exhaustive | Verdict::Sampled => {}
            verdict => problems.push(match verdict.why() {
                Some(why) => format!("the exploration is {}: {why}", verdict.name()),
                None => format!("the exploration is {}", verdict.name()),
            }),
        }
        for (line, count) in &run.broken {
            problems
                .push(format!("the check of line {line} does not pass in {count} of {} executions", run.executions));
        }
        let outcomes: BTreeSet<String> = run.outcomes.into_keys().collect();
        let mut differences = compare(litmus, run.executions, &outcomes);
        if engine == EngineName::Graph {
            problems.append(&mut differences);
        }
        let row = Row {
            name: litmus.name.clone(),
            executions: run.executions,
            blocked: run.blocked,
            outcomes: outcomes.into_iter().collect(),
        };
        Self { row, problems, differences }
    }
}

/// What differs from what the program expects.
fn compare(litmus: &Litmus, executions: u64, outcomes: &BTreeSet<String>) -> Vec<String> {
    let mut differences = Vec::new();
    match litmus.expected.executions {
        Some(expected) if expected != executions => {
            differences.push(format!("expected {expected} executions, found {executions}"));
        }
        _ => {}
    }
    if let Some(expected) = &litmus.expected.outcomes {
        differences.extend(expected.difference(outcomes).map(|outcome| format!("missing outcome: {outcome}")));
        differences.extend(outcomes.difference(expected).map(|outcome| format!("unexpected outcome: {outcome}")));
    }
    differences
}
