//! The outcomes of each cell as a table, after the fashion of jcstress.

use comfy_table::{Cell, CellAlignment, Color};
use indicatif::HumanCount;

use crate::report::table::{table, text};
use crate::study::check::{CellReport, Report};
use crate::study::check::{Expected, OutcomeReport};
use crate::verdict::Outcome;

/// A table for each cell.
pub fn render(report: &Report) -> String {
    let outcomes = report.outcomes.iter().flatten();
    report.cells.iter().zip(outcomes).map(|(cell, outcomes)| format!("\n{}", one_cell(cell, outcomes))).collect()
}

fn one_cell(cell: &CellReport, outcomes: &[OutcomeReport]) -> String {
    let CellReport { layout, scenario, engine, size, verdict, .. } = cell;
    let mut table = table();
    table.set_header(["outcome", "executions", "expected", "what it is"]);
    for OutcomeReport { outcome, executions, expected, what } in outcomes {
        let seen = match (outcome, expected) {
            (Some(values), _) => Outcome(values.clone()).to_string(),
            (None, Expected::Forbidden) => "a violation".to_owned(),
            (None, _) => "never seen".to_owned(),
        };
        let expected = match (expected, executions) {
            (Expected::Forbidden, _) | (Expected::Required, 0) => Cell::new(expected.as_str()).fg(Color::Red),
            _ => Cell::new(expected.as_str()),
        };
        let number = Cell::new(HumanCount(*executions)).set_alignment(CellAlignment::Right);
        table.add_row([Cell::new(seen), number, expected, Cell::new(what.as_deref().unwrap_or_default())]);
    }
    let title = console::style(format!("{layout}, {scenario}, on {engine}: {verdict}")).bold();
    format!("{title}\n{size}\n{}", text(&table))
}
