//! What engines show of programs whose answers are known, as a table.

use comfy_table::{Attribute, Cell, Color, ColumnConstraint};

use crate::engine::EngineName;
use crate::report::table::{table, text};
use crate::study::audit::{self, Row};

/// A row for each program, a column for each engine, and below them the known differences, and those that are not.
pub fn render(rows: &[Row], engines: &[EngineName]) -> String {
    let mut table = table();
    table.set_header(["program"].into_iter().chain(engines.iter().map(|engine| engine.as_str())));
    if let Some(programs) = table.column_mut(0) {
        programs.set_constraint(ColumnConstraint::ContentWidth);
    }
    for entry in audit::entries() {
        let of = |engine: &EngineName| {
            rows.iter()
                .find(|row| row.program == entry.name && row.engine == engine.as_str())
                .map_or_else(|| Cell::new("-"), in_short)
        };
        table.add_row([Cell::new(entry.name)].into_iter().chain(engines.iter().map(of)));
    }
    let (known, changed): (Vec<_>, Vec<_>) = rows.iter().partition(|row| row.expected);
    let mut report = format!("{}\n{LEGEND}\n", text(&table));
    for row in known.iter().filter(|row| row.reason.is_some()) {
        report += &in_full("AS KNOWN", row, &[("because", row.reason.clone()), ("source", row.source.clone())]);
    }
    for row in &changed {
        let list = |answers: &[String]| (!answers.is_empty()).then(|| answers.join(" "));
        let now = format!("{} after {} executions", row.verdict, row.executions);
        let parts = [
            ("now", Some(now)),
            ("why", row.why.clone()),
            ("misses", list(&row.missed)),
            ("invents", list(&row.invented)),
            ("to do", Some("review what is pinned for it in the table of the audit".to_owned())),
        ];
        report += &in_full("CHANGED", row, &parts);
    }
    format!("{report}\n{} rows: {} as known, {} changed\n", rows.len(), known.len(), changed.len())
}

const LEGEND: &str = "\
In each cell: what the engine shows / what it should show, and how many it misses (-) or invents (+), or how it ends.
Engines that sample need not show all; shuttle should show what interleavings show, the others what RC11 allows.
loom is asked without the guards of its engine, which refuse what it is known to invent or forget.";

fn in_short(row: &Row) -> Cell {
    let is_end = |answers: &[String]| matches!(answers, [end] if !end.starts_with('('));
    let samples = row.engine.parse::<EngineName>().is_ok_and(EngineName::samples);
    let cell = if is_end(&row.shown) {
        row.shown.join(" ")
    } else if is_end(&row.allowed) {
        format!("{} outcomes", row.shown.len())
    } else {
        let some = |sign: char, number: usize| {
            if number > 0 { format!("\u{a0}{sign}{number}") } else { String::new() }
        };
        let missed = some('-', if samples { 0 } else { row.missed.len() });
        let invented = some('+', row.invented.len());
        format!("{}\u{a0}/\u{a0}{}{missed}{invented}", row.shown.len(), row.allowed.len())
    };
    if row.expected {
        Cell::new(cell)
    } else {
        Cell::new(format!("CHANGED {cell}")).fg(Color::Red).add_attribute(Attribute::Bold)
    }
}

/// What is known of a program on an engine, and these parts of what else there is to say.
fn in_full(title: &str, row: &Row, parts: &[(&str, Option<String>)]) -> String {
    let mut table = table();
    let named = format!("{} on {}", row.program, row.engine);
    table.add_row([title, &named].map(|cell| Cell::new(cell).add_attribute(Attribute::Bold)));
    table.add_row(["known", &row.expectation]);
    for (name, part) in parts {
        if let Some(part) = part {
            table.add_row([*name, part]);
        }
    }
    format!("\n{}", text(&table))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_without_an_answer_has_changed() {
        let engine = EngineName::Loom;
        let entries = audit::entries_of(engine);
        let rows: Vec<_> = entries.iter().map(|entry| entry.unanswered(engine, "it died".to_owned())).collect();
        let text = render(&rows, &[engine]);
        for part in ["CHANGED", "it died", "review what is pinned", &format!(" 0 as known, {} changed", rows.len())] {
            assert!(text.contains(part), "no `{part}` in\n{text}");
        }
    }
}
