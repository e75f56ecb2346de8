//! `countersign cell`: the child process of `check`. It explores all sizes of one layout, scenario and engine, so that
//! each engine has a process to itself, and prints the report of each size as soon as it has it.

use std::io;
use std::process::ExitCode;
use std::thread;
use std::time::Duration;

use super::{end_with_parent, names, print};
use crate::battery::{Detail, explore_in_turn};
use crate::catalog::{LayoutEntry, ScenarioEntry};
use crate::cell::Cell;
use crate::engine::{Budget, EngineName};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[arg(long, value_parser = names::layout)]
    layout: LayoutEntry,
    #[arg(long, value_parser = names::scenario)]
    scenario: ScenarioEntry,
    #[arg(long)]
    engine: EngineName,
    #[arg(long)]
    executions: u64,
    #[arg(long)]
    samples: u64,
    /// For all sizes together
    #[arg(long)]
    millis: u64,
    /// Make a failure as small as it gets, and report it at that size
    #[arg(long)]
    shrink: bool,
    /// Report how often each outcome was seen
    #[arg(long)]
    outcomes: bool,
    /// End as soon as standard input is closed, because the parent is then gone
    #[arg(long)]
    with_parent: bool,
}

impl Arguments {
    /// The command line that explores these cells, which differ in their size only.
    pub(super) fn command_line(cell: &Cell, budget: &Budget, detail: Detail) -> Vec<String> {
        let Budget { executions, samples, time } = budget;
        let options = [
            ("--layout", cell.layout.name.to_owned()),
            ("--scenario", cell.scenario.name.to_owned()),
            ("--engine", cell.engine.to_string()),
            ("--executions", executions.to_string()),
            ("--samples", samples.to_string()),
            ("--millis", time.as_millis().to_string()),
        ];
        let options = options.into_iter().flat_map(|(option, value)| [option.to_owned(), value]);
        let details = [(detail.shrink, "--shrink"), (detail.outcomes, "--outcomes")];
        let details = details.into_iter().filter_map(|(is_wanted, flag)| is_wanted.then_some(flag));
        let flags = ["cell", "--with-parent"].into_iter().chain(details);
        flags.map(str::to_owned).chain(options).collect()
    }
}

pub(super) fn run(arguments: &Arguments) -> io::Result<ExitCode> {
    if arguments.with_parent {
        thread::spawn(end_with_parent);
    }
    let budget = Budget {
        executions: arguments.executions,
        samples: arguments.samples,
        time: Duration::from_millis(arguments.millis),
    };
    let cells = Cell::all(&arguments.layout, &arguments.scenario, arguments.engine);
    let detail = Detail { shrink: arguments.shrink, outcomes: arguments.outcomes };
    for report in explore_in_turn(cells, budget, detail) {
        print(&format!("{}\n", serde_json::to_string(&report)?))?;
    }
    Ok(ExitCode::SUCCESS)
}
