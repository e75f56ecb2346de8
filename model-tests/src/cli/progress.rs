//! The line of progress on standard error, if that is a terminal.

use std::time::Duration;

use countersign_models::scenario::Cell;
use countersign_models::study::check::{CellReport, ChildReport};
use indicatif::{ProgressBar, ProgressStyle};

/// The line of progress.
pub(crate) struct Progress(ProgressBar);

impl Progress {
    /// Of all cells of these jobs.
    pub(crate) fn new(jobs: &[Vec<Cell>]) -> Self {
        let bar = ProgressBar::new(jobs.iter().map(Vec::len).sum::<usize>() as u64);
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} {elapsed} {wide_msg}") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_secs(1));
        Self(bar)
    }

    /// These cells were explored.
    pub(crate) fn add(&self, reports: &[ChildReport]) {
        let last = reports.last().map(|report| &report.cell);
        if let Some(CellReport { layout, scenario, engine, verdict, .. }) = last {
            let message = format!("{layout} / {scenario} on {engine}: {verdict}");
            if verdict == "failed" || verdict == "truncated" {
                self.0.println(&message);
            }
            self.0.set_message(message);
        }
        self.0.inc(reports.len() as u64);
    }

    /// Prints while the line is hidden.
    pub(crate) fn suspend<R>(&self, print: impl FnOnce() -> R) -> R {
        self.0.suspend(print)
    }

    /// Takes the line away.
    pub(crate) fn end(&self) {
        self.0.finish_and_clear();
    }
}
