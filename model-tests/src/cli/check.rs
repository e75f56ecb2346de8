//! `countersign check`: explores the cells that were asked for, each layout, scenario and engine in a process of its
//! own, and reports them.

use std::fs::File;
use std::io::{self, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::ValueEnum;

use super::selection::Selection;
use super::{jobs, junit, outcomes, print, settle, table};
use crate::battery::Detail;
use crate::budget::BudgetName;
use crate::cell::Cell;
use crate::engine::Budget;
use crate::report::Report;

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
    /// Write the report to this file, and the table to standard output
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Report each outcome too: how often it was seen, and whether it is required, allowed or forbidden
    #[arg(long)]
    outcomes: bool,
}

/// How `check` writes its report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    #[default]
    Table,
    /// For programs
    Json,
    /// JUnit XML, for servers that show tests: a test case for each cell
    Junit,
}

/// A month: longer than anybody waits, and far from where adding to a point in time overflows.
const MAX_SECONDS: u64 = 30 * 24 * 60 * 60;

pub(super) fn run(arguments: &Arguments) -> io::Result<ExitCode> {
    let begun = Instant::now();
    // Before anything is explored: nobody wants to learn after an hour that the file cannot be written.
    let file = arguments.output.as_deref().map(ReportFile::open).transpose()?;
    let detail = Detail { shrink: true, outcomes: arguments.outcomes };
    let explored = jobs::explore(&arguments.cells(), &arguments.budget(), detail, arguments.jobs)?;
    let (mut cells, mut counterexamples, mut outcomes) = (Vec::new(), Vec::new(), Vec::new());
    for report in explored {
        cells.push(report.cell);
        counterexamples.push(report.counterexample);
        outcomes.push(report.outcomes);
    }
    let report = Report { outcomes: arguments.outcomes.then_some(outcomes), ..Report::new(cells) };
    let elapsed = begun.elapsed();
    let table = || table::render(&report, &counterexamples, None, elapsed) + &outcomes::render(&report);
    let text = match arguments.format {
        Format::Table => table(),
        Format::Json => format!("{}\n", serde_json::to_string(&report)?),
        Format::Junit => junit::render(&report, &counterexamples, elapsed).map_err(io::Error::other)?,
    };
    let written = match file {
        // The table is printed whether the file can be written or not.
        Some(file) => {
            let written = file.write(&text);
            print(&table()).and(written)
        }
        None => print(&text),
    };
    settle(written, ExitCode::from(report.summary.exit_code()))
}

/// A file for the report.
struct ReportFile<'a> {
    file: File,
    path: &'a Path,
}

impl<'a> ReportFile<'a> {
    fn open(path: &'a Path) -> io::Result<Self> {
        // What it holds is kept until there is something to put in its place.
        let file = File::options().write(true).create(true).truncate(false).open(path);
        Ok(Self { file: file.map_err(|error| Self::error(path, &error))?, path })
    }

    /// Writes the text, without the colours that it may have for a terminal.
    fn write(mut self, text: &str) -> io::Result<()> {
        let text = console::strip_ansi_codes(text);
        // A pipe or a terminal has no length.
        let is_file = self.file.metadata().is_ok_and(|metadata| metadata.is_file());
        let emptied = if is_file { self.file.set_len(0) } else { Ok(()) };
        emptied.and_then(|()| self.file.write_all(text.as_bytes())).map_err(|error| Self::error(self.path, &error))
    }

    fn error(path: &Path, error: &io::Error) -> io::Error {
        io::Error::other(format!("the report cannot be written to `{}`: {error}", path.display()))
    }
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
