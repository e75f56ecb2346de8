//! What `check` reports: one row for each cell, and a summary. The JSON form is a contract.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::outcomes::OutcomeReport;
use crate::failure::Counterexample;
use crate::scenario::{Cell, Size};
use crate::verdict::{Claim, Exploration, Verdict};

/// The report of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// The cells, in the order of the catalog.
    pub cells: Vec<CellReport>,
    /// The counts that decide the exit code.
    pub summary: Summary,
    /// The outcomes of each cell, if they were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcomes: Option<Vec<Vec<OutcomeReport>>>,
}

/// The report of one cell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CellReport {
    /// The layout's name.
    pub layout: String,
    /// The scenario's name.
    pub scenario: String,
    /// The engine's name.
    pub engine: String,
    /// The size.
    pub size: SizeReport,
    /// The verdict's name.
    pub verdict: String,
    /// The bound, what ended a truncated run, or the broken claim.
    pub why: Option<String>,
    /// Executions run to their end.
    pub executions: u64,
    /// Distinct outcomes.
    pub outcomes: u64,
    /// Wall time in milliseconds.
    pub millis: u64,
}

/// What the child process of `check` writes of a cell: the report, and what goes to people only.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChildReport {
    /// The report.
    pub cell: CellReport,
    /// Where it failed: the claim that is broken.
    pub claim: Option<Claim>,
    /// Where it failed: how, unless the execution is too long to be recorded.
    pub counterexample: Option<Counterexample>,
    /// What was seen, if that was asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outcomes: Vec<OutcomeReport>,
}

/// [`Size`], as it is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the fields are those of `Size`")]
pub struct SizeReport {
    pub threads: usize,
    pub events: usize,
    pub snapshots: usize,
    pub classes: usize,
    pub slots: usize,
}

/// The counts that decide the exit code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// How many cells were explored or begun.
    pub cells: usize,
    /// In how many a claim failed.
    pub failed: usize,
    /// In how many the exploration proved nothing.
    pub truncated: usize,
}

impl From<Size> for SizeReport {
    fn from(Size { threads, events, snapshots, classes, slots }: Size) -> Self {
        Self { threads, events, snapshots, classes, slots }
    }
}

impl From<SizeReport> for Size {
    fn from(SizeReport { threads, events, snapshots, classes, slots }: SizeReport) -> Self {
        Self { threads, events, snapshots, classes, slots }
    }
}

impl fmt::Display for SizeReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Size::from(*self).fmt(f)
    }
}

impl Report {
    /// The report of these cells.
    pub fn new(cells: Vec<CellReport>) -> Self {
        let count = |verdict: &str| cells.iter().filter(|cell| cell.verdict == verdict).count();
        let summary = Summary { cells: cells.len(), failed: count("failed"), truncated: count("truncated") };
        Self { cells, summary, outcomes: None }
    }
}

impl Summary {
    /// The exit code of the run: 0 if all claims hold, 1 if one failed, and otherwise 3 if something proved nothing.
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self { failed: 1.., .. } => 1,
            Self { truncated: 1.., .. } | Self { cells: 0, .. } => 3,
            _ => 0,
        }
    }
}

impl ChildReport {
    /// Whether a claim failed.
    pub fn is_failure(&self) -> bool {
        self.cell.verdict == "failed"
    }

    /// The report of a cell of which nothing is known but why.
    pub fn truncated(cell: &Cell, why: String) -> Self {
        Self { cell: CellReport::truncated(cell, why), claim: None, counterexample: None, outcomes: Vec::new() }
    }
}

impl CellReport {
    /// The report of an explored cell.
    pub fn new(cell: &Cell, exploration: &Exploration) -> Self {
        Self {
            verdict: exploration.verdict.name().to_owned(),
            why: exploration.verdict.why(),
            executions: exploration.executions,
            outcomes: exploration.outcomes.len() as u64,
            millis: exploration.elapsed.as_millis() as u64,
            ..Self::truncated(cell, String::new())
        }
    }

    /// Whether this is the report of `cell`; a failure may be reported of a smaller size.
    pub fn is_of(&self, cell: &Cell) -> bool {
        self.layout == cell.layout.name
            && self.scenario == cell.scenario.name
            && self.engine == cell.engine.as_str()
            && (self.size == cell.size.into() || self.verdict == "failed")
    }

    /// The report of a cell of which nothing is known but why.
    pub fn truncated(cell: &Cell, why: String) -> Self {
        let verdict = Verdict::Truncated { why };
        Self {
            layout: cell.layout.name.to_owned(),
            scenario: cell.scenario.name.to_owned(),
            engine: cell.engine.as_str().to_owned(),
            size: cell.size.into(),
            verdict: verdict.name().to_owned(),
            why: verdict.why(),
            executions: 0,
            outcomes: 0,
            millis: 0,
        }
    }
}
