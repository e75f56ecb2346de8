//! The report of `check` as text: a row for each layout and scenario, a column for each engine, and below it what failed, and
//! what proved nothing.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;

use comfy_table::{Attribute, Cell, Color, ColumnConstraint, Table, Width};
use indicatif::HumanCount;

use super::failures::{self, Extent, again, failures, how_to_see_all};
use crate::engine::EngineName;
use crate::failure::Counterexample;
use crate::report::table::{GAP, WIDTH, table, text};
use crate::study::check::{CellReport, Report};
use crate::subject::{LayoutEntry, layouts};

/// What of the failures is shown, and what the reader has seen already.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shown<'a> {
    /// How much.
    pub extent: Extent,
    /// The failure that stands in full above the report.
    pub above: Option<&'a CellReport>,
}

/// The whole report. Of each cell there may be a counterexample. `own` is the layout if it is one that the command line
/// does not know.
pub fn render(
    report: &Report,
    counterexamples: &[Option<Counterexample>],
    own: Option<&LayoutEntry>,
    elapsed: Duration,
    shown: Shown<'_>,
) -> String {
    let mut text = String::new();
    if shown.above.is_some() {
        text.push('\n');
    }
    if !report.cells.is_empty() {
        text += &format!("{}\n{LEGEND}\n", overview(&report.cells, own));
    }
    let failed = failures(&report.cells, counterexamples);
    for of_layout in failed.chunk_by(|left, right| left.cell.layout == right.cell.layout) {
        text += &failures::render(of_layout, own.is_none(), shown.extent, shown.above);
    }
    text += &truncated(&report.cells, own.is_none(), shown.extent);
    // Writing to a string does not fail.
    let _ = writeln!(text, "\n{}", summary(report, elapsed));
    text
}

/// The width that a verdict needs for its longest word.
const NARROWEST: u16 = 10;

/// The last line where no more was begun after a failure.
pub const CUT_SHORT: &str = "what was not begun when the first claim failed is not in the table\n";

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
    let entry = own.cloned().or_else(|| layouts::find(layout).ok());
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

/// What was cut short: for each reason the cells, and how to run the first of them again.
fn truncated(cells: &[CellReport], is_named: bool, extent: Extent) -> String {
    let (most_reasons, most_cells) = match extent {
        Extent::Screen => (2, 3),
        Extent::All => (usize::MAX, usize::MAX),
    };
    let mut reasons: Vec<(&str, Vec<&CellReport>)> = Vec::new();
    for cell in cells.iter().filter(|cell| cell.verdict == "truncated") {
        let why = cell.why.as_deref().unwrap_or("no reason was given");
        match reasons.iter_mut().find(|(known, _)| *known == why) {
            Some((_, cells)) => cells.push(cell),
            None => reasons.push((why, vec![cell])),
        }
    }
    let block = |(why, cells): &(&str, Vec<&CellReport>)| {
        let name =
            |CellReport { layout, scenario, engine, .. }: &&CellReport| format!("{layout}, {scenario}, on {engine}");
        let mut named: Vec<_> = cells.iter().map(name).collect();
        // Sizes of one cell.
        named.dedup();
        let more = named.len().saturating_sub(most_cells);
        named.truncate(most_cells);
        named.extend((more > 0).then(|| format!("and {more} more")));
        let title = Cell::new("TRUNCATED").fg(Color::Yellow).add_attribute(Attribute::Bold);
        let mut table = table();
        table.add_row([title, Cell::new(named.join("; ")).add_attribute(Attribute::Bold)]);
        table.add_row(["why", why]);
        table.add_row(["again", &again(cells[0], is_named)]);
        format!("\n{}", text(&table))
    };
    let hidden = reasons.len().saturating_sub(most_reasons);
    let more =
        if hidden > 0 { format!("\nand {hidden} more reasons: {}\n", how_to_see_all(is_named)) } else { String::new() };
    reasons.iter().take(most_reasons).map(block).collect::<String>() + &more
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::{Cell, scenarios};

    #[test]
    fn a_screen_has_some_of_what_was_cut_short_and_all_is_all() {
        let (layout, scenarios) = (layouts::find("shared").unwrap(), scenarios());
        let cell = |scenario, engine| Cell::all(&layout, scenario, engine).remove(0);
        let of = |scenario| {
            EngineName::ALL.map(|engine| CellReport::truncated(&cell(scenario, engine), scenario.name.to_owned()))
        };
        let report = Report::new(scenarios.iter().take(4).flat_map(of).collect());
        let text = |extent| render(&report, &[], None, Duration::ZERO, Shown { extent, above: None });

        let (screen, all) = (text(Extent::Screen), text(Extent::All));
        assert_eq!(screen.matches("\nwhy ").count(), 2, "{screen}");
        assert!(screen.contains(&format!("and {} more", EngineName::ALL.len() - 3)), "{screen}");
        assert!(screen.contains("\nand 2 more reasons: `--all` shows all"), "{screen}");
        assert_eq!(all.matches("\nwhy ").count(), 4, "{all}");
        let all = all.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(!all.contains("more") && all.matches(", on ").count() == report.cells.len(), "{all}");
    }
}
