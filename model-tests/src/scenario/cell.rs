//! A cell of the table: one layout, scenario, engine and size.

use std::fmt;
use std::sync::Arc;

use super::catalog::ScenarioEntry;
use super::interface::{Memory, Required, Size};
use crate::engine::wrap::rewriting;
use crate::engine::{self, Budget, EngineName, Program, Replay, ReplayError};
use crate::subject::{self, LayoutEntry};
use crate::verdict::{Exploration, Verdict};

/// One layout, scenario, engine and size.
#[derive(Clone, Debug)]
pub struct Cell {
    /// The layout.
    pub layout: LayoutEntry,
    /// The scenario.
    pub scenario: ScenarioEntry,
    /// The engine.
    pub engine: EngineName,
    /// The size.
    pub size: Size,
}

impl Cell {
    /// The cells of a layout, a scenario and an engine, smallest first.
    pub fn all(layout: &LayoutEntry, scenario: &ScenarioEntry, engine: EngineName) -> Vec<Self> {
        let cell = |size| Self { layout: layout.clone(), scenario: *scenario, engine, size };
        (scenario.sizes)(engine).into_iter().map(cell).collect()
    }

    /// The program that the engine explores.
    ///
    /// # Panics
    ///
    /// If the layout has no instance of this size: the catalog lacks one.
    pub fn program(&self) -> Program {
        let Self { layout, scenario, engine, size } = self.clone();
        let make = layout
            .make(size.classes, size.slots)
            .unwrap_or_else(|| panic!("`{}` has no instance for {size:?}", layout.name));
        let (make, run) = (make.get(engine), scenario.run.get(engine));
        // Real threads have OS threads of their own, which no rewriting would reach.
        let rewriting = layout.rewriting().filter(|_| engine != EngineName::Std);
        Arc::new(move || {
            rewriting::begin(rewriting.as_ref());
            run(subject::with_classes(make(), size.classes), size)
        })
    }

    /// Explores the cell, and judges the exploration: one without any execution, or one that calls itself exhaustive
    /// and never reached an outcome that it must reach, is truncated, whatever the engine says.
    pub fn explore(&self, budget: &Budget) -> Exploration {
        let mut exploration = engine::explore(self.engine, self.program(), budget);
        if let Some(why) = self.doubt(&exploration) {
            exploration.verdict = Verdict::Truncated { why };
        }
        exploration
    }

    /// Repeats the execution that an exploration of the cell gave this schedule.
    pub fn replay(&self, schedule: &str) -> Result<Replay, ReplayError> {
        engine::replay(self.engine, self.program(), schedule)
    }

    /// What the layout lacks for this size, in words; `None` if it has an instance.
    pub fn lacks(&self) -> Option<String> {
        self.layout.lacks(self.size.classes, self.size.slots)
    }

    /// The outcomes that the engine must reach if it calls itself exhaustive.
    pub fn required(&self) -> Vec<Required> {
        let mut required = (self.scenario.required)(self.size);
        required.retain(|required| required.under == Memory::SequentiallyConsistent || self.engine.sees_weak_memory());
        required
    }

    /// Why a verdict that sounds like a success is none.
    fn doubt(&self, exploration: &Exploration) -> Option<String> {
        if matches!(exploration.verdict, Verdict::Failed(_) | Verdict::Truncated { .. }) {
            return None;
        }
        if exploration.executions == 0 {
            return Some("no execution was run".to_owned());
        }
        if exploration.verdict != Verdict::Exhaustive {
            return None;
        }
        let missing: Vec<_> = self
            .required()
            .into_iter()
            .filter(|required| !exploration.outcomes.keys().any(required.is_met_by))
            .map(|required| required.what)
            .collect();
        (!missing.is_empty()).then(|| format!("an outcome that must be seen was not: {}", missing.join("; ")))
    }
}

/// The name of the cell as a test: `slots::claim_race::loom::2x1x0x1x2`, with the size's threads, events, snapshots,
/// classes and slots.
impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { layout, scenario, engine, size } = self;
        let Size { threads, events, snapshots, classes, slots } = size;
        write!(f, "{}::{}::{engine}::{threads}x{events}x{snapshots}x{classes}x{slots}", layout.name, scenario.name)
    }
}
