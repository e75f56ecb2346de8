//! `countersign mutants`: the kill matrix, each mutant on each engine; and, so that a kill means something, every
//! correct layout in every scenario, which no engine may kill.

use std::io;
use std::num::NonZero;
use std::process::ExitCode;

use comfy_table::{Attribute, Cell as TableCell, Color};
use indicatif::HumanCount;
use serde::Serialize;

use super::selection::Format;
use super::table::{table, text};
use super::{conclude, jobs};
use crate::battery::Detail;
use crate::budget::BudgetName;
use crate::catalog::{self, LayoutEntry, MutantEntry};
use crate::cell::Cell;
use crate::engine::{Budget, EngineName};
use crate::report::{CellReport, ChildReport};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// How many processes to run at once [default: one for each core]
    #[arg(long, value_name = "N")]
    jobs: Option<NonZero<usize>>,
    /// How to write the matrix
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(super) const EXIT_CODES: &str = "\
Exit code:
  0  every mutant is killed, by every engine that must kill it, and no correct layout is
  1  a mutant survives, or a correct layout is killed
  2  the command line is wrong, or the report cannot be written
  3  none of that, but an exploration of a correct layout proved nothing";

/// A mutant's row of the matrix.
#[derive(Debug, Serialize)]
struct Row {
    mutant: &'static str,
    source: &'static str,
    claim: &'static str,
    killed_by: Vec<Kill>,
    survived: Vec<&'static str>,
    #[serde(skip)]
    entry: MutantEntry,
}

#[derive(Debug, Serialize)]
struct Kill {
    engine: &'static str,
    scenario: &'static str,
    executions: u64,
    millis: u64,
}

pub(super) fn run(arguments: &Arguments) -> io::Result<ExitCode> {
    let quick = BudgetName::Quick.numbers();
    let mutants = catalog::mutant_entries();
    let correct = correct_layouts(&mutants);
    let scenarios = catalog::scenarios();
    let on_each = |mutant: &MutantEntry| {
        EngineName::ALL.into_iter().filter(|engine| mutant.is_run_on(*engine)).map(|on| mutant.cells(on)).collect()
    };
    let of_mutants: Vec<_> = mutants.iter().flat_map(|mutant| -> Vec<_> { on_each(mutant) }).collect();
    let in_each = |layout: &LayoutEntry| -> Vec<_> {
        let cells = |scenario| EngineName::ALL.map(|engine| Cell::all(layout, scenario, engine));
        scenarios.iter().flat_map(cells).collect()
    };
    let of_correct: Vec<_> = correct.iter().flat_map(in_each).collect();
    // Nobody reads how a mutant fails here, and a kill counts at the size at which it is met.
    // A rare interleaving is to be met, and a false alarm would show in any.
    let mut reports =
        jobs::explore(&of_mutants, &Budget { samples: 1_000, ..quick }, Detail::default(), arguments.jobs)?;
    reports.extend(jobs::explore(&of_correct, &Budget { samples: 100, ..quick }, Detail::default(), arguments.jobs)?);
    let rows: Vec<Row> = mutants.into_iter().map(|mutant| row(mutant, &reports)).collect();
    let of_correct = |report: &&CellReport| correct.iter().any(|layout| layout.name == report.layout);
    let of_correct: Vec<&CellReport> = reports.iter().map(|report| &report.cell).filter(of_correct).collect();
    let text = match arguments.format {
        Format::Table => render(&rows, &of_correct),
        Format::Json => format!("{}\n", serde_json::to_string(&rows)?),
    };
    let survives = rows.iter().any(|row| !row.is_killed());
    let verdicts = |verdict: &str| of_correct.iter().any(|report| report.verdict == verdict);
    conclude(
        &text,
        ExitCode::from(if survives || verdicts("failed") { 1 } else { 3 * u8::from(verdicts("truncated")) }),
    )
}

/// The core's layouts, and those of the mutants' making that have no fault.
fn correct_layouts(mutants: &[MutantEntry]) -> Vec<LayoutEntry> {
    let is_mutant = |layout: &LayoutEntry| mutants.iter().any(|mutant| mutant.layout.name == layout.name);
    catalog::layouts().into_iter().chain(catalog::mutants().into_iter().filter(|layout| !is_mutant(layout))).collect()
}

fn row(entry: MutantEntry, reports: &[ChildReport]) -> Row {
    let (mut killed_by, mut survived) = (Vec::new(), Vec::new());
    for engine in EngineName::ALL.map(EngineName::as_str) {
        let is_kill = |ChildReport { cell, claim, .. }: &&ChildReport| {
            let is_it = cell.layout == entry.layout.name && cell.engine == engine;
            is_it && claim.is_some_and(|claim| entry.is_killed_by(claim))
        };
        match reports.iter().find(is_kill) {
            Some(ChildReport { cell, .. }) => killed_by.push(Kill {
                engine,
                scenario: entry.scenario,
                executions: cell.executions,
                millis: cell.millis,
            }),
            None => survived.push(engine),
        }
    }
    Row {
        mutant: entry.layout.name.trim_start_matches("mutant:"),
        source: entry.source,
        claim: entry.claim.as_str(),
        killed_by,
        survived,
        entry,
    }
}

impl Row {
    /// Whether somebody killed the mutant, and everybody who must.
    fn is_killed(&self) -> bool {
        let killed = |engine: &&EngineName| self.killed_by.iter().any(|kill| kill.engine == engine.as_str());
        !self.killed_by.is_empty() && self.entry.caught_by.iter().all(|engine| killed(&engine))
    }

    fn on(&self, engine: EngineName) -> TableCell {
        if let Some(kill) = self.killed_by.iter().find(|kill| kill.engine == engine.as_str()) {
            return TableCell::new(HumanCount(kill.executions));
        }
        if self.entry.caught_by.contains(&engine) {
            return TableCell::new("SURVIVES").fg(Color::Red).add_attribute(Attribute::Bold);
        }
        let cannot = self.entry.not_by.iter().any(|(other, _)| *other == engine);
        TableCell::new(if cannot { "cannot" } else { "survives" })
    }
}

fn render(rows: &[Row], of_correct: &[&CellReport]) -> String {
    let mut matrix = table();
    let engines = EngineName::ALL.iter().map(|engine| engine.as_str());
    matrix.set_header(["mutant", "claim"].into_iter().chain(engines));
    for row in rows {
        let title = [row.mutant, row.claim].map(TableCell::new);
        matrix.add_row(title.into_iter().chain(EngineName::ALL.map(|engine| row.on(engine))));
    }
    let killed = rows.iter().filter(|row| row.is_killed()).count();
    let mut report = format!("{}\n{LEGEND}\n", text(&matrix));
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
