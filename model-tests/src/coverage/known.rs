//! The differences between an engine and the graph engine whose cause is known.

use crate::cell::Cell;
use crate::engine::EngineName;

/// A difference whose cause is known. It must be there: one that is no longer is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// The layout's name.
    pub layout: &'static str,
    /// The scenarios' names: in each of them it shows at some size.
    pub scenarios: &'static [&'static str],
    /// The engine.
    pub engine: EngineName,
    /// What differs.
    pub difference: Difference,
    /// Why.
    pub cause: &'static str,
    /// Where that is known from.
    pub source: &'static str,
}

/// How an engine differs from the graph engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Difference {
    /// It lacks an outcome, and says that it reached all. That makes its verdict worthless, so a known cause is named
    /// and excuses nothing.
    Lacks,
    /// It has an outcome that cannot happen: a false alarm.
    Invents,
    /// It refuses the cell, because it would have such an outcome.
    Refuses,
}

/// All of them.
pub const KNOWN: &[Known] = &[];

impl Known {
    /// What is known of a difference in a cell.
    pub fn of(cell: &Cell, difference: Difference) -> Option<&'static Self> {
        KNOWN.iter().find(|known| known.is_about(cell) && known.difference == difference)
    }

    /// Whether the difference is to be expected at some size of this cell.
    pub fn is_about(&self, cell: &Cell) -> bool {
        self.layout == cell.layout.name && self.engine == cell.engine && self.scenarios.contains(&cell.scenario.name)
    }
}
