//! A layout of one's own, verified by one call: every scenario, on every engine.
//!
//! ```no_run
//! use countersign::Sharded;
//! use countersign_models::{Verification, verify};
//!
//! # #[cfg(test)]
//! #[test]
//! fn my_layout_keeps_its_contract() -> Verification {
//!     verify::<Sharded<1, 2>>()
//! }
//!
//! fn main() -> Verification {
//!     verify::<Sharded<1, 2>>()
//! }
//! ```
//!
//! A [`Verification`] is a [`Termination`](std::process::Termination), so that is all: a test fails, and a program exits with the codes of
//! `countersign check`, unless all claims hold; the table is printed either way.
//!
//! # Sizes
//!
//! Exhaustive engines go through every execution there is, so verify a *small* instance of a layout that is generic
//! over its size: one class, and one or two of whatever else it has. What is not generic is verified as it is: a
//! scenario then uses the first classes only. Sizes with more classes than any instance has are left out, and
//! the table says so; [`Verify::or`] adds an instance for them.
//!
//! # One process
//!
//! The command line gives each layout, scenario and engine a process of its own. A call has only the process it is
//! called in, so every exploration has OS threads of its own, on which panics are silent, and shuttle's panic hook is
//! taken out again: verdicts and output are then those of separate processes. What separate processes have over it: a
//! layout that aborts, or overflows the stack, takes the caller with it; one that never comes to an end on
//! real threads is reported as truncated, but its threads stay behind until the process ends.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use countersign::Layout;

use super::budget::BudgetName;
use super::order::{Order, explore_in_order};
use super::pool;
use super::report::{CellReport, ChildReport, Report};
use super::sizes::{Detail, add, explore_in_turn};
use crate::engine::{self, Budget, EngineName};
use crate::failure::Counterexample;
use crate::scenario::{self, Cell, Forms, ScenarioEntry};
use crate::subject::LayoutEntry;

/// What to verify, where [`verify`](crate::verify()) is not enough.
///
/// ```
/// use countersign::Sharded;
/// use countersign_models::Verify;
/// use countersign_models::engine::EngineName;
///
/// Verify::new::<Sharded<1, 2>>().or::<Sharded<2, 2>>().scenario("claim_race").engine(EngineName::Graph).run().assert_holds();
/// ```
#[derive(Clone, Debug)]
#[must_use = "nothing is verified before `run`"]
pub struct Verify {
    layout: LayoutEntry,
    scenarios: Vec<Result<Forms, String>>,
    engines: Vec<EngineName>,
    budget: Budget,
    fail_fast: bool,
}

/// What a verification found.
///
/// Displays as the table of `countersign check`.
#[derive(Clone, Debug)]
#[must_use = "a verification that nobody looks at may have failed"]
pub struct Verification {
    /// The layout.
    pub layout: LayoutEntry,
    /// The cells that were explored, one by one.
    pub report: Report,
    /// For each of them, how it failed, if it did.
    pub counterexamples: Vec<Option<Counterexample>>,
    /// The cells that were not explored because no instance of the layout is of their size.
    pub left_out: Vec<Cell>,
    /// The failure that was printed as soon as it was found, if all of it was.
    pub printed: Option<CellReport>,
    /// Whether nothing was begun any more after the first failure.
    pub cut_short: bool,
    /// What is wrong with the names of scenarios that were asked for.
    pub errors: Vec<String>,
    /// How long it took.
    pub elapsed: Duration,
}

/// How much longer than its budget an exploration may take before nobody waits for it any more.
const GRACE: Duration = Duration::from_secs(5);

impl Verify {
    /// `L`, under the name of its type.
    pub fn new<L: Layout>() -> Self {
        Self::entry(LayoutEntry::new::<L>(short_name::<L>()))
    }

    /// A layout of which the number of slots matters to scenarios, in the instances of this entry.
    pub fn entry(layout: LayoutEntry) -> Self {
        let budget = BudgetName::Quick.numbers();
        Self { layout, scenarios: Vec::new(), engines: Vec::new(), budget, fail_fast: false }
    }

    /// The same layout with another number of classes.
    pub fn or<L: Layout>(self) -> Self {
        Self { layout: self.layout.or::<L>(), ..self }
    }

    /// Only the scenario of this name and its forms; repeatable. `countersign list` names them.
    pub fn scenario(mut self, name: &str) -> Self {
        self.scenarios.push(scenario::forms(name));
        self
    }

    /// Only this engine; repeatable.
    pub fn engine(mut self, engine: EngineName) -> Self {
        self.engines.push(engine);
        self
    }

    /// How much to explore in each scenario on each engine, in place of the quick budget.
    pub fn budget(self, budget: Budget) -> Self {
        Self { budget, ..self }
    }

    /// Begins no further exploration once a claim has failed.
    pub fn fail_fast(self) -> Self {
        Self { fail_fast: true, ..self }
    }

    /// Verifies it, on all cores. The smallest size of every scenario on the graph engine comes first; `done` is shown each
    /// report as soon as it is there.
    pub fn explore(self, mut done: impl FnMut(&ChildReport)) -> Verification {
        engine::install_hooks();
        let begun = Instant::now();
        let (scenarios, errors) = self.scenarios();
        let is_asked = |engine: &EngineName| self.engines.is_empty() || self.engines.contains(engine);
        let engines: Vec<_> = EngineName::ALL.into_iter().filter(is_asked).collect();
        let mut left_out = Vec::new();
        let mut jobs = Vec::new();
        for scenario in &scenarios {
            for engine in &engines {
                let cells = Cell::all(&self.layout, scenario, *engine);
                let (possible, impossible) = cells.into_iter().partition::<Vec<_>, _>(|cell| cell.lacks().is_none());
                left_out.extend(impossible);
                jobs.push(possible);
            }
        }
        let order = Order { at_once: pool::cores(), fail_fast: self.fail_fast };
        let work = |cells: &[Cell], spent| {
            explore(cells, Budget { time: self.budget.time.saturating_sub(spent), ..self.budget })
        };
        let reports = explore_in_order(&jobs, order, work, |reports| reports.iter().for_each(&mut done));
        let of_child = |ChildReport { cell, counterexample, .. }| (cell, counterexample);
        let (cells, counterexamples): (Vec<_>, Vec<_>) = reports.into_iter().map(of_child).unzip();
        let cut_short = self.fail_fast && cells.iter().any(|cell| cell.verdict == "failed");
        Verification {
            layout: self.layout,
            printed: None,
            cut_short,
            report: Report::new(cells),
            counterexamples,
            left_out,
            errors,
            elapsed: begun.elapsed(),
        }
    }

    /// The scenarios that were asked for, in the order of the catalog, and what is wrong with the names of others.
    fn scenarios(&self) -> (Vec<ScenarioEntry>, Vec<String>) {
        let errors = self.scenarios.iter().filter_map(|asked| asked.as_ref().err().cloned()).collect();
        let asked: Vec<_> =
            self.scenarios.iter().flatten().flat_map(|Forms(forms)| forms).map(|form| form.name).collect();
        let is_asked = |scenario: &ScenarioEntry| self.scenarios.is_empty() || asked.contains(&scenario.name);
        (scenario::scenarios().into_iter().filter(is_asked).collect(), errors)
    }
}

impl Verification {
    /// Whether all claims hold, as far as was explored, and nothing proved nothing.
    pub fn holds(&self) -> bool {
        self.exit_code() == 0
    }

    /// That of `countersign check`.
    pub fn exit_code(&self) -> u8 {
        match self.report.summary.exit_code() {
            0 if !self.errors.is_empty() => 3,
            code => code,
        }
    }
}

/// Explores cells that differ in their size only. Cells whose exploration does not come to its end in time are
/// truncated, and left behind.
fn explore(cells: &[Cell], budget: Budget) -> Vec<ChildReport> {
    let deadline = Instant::now() + budget.time + GRACE;
    let (sender, receiver) = mpsc::channel();
    let in_turn = cells.to_vec();
    thread::spawn(move || {
        for report in explore_in_turn(in_turn, budget, Detail { shrink: true, outcomes: false }) {
            // Nobody listens any more if this came too late.
            let _ = sender.send(report);
        }
    });
    let mut reports: Vec<ChildReport> = Vec::new();
    let why = loop {
        match receiver.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(report) => add(&mut reports, report),
            Err(RecvTimeoutError::Disconnected) => break "its exploration died".to_owned(),
            Err(RecvTimeoutError::Timeout) => {
                let seconds = (budget.time + GRACE).as_secs_f32();
                break format!("it was still running after {seconds} s and was left behind");
            }
        }
    };
    if !reports.last().is_some_and(ChildReport::is_failure) {
        let missing = &cells[reports.len()..];
        reports.extend(missing.iter().map(|cell| ChildReport::truncated(cell, why.clone())));
    }
    reports
}

/// The name of a type without its path and its parameters.
pub fn short_name<T>() -> &'static str {
    let name = std::any::type_name::<T>();
    let name = name.split_once('<').map_or(name, |(name, _)| name);
    name.rsplit_once("::").map_or(name, |(_, name)| name)
}
