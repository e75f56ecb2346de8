//! `countersign check`: explores the cells that were asked for, each layout, scenario and engine in a process of its
//! own, and reports them.

use std::collections::VecDeque;
use std::io;
use std::num::NonZero;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::selection::{Format, Selection};
use super::{cell, children, print, table};
use crate::budget::BudgetName;
use crate::cell::Cell;
use crate::engine::Budget;
use crate::report::{CellReport, Report};

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
    let executable = children::this_program()?;
    let jobs = arguments.cells();
    let report = Report::new(explore(&executable, &jobs, &arguments.budget(), arguments.jobs()));
    match arguments.format {
        Format::Table => print(&table::render(&report, begun.elapsed()))?,
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

    fn jobs(&self) -> usize {
        self.jobs.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZero::get)
    }
}

/// Explores each job in a child process, `at_once` at a time, and returns their reports in order.
fn explore(executable: &Path, jobs: &[Vec<Cell>], budget: &Budget, at_once: usize) -> Vec<CellReport> {
    let progress = Progress::new(jobs.len());
    let mut done: Vec<_> = jobs.iter().map(|_| Vec::new()).collect();
    let mut waiting: VecDeque<_> = jobs.iter().enumerate().collect();
    // The long ones first, so that at the end no single one is waited for.
    waiting.make_contiguous().sort_by_key(|(_, cells)| cells.first().is_none_or(|cell| cell.engine.samples()));
    let waiting = Mutex::new(waiting);
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..at_once.min(jobs.len()) {
            let (sender, waiting) = (sender.clone(), &waiting);
            scope.spawn(move || {
                let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
                while let Some((index, cells)) = next() {
                    let reports = explore_job(executable, cells, budget);
                    if sender.send((index, reports)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        for (index, reports) in receiver {
            progress.add(&reports);
            done[index] = reports;
        }
    });
    progress.end();
    done.into_iter().flatten().collect()
}

fn explore_job(executable: &Path, cells: &[Cell], budget: &Budget) -> Vec<CellReport> {
    let Some(first) = cells.first() else { return Vec::new() };
    let mut command = Command::new(executable);
    command.args(cell::Arguments::command_line(first, budget));
    children::explore(&mut command, cells, budget.time + children::GRACE)
}

/// The line of progress on standard error, if that is a terminal.
struct Progress(ProgressBar);

impl Progress {
    fn new(jobs: usize) -> Self {
        let bar = ProgressBar::new(jobs as u64);
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} {elapsed} {wide_msg}") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_secs(1));
        Self(bar)
    }

    fn add(&self, reports: &[CellReport]) {
        if let Some(CellReport { layout, scenario, engine, verdict, .. }) = reports.last() {
            let message = format!("{layout} / {scenario} on {engine}: {verdict}");
            if verdict == "failed" || verdict == "truncated" {
                self.0.println(&message);
            }
            self.0.set_message(message);
        }
        self.0.inc(1);
    }

    fn end(&self) {
        self.0.finish_and_clear();
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
