//! `countersign cell`: the child process of `check`. It explores all sizes of one layout, scenario and engine, so that
//! each engine has a process to itself, and prints the report of each size as soon as it has it.

use std::io;
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

use super::{end_with_parent, names, print};
use crate::catalog::{LayoutEntry, ScenarioEntry};
use crate::cell::Cell;
use crate::counterexample::Counterexample;
use crate::engine::{Budget, EngineName};
use crate::report::{CellReport, ChildReport};
use crate::shrink::{Shrunk, shrink};
use crate::verdict::{Exploration, Verdict};

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
    /// End as soon as standard input is closed, because the parent is then gone
    #[arg(long)]
    with_parent: bool,
}

impl Arguments {
    /// The command line that explores these cells, which differ in their size only.
    /// A failure is made as small as it gets if `shrink` says so.
    pub(super) fn command_line(cell: &Cell, budget: &Budget, shrink: bool) -> Vec<String> {
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
        let flags = ["cell", "--with-parent"].into_iter().chain(shrink.then_some("--shrink"));
        flags.map(str::to_owned).chain(options).collect()
    }
}

pub(super) fn run(arguments: &Arguments) -> io::Result<ExitCode> {
    if arguments.with_parent {
        thread::spawn(end_with_parent);
    }
    let deadline = Instant::now() + Duration::from_millis(arguments.millis);
    let budget = || Budget {
        executions: arguments.executions,
        samples: arguments.samples,
        time: deadline.saturating_duration_since(Instant::now()),
    };
    let mut held = Vec::new();
    for cell in Cell::all(&arguments.layout, &arguments.scenario, arguments.engine) {
        let exploration = cell.explore(&budget());
        report(&cell, &exploration, false)?;
        match exploration.verdict {
            // Anything larger would fail too, with a larger counterexample.
            Verdict::Failed(_) => {
                if arguments.shrink {
                    let Shrunk { cell, exploration, smallest } = shrink(cell, exploration, &held, &budget());
                    report(&cell, &exploration, smallest)?;
                }
                break;
            }
            Verdict::Truncated { .. } => {}
            Verdict::Exhaustive | Verdict::Bounded { .. } | Verdict::Sampled => held.push(cell.size),
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn report(cell: &Cell, exploration: &Exploration, smallest: bool) -> io::Result<()> {
    let counterexample = Counterexample::new(cell, exploration, smallest);
    let report = ChildReport { cell: CellReport::new(cell, exploration), counterexample };
    print(&format!("{}\n", serde_json::to_string(&report)?))
}
