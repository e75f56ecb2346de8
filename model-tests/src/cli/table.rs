//! The report as text: a row for each layout and scenario, a column for each engine, and below it everything that did
//! not succeed, in full.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;

use comfy_table::{Attribute, Cell, Color, ColumnConstraint, ContentArrangement, LineStyle, Table, TableStyle, Width};
use console::Term;
use indicatif::HumanCount;

use super::{execution, names};
use crate::catalog::LayoutEntry;
use crate::counterexample::Counterexample;
use crate::engine::EngineName;
use crate::report::{CellReport, Report};

/// The whole report. Of each cell there may be a counterexample. `own` is the layout if it is one that the command line
/// does not know.
pub(crate) fn render(
    report: &Report,
    counterexamples: &[Option<Counterexample>],
    own: Option<&LayoutEntry>,
    elapsed: Duration,
) -> String {
    let mut text = String::new();
    if !report.cells.is_empty() {
        text = format!("{}\n{LEGEND}\n", overview(&report.cells, own));
    }
    for (cell, counterexample) in report.cells.iter().zip(counterexamples).filter(|(cell, _)| stands_out(cell)) {
        let how = counterexample.as_ref().map(|found| execution::counterexample(found, own.is_none()));
        // Writing to a string does not fail.
        let _ = write!(text, "\n{}{}", in_full(cell, own, how.is_none()), how.unwrap_or_default());
    }
    let _ = writeln!(text, "\n{}", summary(report, elapsed));
    text
}

/// The width of the output.
pub(super) fn width() -> u16 {
    let terminal = Term::stdout();
    if terminal.is_term() { terminal.size().1 } else { WIDTH }
}

/// The width of the output where no terminal says how wide it is.
const WIDTH: u16 = 120;

/// The blanks in a column behind its content.
const GAP: u16 = 2;

/// The width that a verdict needs for its longest word.
const NARROWEST: u16 = 10;

/// How wide a table wants to be.
pub(super) fn content_width(table: &Table) -> u16 {
    let columns = table.column_max_content_widths();
    columns.iter().sum::<u16>() + GAP * (columns.len() as u16).saturating_sub(1)
}

/// An empty table, no wider than the terminal, with colours only where they are seen.
pub(super) fn table() -> Table {
    const STYLE: TableStyle =
        TableStyle::new().header_separator(LineStyle { left: None, fill: Some('─'), junction: None, right: None });
    let mut table = Table::new();
    table.load_style(STYLE).set_content_arrangement(ContentArrangement::Dynamic).set_width(width());
    if console::colors_enabled() {
        table.enforce_styling();
    } else {
        table.force_no_tty();
    }
    table
}

/// The table's text, without the blanks that fill its last column.
pub(super) fn text(table: &Table) -> String {
    let mut table = table.clone();
    let gaps = table.column_count().saturating_sub(1);
    for (index, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, if index < gaps { GAP } else { 0 }));
    }
    // Where a line may not be broken, the cells have blanks that do not break; nobody wants to paste those.
    table.lines().map(|line| line.replace('\u{a0}', " ").trim_end().to_owned() + "\n").collect()
}

const LEGEND: &str = "\
In each cell: executions / distinct outcomes of the largest size explored, and the verdict where it is not the one that
the engine's heading names.";

/// The layouts one below the other, each with a heading that says what it withholds, in the same columns.
fn overview(cells: &[CellReport], own: Option<&LayoutEntry>) -> String {
    let is_used = |engine: &EngineName| cells.iter().any(|cell| cell.engine == engine.as_str());
    let engines: Vec<_> = EngineName::ALL.into_iter().filter(is_used).collect();
    let layouts: Vec<_> = cells.chunk_by(|left, right| left.layout == right.layout).collect();

    let columns: Vec<_> = engines.iter().map(|engine| Column::new(*engine, cells)).collect();
    let titles = columns.iter().map(|Column { engine, usual }| Cell::new(format!("{engine}\n{usual}")));
    let mut header = table();
    header.set_header([Cell::new("  scenario")].into_iter().chain(titles));
    let mut tables = vec![header];
    tables.extend(layouts.iter().map(|cells| {
        let mut table = table();
        table.add_rows(rows(cells, &columns));
        table
    }));
    align(&mut tables);

    let headings = layouts.iter().map(|cells| heading(&cells[0].layout, own));
    let mut overview = text(&tables[0]);
    for (heading, table) in headings.zip(&tables[1..]) {
        overview += &format!("{heading}\n{}", text(table));
    }
    overview
}

/// A layout's name, and the claims that it does not make.
fn heading(layout: &str, own: Option<&LayoutEntry>) -> String {
    let entry = own.cloned().or_else(|| names::layout(layout).ok());
    let withheld = entry.map(|entry| entry.withheld()).unwrap_or_default();
    let withheld =
        if withheld.is_empty() { String::new() } else { format!(", does not claim: {}", withheld.join(", ")) };
    format!("{}{withheld}", console::style(layout).bold())
}

/// The rows of one layout. The forms of a scenario stand below its name, which may be a row of its own or not.
fn rows(cells: &[CellReport], columns: &[Column]) -> Vec<Vec<Cell>> {
    let mut rows = Vec::new();
    let mut above = "";
    for row in cells.chunk_by(|left, right| left.scenario == right.scenario) {
        let (scenario, form) = match row[0].scenario.split_once('/') {
            Some((scenario, form)) => (scenario, Some(form)),
            None => (row[0].scenario.as_str(), None),
        };
        if form.is_some() && above != scenario {
            rows.push(vec![indented(2, scenario)]);
        }
        above = scenario;
        let title = form.map_or_else(|| indented(2, scenario), |form| indented(4, &format!("/{form}")));
        let verdicts = columns.iter().map(|column| column.verdict(row));
        rows.push([title].into_iter().chain(verdicts).collect());
    }
    rows
}

/// Gives the columns the same widths in all tables: that of their content while there is room; otherwise the
/// widest give way. The first column is never cut.
fn align(tables: &mut [Table]) {
    let mut widths = Vec::new();
    for table in tables.iter() {
        let content = table.column_max_content_widths();
        widths.resize(content.len().max(widths.len()), 0);
        widths.iter_mut().zip(content).for_each(|(width, content)| *width = content.max(*width));
    }
    let Some((first, others)) = widths.split_first_mut() else { return };
    let gaps = GAP * others.len() as u16;
    let room = tables[0].width().unwrap_or(WIDTH).saturating_sub(*first + gaps);
    while others.iter().sum::<u16>() > room.max(NARROWEST * others.len() as u16) {
        others.iter_mut().max().into_iter().for_each(|widest| *widest -= 1);
    }
    let last = widths.len() - 1;
    widths[..last].iter_mut().for_each(|width| *width += GAP);
    for table in tables {
        for (column, width) in table.column_iter_mut().zip(&widths) {
            column.set_constraint(ColumnConstraint::Absolute(Width::Fixed(*width)));
        }
    }
}

fn indented(by: usize, text: &str) -> Cell {
    Cell::new("\u{a0}".repeat(by) + text)
}

/// An engine, and the verdict that most of its cells have.
struct Column {
    engine: EngineName,
    usual: String,
}

impl Column {
    fn new(engine: EngineName, cells: &[CellReport]) -> Self {
        let mut counts = BTreeMap::new();
        for cell in cells.iter().filter(|cell| cell.engine == engine.as_str() && !stands_out(cell)) {
            *counts.entry(cell.verdict.as_str()).or_insert(0) += 1;
        }
        let usual = counts.into_iter().max_by_key(|(_, count)| *count).map_or("", |(verdict, _)| verdict);
        Self { engine, usual: usual.to_owned() }
    }

    /// The verdict on one layout and scenario: that of the largest size, unless another stands out.
    fn verdict(&self, row: &[CellReport]) -> Cell {
        let sizes = row.iter().filter(|cell| cell.engine == self.engine.as_str());
        let failed = sizes.clone().find(|cell| cell.verdict == "failed");
        let truncated = || sizes.clone().find(|cell| cell.verdict == "truncated");
        let Some(shown) = failed.or_else(truncated).or_else(|| sizes.clone().next_back()) else {
            return Cell::new("-");
        };
        let (executions, outcomes) = (HumanCount(shown.executions), HumanCount(shown.outcomes));
        let numbers = format!("{executions}\u{a0}/\u{a0}{outcomes}");
        match shown.verdict.as_str() {
            "failed" => Cell::new("FAILED").fg(Color::Red).add_attribute(Attribute::Bold),
            "truncated" => Cell::new(format!("TRUNCATED {numbers}")).fg(Color::Yellow).add_attribute(Attribute::Bold),
            verdict if verdict == self.usual => Cell::new(numbers),
            verdict => Cell::new(format!("{verdict} {numbers}")),
        }
    }
}

fn stands_out(cell: &CellReport) -> bool {
    matches!(cell.verdict.as_str(), "failed" | "truncated")
}

/// A cell, with or without the reason of its verdict.
fn in_full(cell: &CellReport, own: Option<&LayoutEntry>, with_reason: bool) -> String {
    let CellReport { layout, scenario, engine, size, why, executions, outcomes, .. } = cell;
    let (title, color) = if cell.verdict == "failed" { ("FAILED", Color::Red) } else { ("TRUNCATED", Color::Yellow) };
    let mut table = table();
    table.add_row([
        Cell::new(title).fg(color).add_attribute(Attribute::Bold),
        Cell::new(format!("{layout}, {scenario}, on {engine}")).add_attribute(Attribute::Bold),
    ]);
    table.add_row(["size", &size.to_string()]);
    if with_reason {
        table.add_row(["why", why.as_deref().unwrap_or("no reason was given")]);
    }
    table.add_row(["after", &format!("executions: {}, outcomes: {}", HumanCount(*executions), HumanCount(*outcomes))]);
    let again = match own {
        Some(_) => {
            let engine = engine.parse::<EngineName>().map(|engine| format!("{engine:?}")).unwrap_or_default();
            format!("Verify::new::<..>().scenario(\"{scenario}\").engine(EngineName::{engine}).run()")
        }
        None => format!("countersign check --layout {layout} --scenario {scenario} --engine {engine}"),
    };
    table.add_row(["again", &again]);
    text(&table)
}

fn summary(report: &Report, elapsed: Duration) -> String {
    let count = |verdict| report.cells.iter().filter(|cell| cell.verdict == verdict).count();
    let verdicts = ["exhaustive", "bounded", "sampled", "truncated", "failed"];
    let verdicts = verdicts.map(|verdict| (verdict, count(verdict))).into_iter().filter(|(_, count)| *count > 0);
    let verdicts: Vec<_> = verdicts.map(|(verdict, count)| format!("{count} {verdict}")).collect();
    let cells = report.summary.cells;
    let noun = if cells == 1 { "cell" } else { "cells" };
    format!("{cells} {noun}: {}; {:.1} s", verdicts.join(", "), elapsed.as_secs_f32())
}
