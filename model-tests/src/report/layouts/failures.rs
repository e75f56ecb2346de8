//! What failed, on one screen: the broken claims, the smallest counterexample, and the others as a line each.

use std::collections::BTreeMap;
use std::fmt::Write;

use comfy_table::{Attribute, Cell, Color};
use indicatif::HumanCount;

use crate::engine::EngineName;
use crate::failure::{Counterexample, command_line};
use crate::report::execution::{self, Rows};
use crate::report::table::{table, text};
use crate::study::check::{CellReport, ChildReport};

/// How much of the failures is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Extent {
    /// What fits on a screen: the smallest counterexample, of which rows in the middle are left out if it is longer than
    /// that; the others as a line each.
    #[default]
    Screen,
    /// Every counterexample in full.
    All,
}

/// A cell that failed, and how; `None` where its execution is too long to be recorded.
#[derive(Clone, Copy, Debug)]
pub struct Failure<'a> {
    /// The cell.
    pub cell: &'a CellReport,
    /// How it failed.
    pub counterexample: Option<&'a Counterexample>,
}

/// The most lines for scenarios that fail beside the one whose execution is shown.
const MOST_OTHERS: usize = 4;

/// The cells that failed.
pub fn failures<'a>(cells: &'a [CellReport], counterexamples: &'a [Option<Counterexample>]) -> Vec<Failure<'a>> {
    let all = cells.iter().zip(counterexamples);
    let failed = all.filter(|(cell, _)| cell.verdict == "failed");
    failed.map(|(cell, found)| Failure { cell, counterexample: found.as_ref() }).collect()
}

/// All failures of one layout, of which there is at least one. `is_named` says whether the command line knows the layout;
/// `shown` is the failure that the reader has seen in full already.
pub fn render(failures: &[Failure<'_>], is_named: bool, extent: Extent, shown: Option<&CellReport>) -> String {
    let Some(smallest) = failures.iter().min_by_key(|failure| failure.weight()) else { return String::new() };
    let mut report = format!("\n{}", claims(failures));
    if extent == Extent::All {
        report.extend(failures.iter().map(|failure| failure.in_full(is_named, Rows::All)));
        return report;
    }
    if shown == Some(smallest.cell) {
        report += "\nThe counterexample above is the smallest.\n";
    } else {
        report += &smallest.in_full(is_named, Rows::Most);
        if failures.len() == 1 && !smallest.is_whole_in(Rows::Most) {
            report += &format!("Rows are left out: {}.\n", how_to_see_all(is_named));
        }
    }
    report + &others(failures, &smallest.cell.scenario, how_to_see_all(is_named), is_named)
}

/// How to see what a screen has no room for.
pub(super) fn how_to_see_all(is_named: bool) -> &'static str {
    if is_named { "`--all` shows all, `--output FILE` writes them" } else { "`in_full` has all" }
}

/// A line for each broken claim.
pub(super) fn claims(failures: &[Failure<'_>]) -> String {
    let mut cells: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for failure in failures {
        cells.entry(failure.claim()).or_default().push(&failure.cell.engine);
    }
    let mut table = table();
    for (claim, engines) in cells {
        let of = |engine: EngineName| engines.iter().filter(|name| **name == engine.as_str()).count();
        let counts = EngineName::ALL.map(|engine| (engine, of(engine))).into_iter().filter(|(_, count)| *count > 0);
        let counts: Vec<_> = counts.map(|(engine, count)| format!("{count} on {engine}")).collect();
        let number = engines.len();
        let cells = format!("in {number} {}: {}", if number == 1 { "cell" } else { "cells" }, counts.join(", "));
        let title = Cell::new("FAILED").fg(Color::Red).add_attribute(Attribute::Bold);
        table.add_row([title, Cell::new(claim).add_attribute(Attribute::Bold), Cell::new(cells)]);
    }
    text(&table)
}

/// A line for each scenario that fails but this one, with the smallest counterexample of it; `how` says how to see all.
pub(super) fn others(failures: &[Failure<'_>], shown: &str, how: &str, is_named: bool) -> String {
    let mut scenarios: Vec<Vec<&Failure<'_>>> = Vec::new();
    for failure in failures {
        match scenarios.iter_mut().find(|others| others[0].cell.scenario == failure.cell.scenario) {
            Some(others) => others.push(failure),
            None => scenarios.push(vec![failure]),
        }
    }
    scenarios.retain(|others| others[0].cell.scenario != shown);
    let shown = scenarios.iter().take(MOST_OTHERS).map(|others| line(others, is_named));
    let lines: Vec<String> = shown.collect();
    let mut text = String::new();
    if failures.len() > 1 {
        // Writing to a string does not fail.
        let _ = writeln!(text, "\n{} counterexamples: {how}.", failures.len());
    }
    text.extend(lines);
    let hidden = scenarios.len().saturating_sub(MOST_OTHERS);
    if hidden > 0 {
        let _ = writeln!(text, "  and {hidden} more scenarios");
    }
    text
}

fn line(failures: &[&Failure<'_>], is_named: bool) -> String {
    let smallest = failures.iter().min_by_key(|failure| failure.weight()).unwrap_or(&failures[0]);
    let CellReport { scenario, engine, .. } = smallest.cell;
    let more = match failures.len() - 1 {
        0 => String::new(),
        more => format!(" (and {more} more)"),
    };
    let token = smallest.counterexample.and_then(|found| found.token.as_deref()).filter(|_| is_named);
    let how = token.map(|token| format!(": {}", command_line(token))).unwrap_or_default();
    format!("  {scenario} on {engine}{more}, {}{how}\n", smallest.claim())
}

impl<'a> From<&'a ChildReport> for Failure<'a> {
    fn from(ChildReport { cell, counterexample, .. }: &'a ChildReport) -> Self {
        Self { cell, counterexample: counterexample.as_ref() }
    }
}

impl Failure<'_> {
    /// The claim that is broken.
    fn claim(&self) -> &str {
        let named = self.counterexample.map(|found| found.violation.claim.as_str());
        let in_why = || self.cell.why.as_deref().and_then(|why| why.split_once(": ")).map(|(claim, _)| claim);
        named.or_else(in_why).unwrap_or("a claim")
    }

    /// What makes a counterexample small: few threads, then few operations; and if that is the same, an engine that can
    /// repeat it.
    pub fn weight(&self) -> (usize, usize, bool) {
        let rows = self.counterexample.map_or(usize::MAX, |found| found.trace.len());
        let threads = self.counterexample.and_then(|found| found.trace.iter().map(|row| row.thread).max());
        (threads.map_or(usize::MAX, |last| last + 1), rows, self.cell.engine != EngineName::Graph.as_str())
    }

    /// The failure as it is printed as soon as it is found, and whether all of its execution is there.
    pub fn at_once(&self, is_named: bool) -> (String, bool) {
        (self.in_full(is_named, Rows::Few), self.is_whole_in(Rows::Few))
    }

    fn is_whole_in(&self, rows: Rows) -> bool {
        rows.left_out(self.counterexample.map_or(0, |found| found.trace.len())).is_empty()
    }

    /// All that is known of the failure, with so many rows of its execution.
    pub fn in_full(&self, is_named: bool, rows: Rows) -> String {
        let how = self.counterexample.map(|found| execution::counterexample(found, is_named, rows));
        format!("\n{}{}", head(self.cell, is_named, how.is_none()), how.unwrap_or_default())
    }
}

/// What failed, and how to run it again; with the reason of the verdict, if nothing else says it.
fn head(cell: &CellReport, is_named: bool, with_reason: bool) -> String {
    let CellReport { layout, scenario, engine, size, why, executions, outcomes, .. } = cell;
    let mut table = table();
    table.add_row([
        Cell::new("FAILED").fg(Color::Red).add_attribute(Attribute::Bold),
        Cell::new(format!("{layout}, {scenario}, on {engine}")).add_attribute(Attribute::Bold),
    ]);
    table.add_row(["size", &size.to_string()]);
    if with_reason {
        table.add_row(["why", why.as_deref().unwrap_or("no reason was given")]);
    }
    table.add_row(["after", &format!("executions: {}, outcomes: {}", HumanCount(*executions), HumanCount(*outcomes))]);
    table.add_row(["again", &again(cell, is_named)]);
    text(&table)
}

/// How to run a cell again.
pub(crate) fn again(cell: &CellReport, is_named: bool) -> String {
    let CellReport { layout, scenario, engine, .. } = cell;
    if is_named {
        return format!("countersign check --layout {layout} --scenario {scenario} --engine {engine}");
    }
    let engine = engine.parse::<EngineName>().map(|engine| format!("{engine:?}")).unwrap_or_default();
    format!("Verify::new::<..>().scenario(\"{scenario}\").engine(EngineName::{engine}).run()")
}
