//! One named test for each cell of some engines, explored in this process, and one for each mutant that they must
//! catch.
//!
//! A test binary is for one engine's library only: in one process, loom and shuttle disturb each other.

use std::process::ExitCode;
use std::time::Duration;

use countersign_models::engine::Budget;
use countersign_models::engine::EngineName;
use countersign_models::scenario::Cell;
use countersign_models::scenario::scenarios;
use countersign_models::study::check::BudgetName;
use countersign_models::study::kill_matrix;
use countersign_models::subject::misjudged::misjudged;
use countersign_models::subject::mutant::catalog::{MutantEntry, mutant_entries, mutants};
use countersign_models::subject::{LayoutEntry, layouts};
use countersign_models::verdict::Verdict;
use libtest_mimic::{Arguments, Failed, Trial};

/// Runs the tests of these engines.
pub(crate) fn run(engines: &[EngineName]) -> ExitCode {
    let broken = mutant_entries();
    let is_mutant = |layout: &LayoutEntry| broken.iter().any(|mutant| mutant.layout.name == layout.name);
    // What can be chosen beside the mutants is of their making, but correct.
    let correct = mutants().into_iter().filter(|layout| !is_mutant(layout));
    let layouts: Vec<_> = layouts::layouts().into_iter().chain(correct).collect();
    let scenarios = scenarios();

    let mut trials = Vec::new();
    for &engine in engines {
        // loom misjudges them, which is what they are for: the tests of the audit show that.
        let misjudged = if engine == EngineName::Loom { Vec::new() } else { misjudged() };
        for layout in layouts.iter().chain(&misjudged) {
            for scenario in &scenarios {
                trials.extend(Cell::all(layout, scenario, engine).into_iter().map(holds));
            }
        }
        let caught = broken.iter().filter(|mutant| mutant.caught_by.contains(&engine));
        trials.extend(caught.map(|mutant| is_caught(mutant.clone(), engine)));
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// How long a test takes is for the test runner to limit.
fn budget() -> Budget {
    Budget { time: Duration::from_secs(60 * 60), ..BudgetName::Quick.numbers() }
}

/// The test that the claims hold in a cell.
fn holds(cell: Cell) -> Trial {
    Trial::test(cell.to_string(), move || {
        let exploration = cell.explore(&budget());
        match exploration.verdict {
            Verdict::Exhaustive | Verdict::Bounded { .. } | Verdict::Sampled => Ok(()),
            verdict @ (Verdict::Truncated { .. } | Verdict::Failed(_)) => {
                Err(Failed::from(format!("{}: {}", verdict.name(), verdict.why().unwrap_or_default())))
            }
        }
    })
}

/// The test that an engine finds a mutant out in its scenario.
fn is_caught(mutant: MutantEntry, engine: EngineName) -> Trial {
    Trial::test(format!("{}::is_caught_by::{engine}", mutant.layout.name), move || {
        let mut cells = kill_matrix::cells(&mutant, engine).into_iter();
        // A rare interleaving is to be met.
        let budget = Budget { samples: 2_000, ..budget() };
        let failure = cells.find_map(|cell| match cell.explore(&budget).verdict {
            Verdict::Failed(violation) => Some(violation),
            _ => None,
        });
        match failure {
            Some(violation) if mutant.is_killed_by(violation.claim) => Ok(()),
            Some(violation) => Err(Failed::from(format!("it fails for another reason, {violation}"))),
            None => Err(Failed::from("every claim held in every cell")),
        }
    })
}
