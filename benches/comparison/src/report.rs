//! What is printed of a measurement.

mod chart;
mod table;

pub(crate) use chart::chart;
pub(crate) use table::table;

use serde::Serialize;

use crate::comparison::{Comparison, comparisons};
use crate::goal::{Goal, goals};
use crate::group::cores;
use crate::measurement::{COMPILER, Row};

/// Everything that was seen, and what follows from it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Report {
    pub(crate) compiler: &'static str,
    pub(crate) cores: usize,
    pub(crate) rounds: usize,
    pub(crate) rows: Vec<Row>,
    pub(crate) comparisons: Vec<Comparison>,
    pub(crate) goals: Vec<Goal>,
}

impl Report {
    pub(crate) fn new(rounds: usize, rows: Vec<Row>) -> Self {
        let comparisons = comparisons(&rows);
        let goals = goals(&comparisons, cores());
        Self { compiler: COMPILER, cores: cores(), rounds, rows, comparisons, goals }
    }

    /// The runs whose counter showed something else than what was done.
    pub(crate) fn inexact(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(|row| !row.is_exact())
    }
}
