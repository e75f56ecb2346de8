//! Explores cells in child processes, several at once.

use std::io;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::children;
use super::order::{Order, explore_in_order};
use super::report::{ChildReport, SizeReport};
use super::sizes::Detail;
use crate::engine::{Budget, EngineName};
use crate::scenario::{self, Cell};
use crate::subject::layouts;

/// What one child process explores: cells of one layout, scenario and engine, smallest first. It is handed over as JSON.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Job {
    layout: String,
    scenario: String,
    engine: String,
    sizes: Vec<SizeReport>,
    executions: u64,
    samples: u64,
    millis: u64,
    /// What is wanted of each exploration.
    pub detail: Detail,
}

impl Job {
    /// The job of exploring these cells, which differ in their size only. `None` if there are none.
    pub fn new(cells: &[Cell], budget: &Budget, detail: Detail) -> Option<Self> {
        let first = cells.first()?;
        Some(Self {
            layout: first.layout.name.to_owned(),
            scenario: first.scenario.name.to_owned(),
            engine: first.engine.as_str().to_owned(),
            sizes: cells.iter().map(|cell| cell.size.into()).collect(),
            executions: budget.executions,
            samples: budget.samples,
            millis: u64::try_from(budget.time.as_millis()).unwrap_or(u64::MAX),
            detail,
        })
    }

    /// The cells.
    ///
    /// # Errors
    ///
    /// If there is no such layout, scenario or engine: the message names it.
    pub fn cells(&self) -> Result<Vec<Cell>, String> {
        let (layout, scenario) = (layouts::find(&self.layout)?, scenario::find(&self.scenario)?);
        let engine: EngineName = self.engine.parse()?;
        let cell = |size: &SizeReport| Cell { layout: layout.clone(), scenario, engine, size: (*size).into() };
        Ok(self.sizes.iter().map(cell).collect())
    }

    /// How much may be explored, in all cells together.
    pub fn budget(&self) -> Budget {
        let Self { executions, samples, millis, .. } = *self;
        Budget { executions, samples, time: Duration::from_millis(millis) }
    }
}

/// Explores each job, the cells of one layout, scenario and engine, in child processes, and returns their reports in order,
/// each with this detail. `child` is the command that explores a [`Job`] and prints a line of JSON for each cell; `done` is
/// shown what a child found as soon as it has ended.
pub fn explore(
    jobs: &[Vec<Cell>],
    budget: &Budget,
    detail: Detail,
    order: Order,
    child: impl Fn(&Job) -> Command + Sync,
    done: impl FnMut(&[ChildReport]),
) -> Vec<ChildReport> {
    let work = |cells: &[Cell], spent| {
        let budget = Budget { time: budget.time.saturating_sub(spent), ..*budget };
        let Some(job) = Job::new(cells, &budget, detail) else { return Vec::new() };
        children::explore(&mut child(&job), cells, budget.time + children::GRACE)
    };
    explore_in_order(jobs, order, work, done)
}

/// This program's own file, to run as a child.
///
/// # Errors
///
/// If the operating system does not say.
pub fn executable() -> io::Result<PathBuf> {
    std::env::current_exe()
        .map_err(|error| io::Error::other(format!("this program's own file, to run as a child, is unknown: {error}")))
}
