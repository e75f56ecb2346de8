//! The report as text: a row for each layout and scenario, a column for each engine, and below it everything that did
//! not succeed, in full.

use std::fmt::Write;
use std::time::Duration;

use comfy_table::{Attribute, Cell, Color, ContentArrangement, LineStyle, Table, TableStyle};
use console::Term;
use indicatif::HumanCount;

use super::names;
use crate::engine::EngineName;
use crate::report::{CellReport, Report};

/// The whole report.
pub(super) fn render(report: &Report, elapsed: Duration) -> String {
    let mut text = String::new();
    if !report.cells.is_empty() {
        text = format!("{}\n\n{LEGEND}\n", overview(&report.cells));
    }
    for cell in report.cells.iter().filter(|cell| stands_out(cell)) {
        // Writing to a string does not fail.
        let _ = write!(text, "\n{}", in_full(cell));
    }
    let withheld = withheld(&report.cells);
    if !withheld.is_empty() {
        let _ = write!(text, "\nNot claimed, and not asked for:\n{withheld}");
    }
    let _ = writeln!(text, "\n{}", summary(report, elapsed));
    text
}

/// An empty table as wide as the terminal at most, or 120 columns elsewhere, with colours only where they are seen.
pub(super) fn table() -> Table {
    const STYLE: TableStyle = TableStyle::new().header_separator(LineStyle::new('─', '─', '─', '─'));
    let terminal = Term::stdout();
    let width = if terminal.is_term() { terminal.size().1 } else { 120 };
    let mut table = Table::new();
    table.load_style(STYLE).set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
    if console::colors_enabled() {
        table.enforce_styling();
    } else {
        table.force_no_tty();
    }
    table
}

/// The table's text, without the blanks that fill its last column.
pub(super) fn text(table: &Table) -> String {
    // Where a line may not be broken, the cells have blanks that do not break; nobody wants to paste those.
    table.lines().map(|line| line.replace('\u{a0}', " ").trim_end().to_owned() + "\n").collect()
}

const LEGEND: &str = "In each cell: the verdict on the largest size explored, executions / distinct outcomes.";

fn overview(cells: &[CellReport]) -> String {
    let is_used = |engine: &EngineName| cells.iter().any(|cell| cell.engine == engine.as_str());
    let engines: Vec<_> = EngineName::ALL.into_iter().filter(is_used).collect();
    let mut table = table();
    table.set_header([Cell::new("layout, scenario")].into_iter().chain(engines.iter().map(Cell::new)));
    for layout in cells.chunk_by(|left, right| left.layout == right.layout) {
        table.add_row([Cell::new(&layout[0].layout).add_attribute(Attribute::Bold)]);
        for row in layout.chunk_by(|left, right| left.scenario == right.scenario) {
            let verdict = |engine: &EngineName| verdict(row.iter().filter(|cell| cell.engine == engine.as_str()));
            let scenario = Cell::new(format!("\u{a0}{}", row[0].scenario));
            table.add_row([scenario].into_iter().chain(engines.iter().map(verdict)));
        }
    }
    text(&table).trim_end().to_owned()
}

/// The verdict on one layout, scenario and engine: that of the largest size, unless another stands out.
fn verdict<'a>(sizes: impl DoubleEndedIterator<Item = &'a CellReport> + Clone) -> Cell {
    let failed = sizes.clone().find(|cell| cell.verdict == "failed");
    let truncated = || sizes.clone().find(|cell| cell.verdict == "truncated");
    let Some(shown) = failed.or_else(truncated).or_else(|| sizes.clone().next_back()) else { return Cell::new("-") };
    let (executions, outcomes) = (HumanCount(shown.executions), HumanCount(shown.outcomes));
    let numbers = format!("{executions}\u{a0}/\u{a0}{outcomes}");
    match shown.verdict.as_str() {
        "failed" => Cell::new(format!("FAILED {numbers}")).fg(Color::Red).add_attribute(Attribute::Bold),
        "truncated" => Cell::new(format!("TRUNCATED {numbers}")).fg(Color::Yellow).add_attribute(Attribute::Bold),
        verdict => Cell::new(format!("{verdict} {numbers}")),
    }
}

fn stands_out(cell: &CellReport) -> bool {
    matches!(cell.verdict.as_str(), "failed" | "truncated")
}

fn in_full(cell: &CellReport) -> String {
    let CellReport { layout, scenario, engine, size, why, executions, outcomes, .. } = cell;
    let (title, color) = if cell.verdict == "failed" { ("FAILED", Color::Red) } else { ("TRUNCATED", Color::Yellow) };
    let mut table = table();
    table.add_row([
        Cell::new(title).fg(color).add_attribute(Attribute::Bold),
        Cell::new(format!("{layout}, {scenario}, on {engine}")).add_attribute(Attribute::Bold),
    ]);
    table.add_row(["size", &size.to_string()]);
    table.add_row(["why", why.as_deref().unwrap_or("no reason was given")]);
    table.add_row(["after", &format!("executions: {}, outcomes: {}", HumanCount(*executions), HumanCount(*outcomes))]);
    let again = format!("countersign check --layout {layout} --scenario {scenario} --engine {engine}");
    table.add_row(["again", &again]);
    text(&table)
}

/// The layouts that withhold claims, and which.
fn withheld(cells: &[CellReport]) -> String {
    let mut table = table();
    for layout in cells.chunk_by(|left, right| left.layout == right.layout) {
        let withheld = names::layout(&layout[0].layout).map(|layout| layout.withheld()).unwrap_or_default();
        if !withheld.is_empty() {
            table.add_row([&layout[0].layout, &withheld.join(", ")]);
        }
    }
    text(&table)
}

fn summary(report: &Report, elapsed: Duration) -> String {
    let count = |verdict| report.cells.iter().filter(|cell| cell.verdict == verdict).count();
    let verdicts = ["exhaustive", "bounded", "sampled", "truncated", "failed"];
    let verdicts = verdicts.map(|verdict| (verdict, count(verdict))).into_iter().filter(|(_, count)| *count > 0);
    let verdicts: Vec<_> = verdicts.map(|(verdict, count)| format!("{count} {verdict}")).collect();
    format!("{} cells: {}; {:.1} s", report.summary.cells, verdicts.join(", "), elapsed.as_secs_f32())
}
