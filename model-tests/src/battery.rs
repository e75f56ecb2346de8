//! All sizes of one layout, scenario and engine, one after the other.

use std::time::Instant;

use crate::cell::Cell;
use crate::counterexample::Counterexample;
use crate::engine::Budget;
use crate::report::{CellReport, ChildReport};
use crate::shrink::{Shrunk, shrink};
use crate::verdict::Verdict;

/// Explores cells that differ in their size only, smallest first; the budget's time is that of all of them. A failure is
/// made as small as it gets, and nothing follows it: anything larger would fail too, with a larger counterexample.
pub fn explore_in_turn(cells: Vec<Cell>, budget: Budget) -> impl Iterator<Item = ChildReport> {
    let begun = Instant::now();
    let mut held = Vec::new();
    let mut failed = false;
    cells.into_iter().map_while(move |cell| {
        if failed {
            return None;
        }
        let left = || Budget { time: budget.time.saturating_sub(begun.elapsed()), ..budget };
        let exploration = cell.explore(&left());
        match exploration.verdict {
            Verdict::Failed(_) => {
                failed = true;
                let Shrunk { cell, exploration, smallest } = shrink(cell, exploration, &held, &left());
                let counterexample = Counterexample::new(&cell, &exploration, smallest);
                return Some(ChildReport { cell: CellReport::new(&cell, &exploration), counterexample });
            }
            Verdict::Truncated { .. } => {}
            Verdict::Exhaustive | Verdict::Bounded { .. } | Verdict::Sampled => held.push(cell.size),
        }
        Some(ChildReport { cell: CellReport::new(&cell, &exploration), counterexample: None })
    })
}
