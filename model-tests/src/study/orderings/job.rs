//! Every scenario for one way to write a layout.

use std::time::Duration;

use crate::engine::{Budget, EngineName};
use crate::failure::Counterexample;
use crate::scenario::{Cell, ScenarioEntry, Size, scenarios};
use crate::study::check::{BudgetName, ChildReport, Detail, explore_in_turn};
use crate::subject::LayoutEntry;
use crate::verdict::Claim;

/// How a claim fails, at the smallest size at which it does.
#[derive(Clone, Debug)]
pub struct Kill {
    /// The engine that finds it.
    pub engine: EngineName,
    /// The scenario.
    pub scenario: &'static str,
    /// The size.
    pub size: Size,
    /// The claim.
    pub claim: Claim,
    /// The claim, what it asks for, and what was seen.
    pub why: String,
    /// The execution, if it was recorded.
    pub counterexample: Option<Counterexample>,
    /// Every scenario in which a claim fails, at the size at which it was met.
    pub failures: Vec<ChildReport>,
}

/// What came of it.
pub(super) enum Found {
    /// A claim fails. Of all scenarios that show it, this is the one with the fewest threads, snapshots and events.
    Kill(Box<Kill>),
    /// All claims hold.
    Nothing,
    /// Nothing failed, but something could not be explored.
    Unknown(String),
}

/// The engine that judges: it knows every execution, and sees none that cannot happen.
const ENGINE: EngineName = EngineName::Graph;

/// Explores every scenario.
pub(super) fn search(layout: &LayoutEntry) -> Found {
    let (mut smallest, mut unknown): (Option<(Size, ScenarioEntry)>, _) = (None, None);
    let mut failures = Vec::new();
    for scenario in scenarios() {
        match last(layout, &scenario, false) {
            // This says nothing of the layout's claims.
            Some(ChildReport { claim: Some(Claim::Deterministic), cell, .. }) => {
                unknown = Some(format!("{}: {}", scenario.name, cell.why.unwrap_or_default()));
            }
            Some(report) if report.is_failure() => {
                let size = Size::from(report.cell.size);
                if smallest.is_none_or(|(smallest, _)| weight(size) < weight(smallest)) {
                    smallest = Some((size, scenario));
                }
                failures.push(report);
            }
            Some(report) if report.cell.verdict == "truncated" => {
                unknown = Some(format!("{}: {}", scenario.name, report.cell.why.unwrap_or_default()));
            }
            _ => {}
        }
    }
    match (smallest, unknown) {
        (Some((_, scenario)), _) => match last(layout, &scenario, true).and_then(|report| kill(report, &scenario)) {
            Some(kill) => Found::Kill(Box::new(Kill { failures, ..kill })),
            None => Found::Unknown(format!("{} fails, and then does not", scenario.name)),
        },
        (None, Some(why)) => Found::Unknown(why),
        (None, None) => Found::Nothing,
    }
}

/// The report of the failure, or of a truncated cell, or else of the largest one.
fn last(layout: &LayoutEntry, scenario: &ScenarioEntry, shrink: bool) -> Option<ChildReport> {
    let cells = Cell::all(layout, scenario, ENGINE);
    let possible = cells.into_iter().filter(|cell| cell.lacks().is_none()).collect();
    let budget = Budget { time: TIME, ..BudgetName::Quick.numbers() };
    let mut last = None;
    for report in explore_in_turn(possible, budget, Detail { shrink, outcomes: false }) {
        let is_truncated = report.cell.verdict == "truncated";
        last = Some(report);
        if is_truncated {
            break;
        }
    }
    last
}

/// For one scenario.
const TIME: Duration = Duration::from_secs(60);

fn weight(size: Size) -> (usize, usize, usize, usize) {
    (size.threads, size.snapshots, size.events, size.classes)
}

fn kill(report: ChildReport, scenario: &ScenarioEntry) -> Option<Kill> {
    let ChildReport { cell, claim, counterexample, .. } = report;
    Some(Kill {
        engine: ENGINE,
        scenario: scenario.name,
        size: cell.size.into(),
        claim: claim?,
        why: cell.why.unwrap_or_default(),
        counterexample,
        failures: Vec::new(),
    })
}
