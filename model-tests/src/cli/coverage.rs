//! `countersign coverage`: compares what the engines reach with what the graph engine says there is to reach.
//!
//! Each engine explores in a process of its own, all cells one after the other; the reference is computed here.

mod judged;
mod report;

use std::io;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::thread;

use self::judged::{Judged, Reached, Row, gone};
use super::selection::{Format, Selection};
use super::{children, conclude, end_with_parent, jobs, print};
use crate::budget::BudgetName;
use crate::catalog::{self, MutantEntry};
use crate::cell::Cell;
use crate::coverage;
use crate::engine::{self, EngineName};
use crate::report::CellReport;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    selection: Selection,
    /// How much to explore; `list` shows the numbers
    #[arg(long, value_enum, default_value_t)]
    budget: BudgetName,
    /// How to write the comparison
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Only explore, and print what is reached: the child process of `coverage`
    #[arg(long, hide = true)]
    child: bool,
}

pub(super) fn run(arguments: &Arguments) -> io::Result<ExitCode> {
    if arguments.child {
        return explore(arguments);
    }
    let engines = arguments.selection.engines();
    let engines: Vec<_> = engines.into_iter().filter(|engine| *engine != EngineName::Graph).collect();
    let executable = jobs::executable()?;
    let all = children::on_each_engine(&engines, |engine| compare(&executable, arguments, engine));
    let gone = gone(&all);
    let text = match arguments.format {
        Format::Table => report::render(&all, &engines, &gone),
        Format::Json => {
            let rows: Vec<Row> = all.iter().map(Judged::row).collect();
            format!("{}\n", serde_json::to_string(&rows)?)
        }
    };
    let differs = !gone.is_empty() || all.iter().any(Judged::differs);
    let unknown = all.is_empty() || all.iter().any(Judged::is_unknown);
    conclude(&text, ExitCode::from(if differs { 1 } else { 3 * u8::from(unknown) }))
}

impl Arguments {
    /// The cells in which an engine is compared: those that were asked for; and if no layout was, each mutant in the
    /// scenario that shows it too. Whatever an engine is blind to is then found out by what it should have seen.
    fn cells(&self, engine: EngineName) -> Vec<Cell> {
        let mut pairs = self.selection.pairs();
        if self.selection.leaves_mutants_out() {
            let mutants = catalog::mutant_entries().into_iter().filter(|mutant| mutant.is_run_on(engine));
            let pair = |mutant: MutantEntry| Some((mutant.scenario_entry()?, mutant.layout));
            let asked = mutants.filter_map(pair).filter(|(scenario, _)| self.selection.has_scenario(scenario));
            pairs.extend(asked.map(|(scenario, layout)| (layout, scenario)));
        }
        let cells = pairs.iter().flat_map(|(layout, scenario)| {
            let cell = |size| Cell { layout: layout.clone(), scenario: *scenario, engine, size };
            coverage::cells(cell, scenario.sizes, engine)
        });
        cells.collect()
    }
}

/// The child: explores every cell of its one engine.
fn explore(arguments: &Arguments) -> io::Result<ExitCode> {
    thread::spawn(end_with_parent);
    for cell in arguments.selection.engines().into_iter().flat_map(|engine| arguments.cells(engine)) {
        // Not by way of the cell, which doubts an exhaustive verdict where an outcome lacks that every layout must reach:
        // here each outcome is asked for.
        let exploration = engine::explore(cell.engine, cell.program(), &arguments.budget.numbers());
        let report = CellReport::new(&cell, &exploration);
        let reached = Reached { report, outcomes: exploration.outcomes.into_keys().map(|outcome| outcome.0).collect() };
        print(&format!("{}\n", serde_json::to_string(&reached)?))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Compares one engine in all cells.
fn compare(executable: &Path, arguments: &Arguments, engine: EngineName) -> Vec<Judged> {
    let cells = arguments.cells(engine);
    let mut command = Command::new(executable);
    command.args(["coverage", "--child", "--engine", engine.as_str(), "--budget", arguments.budget.as_str()]);
    command.args(arguments.selection.command_line());
    let limit = arguments.budget.numbers().time * cells.len() as u32 + children::GRACE;
    let mut reached: Vec<Reached> = Vec::new();
    let end = children::run(&mut command, limit, |line| {
        let Some(line) = line else { return Ok(()) };
        match serde_json::from_str::<Reached>(line) {
            Ok(next) if cells.get(reached.len()).is_some_and(|cell| next.report.is_of(cell)) => reached.push(next),
            _ => return Err(format!("the child process wrote `{line}`, where what a cell reaches was expected")),
        }
        Ok(())
    });
    let why = end.err().unwrap_or_else(|| "the child process ended too early".to_owned());
    let mut reached = reached.into_iter();
    let judge = |cell| match reached.next() {
        Some(reached) => Judged::new(cell, reached),
        None => Judged::unknown(cell, why.clone()),
    };
    cells.into_iter().map(judge).collect()
}
