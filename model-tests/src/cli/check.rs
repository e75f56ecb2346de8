//! `countersign check`: explores the cells that were asked for, each layout, scenario and engine in a process of its
//! own, and reports them.

use std::io;
use std::num::NonZero;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use super::selection::{Format, Selection};
use super::{jobs, print, table};
use crate::budget::BudgetName;
use crate::cell::Cell;
use crate::engine::Budget;
use crate::report::{ChildReport, Report};

#[derive(Debug, Default, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    selection: Selection,
    /// How much to explore; `list` shows the numbers
    #[arg(long, value_enum, default_value_t)]
    budget: BudgetName,
    /// Executions that an engine which enumerates may run in a cell, in place of the budget's
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    executions: Option<u64>,
    /// Executions that an engine which samples runs in a cell, in place of the budget's
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    samples: Option<u64>,
    /// Seconds for one layout, scenario and engine, in place of the budget's
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MAX_SECONDS))]
    seconds: Option<u64>,
    /// How many processes to run at once [default: one for each core]
    #[arg(long, value_name = "N")]
    jobs: Option<NonZero<usize>>,
    /// How to write the report
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// A month: longer than anybody waits, and far from where adding to a point in time overflows.
const MAX_SECONDS: u64 = 30 * 24 * 60 * 60;

pub(super) fn run(arguments: &Arguments) -> io::Result<ExitCode> {
    let begun = Instant::now();
    let explored = jobs::explore(&arguments.cells(), &arguments.budget(), true, arguments.jobs)?;
    let (cells, counterexamples): (Vec<_>, Vec<_>) =
        explored.into_iter().map(|ChildReport { cell, counterexample }| (cell, counterexample)).unzip();
    let report = Report::new(cells);
    match arguments.format {
        Format::Table => print(&table::render(&report, &counterexamples, None, begun.elapsed()))?,
        Format::Json => print(&format!("{}\n", serde_json::to_string(&report)?))?,
    }
    Ok(ExitCode::from(report.summary.exit_code()))
}

impl Arguments {
    /// The cells that were asked for, in the order of the catalog, those of one child process together.
    fn cells(&self) -> Vec<Vec<Cell>> {
        let (pairs, engines) = (self.selection.pairs(), self.selection.engines());
        let with_each = |(layout, scenario)| engines.iter().map(move |engine| Cell::all(layout, scenario, *engine));
        pairs.iter().map(|(layout, scenario)| (layout, scenario)).flat_map(with_each).collect()
    }

    fn budget(&self) -> Budget {
        let Budget { executions, samples, time } = self.budget.numbers();
        Budget {
            executions: self.executions.unwrap_or(executions),
            samples: self.samples.unwrap_or(samples),
            time: self.seconds.map_or(time, Duration::from_secs),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_replace_numbers_of_the_budget() {
        let quick = BudgetName::Quick.numbers();
        assert_eq!(Arguments::default().budget(), quick);
        let arguments = Arguments { executions: Some(1), seconds: Some(3), ..Arguments::default() };
        assert_eq!(arguments.budget(), Budget { executions: 1, time: Duration::from_secs(3), ..quick });
        let arguments = Arguments { samples: Some(2), ..Arguments::default() };
        assert_eq!(arguments.budget(), Budget { samples: 2, ..quick });
    }
}
