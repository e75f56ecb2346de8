//! `countersign check`: explores the cells that were asked for, each layout, scenario and engine in a process of its
//! own, and reports them.

use std::fs::File;
use std::io::{self, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::ValueEnum;
use countersign_models::engine::Budget;
use countersign_models::report::layouts::check::{CUT_SHORT, Shown, render};
use countersign_models::report::layouts::failures::{Extent, Failure};
use countersign_models::report::layouts::{junit, outcomes};
use countersign_models::scenario::Cell;
use countersign_models::study::check::{
    BudgetName, CellReport, ChildReport, Detail, Order, Report, executable, explore, pool,
};

use super::cell;
use crate::cli::output::{print, settle};
use crate::cli::progress::Progress;
use crate::cli::selection::Selection;

#[derive(Debug, Default, clap::Args)]
pub(crate) struct Arguments {
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
    /// Show every counterexample in full, not only the smallest, and all that was cut short
    #[arg(long)]
    all: bool,
    /// Begin nothing more once a claim has failed
    #[arg(long)]
    fail_fast: bool,
    /// Report each outcome too: how often it was seen, and whether it is required, allowed or forbidden
    #[arg(long)]
    outcomes: bool,
}

pub(crate) const EXIT_CODES: &str = "\
Exit code:
  0  all claims hold
  1  a claim failed, whatever else happened
  2  the command line is wrong, or the report cannot be written
  3  nothing failed, but something proved nothing: an exploration was cut short or had no execution,
     or one that is exhaustive never reached an outcome that must be seen";

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

pub(crate) fn run(arguments: &Arguments) -> io::Result<ExitCode> {
    let begun = Instant::now();
    // Before anything is explored: nobody wants to learn after an hour that the file cannot be written.
    let file = arguments.output.as_deref().map(ReportFile::open).transpose()?;
    let detail = Detail { shrink: true, outcomes: arguments.outcomes };
    let jobs = arguments.cells();
    let order =
        Order { at_once: arguments.jobs.map_or_else(pool::cores, NonZero::get), fail_fast: arguments.fail_fast };
    let executable = executable()?;
    let child = |job: &_| cell::command(&executable, job);
    let progress = Progress::new(&jobs);
    let mut first = First::new(arguments);
    let explored = explore(&jobs, &arguments.budget(), detail, order, child, |reports| {
        progress.add(reports);
        progress.suspend(|| first.show(reports));
    });
    progress.end();
    let (mut cells, mut counterexamples, mut seen) = (Vec::new(), Vec::new(), Vec::new());
    for report in explored {
        cells.push(report.cell);
        counterexamples.push(report.counterexample);
        seen.push(report.outcomes);
    }
    let report = Report { outcomes: arguments.outcomes.then_some(seen), ..Report::new(cells) };
    let elapsed = begun.elapsed();
    let table = |extent| {
        let shown = Shown { extent, above: first.shown.as_ref().filter(|_| extent == Extent::Screen) };
        let cut_short = if arguments.fail_fast && report.summary.failed > 0 { CUT_SHORT } else { "" };
        render(&report, &counterexamples, None, elapsed, shown) + cut_short + &outcomes::render(&report)
    };
    let extent = if arguments.all { Extent::All } else { Extent::Screen };
    let text = match arguments.format {
        // In a file there is room for all.
        Format::Table if file.is_some() => table(Extent::All),
        Format::Table => table(extent),
        Format::Json => format!("{}\n", serde_json::to_string(&report)?),
        Format::Junit => junit::render(&report, &counterexamples, elapsed).map_err(io::Error::other)?,
    };
    let written = match file {
        // The table is printed whether the file can be written or not.
        Some(file) => {
            let written = file.write(&text);
            print(&table(extent)).and(written)
        }
        None => print(&text),
    };
    settle(first.written.and(written), ExitCode::from(report.summary.exit_code()))
}

/// The first failure, which is printed as soon as it is found.
struct First {
    /// Whether there is a table for people on standard output.
    is_wanted: bool,
    is_done: bool,
    /// The failure, if all of its execution was printed.
    shown: Option<CellReport>,
    written: io::Result<()>,
}

impl First {
    fn new(arguments: &Arguments) -> Self {
        let is_table = arguments.format == Format::Table || arguments.output.is_some();
        Self { is_wanted: is_table && !arguments.all, is_done: false, shown: None, written: Ok(()) }
    }

    fn show(&mut self, reports: &[ChildReport]) {
        if !self.is_wanted || self.is_done {
            return;
        }
        if let Some(report) = reports.iter().find(|report| report.is_failure()) {
            let (text, is_whole) = Failure::from(report).at_once(true);
            self.written = print(&text);
            self.shown = is_whole.then(|| report.cell.clone());
            self.is_done = true;
        }
    }
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
