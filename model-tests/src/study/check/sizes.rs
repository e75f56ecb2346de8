//! All sizes of one layout, scenario and engine, one after the other.

use std::iter;
use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::outcomes::outcomes;
use super::report::{CellReport, ChildReport};
use crate::engine::Budget;
use crate::failure::{Counterexample, Shrunk, shrink};
use crate::scenario::Cell;
use crate::verdict::{Exploration, Verdict};

/// What is wanted of an exploration beside its verdict.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Detail {
    /// A failure made as small as it gets.
    pub shrink: bool,
    /// How often each outcome was seen.
    pub outcomes: bool,
}

/// Explores cells that differ in their size only, smallest first; the budget's time is that of all of them. No further
/// cell follows a failure: anything larger would fail too, with a larger counterexample. But the failure itself is made
/// as small as it gets, if that is asked for, and reported once more; see [`add`].
pub fn explore_in_turn(cells: Vec<Cell>, budget: Budget, detail: Detail) -> impl Iterator<Item = ChildReport> {
    let begun = Instant::now();
    let left = move || Budget { time: budget.time.saturating_sub(begun.elapsed()), ..budget };
    let mut held = Vec::new();
    let mut cells = cells.into_iter();
    let mut failed = None;
    iter::from_fn(move || {
        if let Some((cell, exploration)) = failed.take() {
            let Shrunk { cell, exploration, smallest } = shrink(cell, exploration, &held, &left());
            return Some(report(&cell, &exploration, smallest, detail));
        }
        let cell = cells.next()?;
        let exploration = cell.explore(&left());
        let found = report(&cell, &exploration, false, detail);
        match exploration.verdict {
            Verdict::Failed(_) => {
                cells = Vec::new().into_iter();
                failed = detail.shrink.then_some((cell, exploration));
            }
            Verdict::Truncated { .. } => {}
            Verdict::Exhaustive | Verdict::Bounded { .. } | Verdict::Sampled => held.push(cell.size),
        }
        Some(found)
    })
}

/// Adds a report to those before it. It takes the place of a failure, which is what it repeats at a smaller size: whatever
/// goes wrong in search of that, the failure itself stands.
pub fn add(reports: &mut Vec<ChildReport>, report: ChildReport) {
    if reports.last().is_some_and(ChildReport::is_failure) {
        reports.pop();
    }
    reports.push(report);
}

fn report(cell: &Cell, exploration: &Exploration, smallest: bool, detail: Detail) -> ChildReport {
    let counterexample = Counterexample::new(cell, exploration, smallest);
    let outcomes = if detail.outcomes { outcomes(cell, exploration) } else { Vec::new() };
    let claim = match &exploration.verdict {
        Verdict::Failed(violation) => Some(violation.claim),
        _ => None,
    };
    ChildReport { cell: CellReport::new(cell, exploration), claim, counterexample, outcomes }
}
