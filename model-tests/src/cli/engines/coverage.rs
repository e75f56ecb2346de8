//! `countersign coverage`: compares what the engines reach with what the graph engine says there is to reach.
//!
//! Each engine explores in a process of its own, all cells one after the other; the reference is computed here.

use std::io;
use std::process::{Command, ExitCode};
use std::thread;

use countersign_models::engine::{self, EngineName};
use countersign_models::report::engines::coverage::render;
use countersign_models::scenario::Cell;
use countersign_models::study::check::{BudgetName, children, executable};
use countersign_models::study::coverage::{self, Judged, Reached, Row, gone};
use countersign_models::study::kill_matrix::scenario_of;
use countersign_models::subject::mutant::catalog::{MutantEntry, mutant_entries};

use crate::cli::output::{conclude, end_with_parent, print};
use crate::cli::selection::{Format, Selection};

#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
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

pub(crate) const EXIT_CODES: &str = "\
Exit code:
  0  every engine that claims to be exhaustive reaches everything, and none reaches more, but for what is known
  1  an engine lacks an outcome that it claims to have explored, unless that is known of a mutant; or it has one that the
     memory model does not allow, unless that is known; or a known difference is no longer there
  2  the command line is wrong, or the report cannot be written
  3  none of that, but something could not be compared";

pub(crate) fn run(arguments: &Arguments) -> io::Result<ExitCode> {
    if arguments.child {
        return explore(arguments);
    }
    let engines = arguments.selection.engines();
    let engines: Vec<_> = engines.into_iter().filter(|engine| *engine != EngineName::Graph).collect();
    let executable = executable()?;
    let all = children::on_each_engine(&engines, |engine| {
        let cells = arguments.cells(engine);
        let limit = arguments.budget.numbers().time * cells.len() as u32;
        let mut command = Command::new(&executable);
        command.args(["coverage", "--child", "--engine", engine.as_str(), "--budget", arguments.budget.as_str()]);
        coverage::compare(command.args(arguments.selection.command_line()), cells, limit)
    });
    let gone = gone(&all);
    let text = match arguments.format {
        Format::Table => render(&all, &engines, &gone),
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
            let mutants = mutant_entries().into_iter().filter(|mutant| mutant.is_run_on(engine));
            let pair = |mutant: MutantEntry| Some((scenario_of(&mutant)?, mutant.layout));
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
        print(&format!("{}\n", serde_json::to_string(&Reached::new(&cell, exploration))?))?;
    }
    Ok(ExitCode::SUCCESS)
}
