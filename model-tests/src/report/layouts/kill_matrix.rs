//! The kill matrix as a table.

use comfy_table::{Attribute, Cell as TableCell, Color};
use indicatif::HumanCount;

use crate::engine::EngineName;
use crate::report::table::{table, text};
use crate::study::kill_matrix::{KillMatrix, Row};

/// A row for each mutant, a column for each engine, and what became of the correct layouts.
pub fn render(matrix: &KillMatrix) -> String {
    let KillMatrix { rows, of_correct } = matrix;
    let mut kills = table();
    let engines = EngineName::ALL.iter().map(|engine| engine.as_str());
    kills.set_header(["mutant", "claim"].into_iter().chain(engines));
    for row in rows {
        let title = [row.mutant, row.claim].map(TableCell::new);
        kills.add_row(title.into_iter().chain(EngineName::ALL.map(|engine| cell(row, engine))));
    }
    let killed = rows.iter().filter(|row| row.is_killed()).count();
    let mut report = format!("{}\n{LEGEND}\n", text(&kills));
    for cell in of_correct.iter().filter(|cell| ["failed", "truncated"].contains(&cell.verdict.as_str())) {
        let why = cell.why.as_deref().unwrap_or_default();
        report += &format!(
            "\ncorrect, but {}: {} in {} on {}: {why}\n",
            cell.verdict, cell.layout, cell.scenario, cell.engine
        );
    }
    let sound = of_correct.iter().filter(|cell| cell.verdict != "failed" && cell.verdict != "truncated").count();
    format!(
        "{report}\n{killed} of {} mutants killed; correct layouts hold in {sound} of {} cells\n",
        rows.len(),
        of_correct.len()
    )
}

const LEGEND: &str = "\
In each cell: the execution in which the engine finds the fault, counted from the first. An engine that must find it and
does not is written SURVIVES; `cannot`: the catalog says why, say that shuttle takes every ordering for SeqCst.";

fn cell(row: &Row, engine: EngineName) -> TableCell {
    if let Some(kill) = row.killed_by.iter().find(|kill| kill.engine == engine.as_str()) {
        return TableCell::new(HumanCount(kill.executions));
    }
    if row.entry.caught_by.contains(&engine) {
        return TableCell::new("SURVIVES").fg(Color::Red).add_attribute(Attribute::Bold);
    }
    let cannot = row.entry.not_by.iter().any(|(other, _)| *other == engine);
    TableCell::new(if cannot { "cannot" } else { "survives" })
}
