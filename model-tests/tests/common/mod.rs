//! One named test for each cell of some engines, explored in this process, and one for each mutant that they must
//! catch.
//!
//! A test binary is for one engine's library only: in one process, loom and shuttle disturb each other.

use std::process::ExitCode;
use std::time::Duration;

use countersign_models::budget::BudgetName;
use countersign_models::catalog::{self, LayoutEntry, ScenarioEntry};
use countersign_models::cell::Cell;
use countersign_models::engine::Budget;
use countersign_models::engine::EngineName::{self, Graph, Loom, ShuttleDfs, ShuttlePct, ShuttleRandom};
use countersign_models::verdict::Verdict;
use libtest_mimic::{Arguments, Failed, Trial};

/// The engines that must catch each mutant. One that nobody catches withholds the claim that it would break, and is
/// tested as a layout is.
///
/// Real threads are not among them: what they meet is up to the machine.
const CAUGHT_BY: [(&str, &[EngineName]); 5] = [
    ("mutant:naive_fold", &[Loom, ShuttleRandom, ShuttlePct, ShuttleDfs, Graph]),
    ("mutant:unlink_before_fold", &[Loom, ShuttleRandom, ShuttlePct, ShuttleDfs, Graph]),
    // Only the ordering is wrong.
    ("mutant:claim_relaxed", &[Loom, Graph]),
    ("mutant:allocs_before_frees", &[Loom, ShuttleRandom, ShuttlePct, ShuttleDfs, Graph]),
    ("mutant:allocs_before_frees_withheld", &[]),
];

/// Runs the tests of these engines.
pub(crate) fn run(engines: &[EngineName]) -> ExitCode {
    let mutants = catalog::mutants();
    let caught_by = |mutant: &LayoutEntry| CAUGHT_BY.iter().find(|(name, _)| *name == mutant.name).map(|(_, by)| *by);
    let green = mutants.iter().filter(|mutant| caught_by(mutant).is_some_and(<[_]>::is_empty)).cloned();
    let layouts: Vec<_> = catalog::layouts().into_iter().chain(green).collect();
    let scenarios = catalog::scenarios();

    let mut trials = vec![Trial::test("mutants::each_is_listed_with_the_engines_that_catch_it", each_is_listed)];
    for &engine in engines {
        for layout in &layouts {
            for scenario in &scenarios {
                trials.extend(Cell::all(layout, scenario, engine).into_iter().map(holds));
            }
        }
        let caught = mutants.iter().filter(|mutant| caught_by(mutant).is_some_and(|by| by.contains(&engine)));
        trials.extend(caught.map(|mutant| is_caught(mutant.clone(), scenarios.clone(), engine)));
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

/// The test that an engine finds a mutant out in some scenario.
fn is_caught(mutant: LayoutEntry, scenarios: Vec<ScenarioEntry>, engine: EngineName) -> Trial {
    Trial::test(format!("{}::is_caught_by::{engine}", mutant.name), move || {
        let mut cells = scenarios.iter().flat_map(|scenario| Cell::all(&mutant, scenario, engine));
        if cells.any(|cell| matches!(cell.explore(&budget()).verdict, Verdict::Failed(_))) {
            Ok(())
        } else {
            Err(Failed::from("every claim held in every cell"))
        }
    })
}

fn each_is_listed() -> Result<(), Failed> {
    let mutants: Vec<_> = catalog::mutants().iter().map(|mutant| (mutant.name, mutant.withheld().is_empty())).collect();
    let listed: Vec<_> = CAUGHT_BY.iter().map(|(name, by)| (*name, !by.is_empty())).collect();
    if mutants == listed { Ok(()) } else { Err(Failed::from(format!("listed are {listed:?}, there are {mutants:?}"))) }
}
