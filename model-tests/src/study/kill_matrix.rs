//! The kill matrix: each mutant on each engine; and, so that a kill means something, every correct layout in every scenario,
//! which no engine may kill.

use serde::Serialize;

use super::check::{CellReport, ChildReport};
use crate::engine::EngineName;
use crate::scenario::{self, Cell, ScenarioEntry, scenarios};
use crate::subject::LayoutEntry;
use crate::subject::layouts::layouts;
use crate::subject::mutant::catalog::{MutantEntry, mutant_entries, mutants};

/// The matrix.
#[derive(Debug)]
pub struct KillMatrix {
    /// A row for each mutant.
    pub rows: Vec<Row>,
    /// What became of the correct layouts.
    pub of_correct: Vec<CellReport>,
}

/// A mutant's row of the matrix.
#[derive(Debug, Serialize)]
pub struct Row {
    /// Its name.
    pub mutant: &'static str,
    /// The real bug that it restates.
    pub source: &'static str,
    /// The claim that it breaks.
    pub claim: &'static str,
    /// The engines that kill it.
    pub killed_by: Vec<Kill>,
    /// The engines that it survives.
    pub survived: Vec<&'static str>,
    /// What is to become of it.
    #[serde(skip)]
    pub entry: MutantEntry,
}

/// A kill.
#[derive(Debug, Serialize)]
pub struct Kill {
    /// The engine.
    pub engine: &'static str,
    /// The scenario.
    pub scenario: &'static str,
    /// In which execution, counted from the first.
    pub executions: u64,
    /// After how many milliseconds.
    pub millis: u64,
}

/// The cells of the mutants, each mutant in the scenario that shows it, on every engine that runs it.
pub fn cells_of_mutants() -> Vec<Vec<Cell>> {
    let on_each = |mutant: MutantEntry| {
        let engines = EngineName::ALL.into_iter().filter(|engine| mutant.is_run_on(*engine));
        engines.map(|engine| cells(&mutant, engine)).collect::<Vec<_>>()
    };
    mutant_entries().into_iter().flat_map(on_each).collect()
}

/// The cells of the correct layouts, in every scenario on every engine.
pub fn cells_of_correct_layouts() -> Vec<Vec<Cell>> {
    let in_each = |layout: LayoutEntry| {
        let on_each = |scenario| EngineName::ALL.map(|engine| Cell::all(&layout, &scenario, engine));
        scenarios().into_iter().flat_map(on_each).collect::<Vec<_>>()
    };
    correct_layouts().into_iter().flat_map(in_each).collect()
}

/// The cells in which an engine may catch a mutant: those of its scenario, smallest first.
pub fn cells(mutant: &MutantEntry, engine: EngineName) -> Vec<Cell> {
    scenario_of(mutant).map_or_else(Vec::new, |scenario| Cell::all(&mutant.layout, &scenario, engine))
}

/// The scenario that shows a mutant.
pub fn scenario_of(mutant: &MutantEntry) -> Option<ScenarioEntry> {
    scenario::find(mutant.scenario).ok()
}

impl KillMatrix {
    /// The matrix that these reports make, of [`cells_of_mutants`] and of [`cells_of_correct_layouts`].
    pub fn new(reports: &[ChildReport]) -> Self {
        let correct = correct_layouts();
        let is_correct = |report: &&CellReport| correct.iter().any(|layout| layout.name == report.layout);
        Self {
            rows: mutant_entries().into_iter().map(|mutant| row(mutant, reports)).collect(),
            of_correct: reports.iter().map(|report| &report.cell).filter(is_correct).cloned().collect(),
        }
    }

    /// 0 if every mutant is killed by every engine that must kill it and no correct layout is, 1 if not, and 3 if an
    /// exploration of a correct layout proved nothing.
    pub fn exit_code(&self) -> u8 {
        let survives = self.rows.iter().any(|row| !row.is_killed());
        let verdicts = |verdict: &str| self.of_correct.iter().any(|report| report.verdict == verdict);
        if survives || verdicts("failed") { 1 } else { 3 * u8::from(verdicts("truncated")) }
    }
}

/// The core's layouts, and those of the mutants' making that have no fault.
fn correct_layouts() -> Vec<LayoutEntry> {
    let broken = mutant_entries();
    let is_broken = |layout: &LayoutEntry| broken.iter().any(|mutant| mutant.layout.name == layout.name);
    layouts().into_iter().chain(mutants().into_iter().filter(|layout| !is_broken(layout))).collect()
}

fn row(entry: MutantEntry, reports: &[ChildReport]) -> Row {
    let (mut killed_by, mut survived) = (Vec::new(), Vec::new());
    for engine in EngineName::ALL.map(EngineName::as_str) {
        let is_kill = |ChildReport { cell, claim, .. }: &&ChildReport| {
            let is_it = cell.layout == entry.layout.name && cell.engine == engine;
            is_it && claim.is_some_and(|claim| entry.is_killed_by(claim))
        };
        match reports.iter().find(is_kill) {
            Some(ChildReport { cell, .. }) => killed_by.push(Kill {
                engine,
                scenario: entry.scenario,
                executions: cell.executions,
                millis: cell.millis,
            }),
            None => survived.push(engine),
        }
    }
    Row {
        mutant: entry.layout.name.trim_start_matches("mutant:"),
        source: entry.source,
        claim: entry.claim.as_str(),
        killed_by,
        survived,
        entry,
    }
}

impl Row {
    /// Whether somebody killed the mutant, and everybody who must.
    pub fn is_killed(&self) -> bool {
        let killed = |engine: &&EngineName| self.killed_by.iter().any(|kill| kill.engine == engine.as_str());
        !self.killed_by.is_empty() && self.entry.caught_by.iter().all(|engine| killed(&engine))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_engine_that_must_catch_a_mutant_has_cells_for_it() {
        for mutant in mutant_entries() {
            let MutantEntry { layout, scenario, caught_by, not_by, .. } = &mutant;
            assert!(!caught_by.is_empty(), "nobody must catch {}", layout.name);
            for engine in *caught_by {
                assert!(!cells(&mutant, *engine).is_empty(), "{}: no cell of {scenario} on {engine}", layout.name);
                assert!(
                    not_by.iter().all(|(other, _)| other != engine),
                    "{}: {engine} both must and cannot",
                    layout.name
                );
            }
        }
    }

    #[test]
    fn every_scenario_finds_an_instance_of_every_layout() {
        for layout in layouts().into_iter().chain(mutants()) {
            for scenario in scenarios() {
                for size in EngineName::ALL.into_iter().flat_map(scenario.sizes) {
                    assert!(
                        layout.make(size.classes, size.slots).is_some(),
                        "{} has no instance for {} {size:?}",
                        layout.name,
                        scenario.name
                    );
                }
            }
        }
    }
}
