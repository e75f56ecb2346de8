//! Runs many child processes, some at once.

use std::collections::VecDeque;
use std::io;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use super::{cell, children};
use crate::cell::Cell;
use crate::engine::Budget;
use crate::report::{CellReport, ChildReport};

/// Explores each job, the cells of one layout, scenario and engine, in a child process, and returns their reports in
/// order. So many run at once, or one for each core. A failure is made as small as it gets if `shrink` says so.
pub(super) fn explore(
    jobs: &[Vec<Cell>],
    budget: &Budget,
    shrink: bool,
    at_once: Option<NonZero<usize>>,
) -> io::Result<Vec<ChildReport>> {
    let executable = executable()?;
    let at_once = at_once.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZero::get);
    let progress = Progress::new(jobs.len());
    let mut done: Vec<_> = jobs.iter().map(|_| Vec::new()).collect();
    let mut waiting: VecDeque<_> = jobs.iter().enumerate().collect();
    // The long ones first, so that at the end no single one is waited for.
    waiting.make_contiguous().sort_by_key(|(_, cells)| cells.first().is_none_or(|cell| cell.engine.samples()));
    let waiting = Mutex::new(waiting);
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..at_once.min(jobs.len()) {
            let (sender, waiting, executable) = (sender.clone(), &waiting, &executable);
            scope.spawn(move || {
                let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
                while let Some((index, cells)) = next() {
                    let reports = explore_job(executable, cells, budget, shrink);
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
    Ok(done.into_iter().flatten().collect())
}

/// This program's own file, to run as a child.
pub(super) fn executable() -> io::Result<PathBuf> {
    std::env::current_exe()
        .map_err(|error| io::Error::other(format!("this program's own file, to run as a child, is unknown: {error}")))
}

fn explore_job(executable: &Path, cells: &[Cell], budget: &Budget, shrink: bool) -> Vec<ChildReport> {
    let Some(first) = cells.first() else { return Vec::new() };
    let mut command = Command::new(executable);
    command.args(cell::Arguments::command_line(first, budget, shrink));
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
