//! Runs many child processes, some at once.

use std::io;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use super::{cell, children};
use crate::battery::Detail;
use crate::cell::Cell;
use crate::engine::Budget;
use crate::pool;
use crate::report::{CellReport, ChildReport};

/// Explores each job, the cells of one layout, scenario and engine, in a child process, and returns their reports in
/// order, each with this detail. So many run at once, or one for each core.
pub(super) fn explore(
    jobs: &[Vec<Cell>],
    budget: &Budget,
    detail: Detail,
    at_once: Option<NonZero<usize>>,
) -> io::Result<Vec<ChildReport>> {
    let executable = executable()?;
    let progress = Progress::new(jobs.len());
    let samples = |cells: &Vec<Cell>| cells.first().is_none_or(|cell| cell.engine.samples());
    let work = |cells: &Vec<Cell>| explore_job(&executable, cells, budget, detail);
    let at_once = at_once.map_or_else(pool::cores, NonZero::get);
    let done = pool::run(jobs, at_once, samples, work, |reports| progress.add(reports));
    progress.end();
    Ok(done.into_iter().flatten().collect())
}

/// This program's own file, to run as a child.
pub(super) fn executable() -> io::Result<PathBuf> {
    std::env::current_exe()
        .map_err(|error| io::Error::other(format!("this program's own file, to run as a child, is unknown: {error}")))
}

fn explore_job(executable: &Path, cells: &[Cell], budget: &Budget, detail: Detail) -> Vec<ChildReport> {
    let Some(first) = cells.first() else { return Vec::new() };
    let mut command = Command::new(executable);
    command.args(cell::Arguments::command_line(first, budget, detail));
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

    fn add(&self, reports: &[ChildReport]) {
        let last = reports.last().map(|report| &report.cell);
        if let Some(CellReport { layout, scenario, engine, verdict, .. }) = last {
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
