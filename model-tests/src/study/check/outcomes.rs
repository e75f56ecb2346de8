//! The outcomes of an exploration one by one: how often each was seen, and whether it must be, may be or must not.

use serde::{Deserialize, Serialize};

use crate::scenario::Cell;
use crate::verdict::{Exploration, Verdict};

/// One outcome of a cell, or the violation in place of one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutcomeReport {
    /// What the readers saw, as [`Outcome`](crate::verdict::Outcome) lists it. `None` if it was never seen, or is forbidden.
    pub outcome: Option<Vec<u64>>,
    /// In how many executions.
    pub executions: u64,
    /// What the scenario says of it.
    pub expected: Expected,
    /// What it is, in words: the required outcomes that it is, or the claim that it breaks.
    pub what: Option<String>,
}

/// What a scenario says of an outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Expected {
    /// It breaks a claim.
    Forbidden,
    /// An engine that calls itself exhaustive must reach it.
    Required,
    /// It breaks no claim, and need not be reached.
    Allowed,
}

impl Expected {
    /// The word for it, as reports write it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Forbidden => "forbidden",
            Self::Required => "required",
            Self::Allowed => "allowed",
        }
    }
}

/// What an exploration of `cell` saw: what is forbidden first, then what is required, whether seen or not, then the rest.
pub fn outcomes(cell: &Cell, exploration: &Exploration) -> Vec<OutcomeReport> {
    let required = cell.required();
    let mut reports: Vec<_> = exploration
        .outcomes
        .iter()
        .map(|(outcome, executions)| {
            let met = required.iter().filter(|required| (required.is_met_by)(outcome)).map(|required| required.what);
            let met: Vec<_> = met.collect();
            let (expected, what) =
                if met.is_empty() { (Expected::Allowed, None) } else { (Expected::Required, Some(met.join("; "))) };
            OutcomeReport { outcome: Some(outcome.0.clone()), executions: *executions, expected, what }
        })
        .collect();
    let never = required.iter().filter(|required| !exploration.outcomes.keys().any(required.is_met_by));
    reports.extend(never.map(|required| OutcomeReport {
        outcome: None,
        executions: 0,
        expected: Expected::Required,
        what: Some(required.what.to_owned()),
    }));
    if let Verdict::Failed(violation) = &exploration.verdict {
        let what = Some(violation.to_string());
        reports.push(OutcomeReport { outcome: None, executions: 1, expected: Expected::Forbidden, what });
    }
    reports.sort_by_key(|report| report.expected);
    reports
}
