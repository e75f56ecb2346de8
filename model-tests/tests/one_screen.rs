//! A failure fits on one screen, whatever the layout.

use countersign_models::engine::{Budget, EngineName};
use countersign_models::report::layouts::check::{Shown, render};
use countersign_models::report::layouts::failures::{Extent, failures};
use countersign_models::scenario::{Cell, scenarios};
use countersign_models::study::check::{BudgetName, ChildReport, Detail, Report, add, explore_in_turn};
use countersign_models::subject::LayoutEntry;
use countersign_models::subject::mutant::catalog::mutant_entries;

/// What fits on a screen.
const LINES: usize = 120;

/// What the graph engine finds in every scenario, and what is worse than any run: on every other engine the same.
fn at_worst(layout: &LayoutEntry) -> Vec<ChildReport> {
    let budget = Budget { executions: 20_000, ..BudgetName::Quick.numbers() };
    let detail = Detail { shrink: true, outcomes: false };
    let mut all = Vec::new();
    for scenario in scenarios() {
        let mut reports = Vec::new();
        for report in explore_in_turn(Cell::all(layout, &scenario, EngineName::Graph), budget, detail) {
            add(&mut reports, report);
        }
        for engine in EngineName::ALL {
            let mut of_engine = reports.clone();
            of_engine.iter_mut().for_each(|report| report.cell.engine = engine.to_string());
            all.extend(of_engine);
        }
    }
    all
}

#[test]
fn the_report_of_every_mutant_fits_and_names_its_cells() {
    let mut too_long = Vec::new();
    for mutant in mutant_entries() {
        let name = mutant.layout.name;
        let of_child = |ChildReport { cell, counterexample, .. }| (cell, counterexample);
        let (cells, counterexamples): (Vec<_>, Vec<_>) = at_worst(&mutant.layout).into_iter().map(of_child).unzip();
        let report = Report::new(cells);
        assert_eq!(report.summary.exit_code(), 1, "{name}");
        let text =
            |extent, above| render(&report, &counterexamples, None, std::time::Duration::ZERO, Shown { extent, above });
        // As when the first failure that is met is the smallest, and as when it is not: it stands above the report then.
        let failed = failures(&report.cells, &counterexamples);
        let smallest = failed.iter().min_by_key(|failure| failure.weight()).unwrap();
        let other = failed.iter().max_by_key(|failure| failure.weight()).unwrap();
        for first in [smallest, other] {
            let (at_once, is_whole) = first.at_once(true);
            let screen = at_once + &text(Extent::Screen, is_whole.then_some(first.cell));
            let lines = screen.lines().count();
            println!("{name}: {lines} lines");
            if lines > LINES {
                too_long.push(format!("{lines} lines of {name}:\n{screen}"));
            }
            assert!(screen.contains("repeat it: countersign replay "), "{screen}");
        }
        // Every failure is there when all are asked for.
        let all = text(Extent::All, None);
        assert_eq!(all.matches("\nFAILED  mutant:").count(), report.summary.failed, "{all}");
        let found = smallest.counterexample.unwrap();
        assert!(found.trace.iter().all(|row| row.place.is_none() || row.name.is_some()), "{name}: {:#?}", found.trace);
    }
    assert!(too_long.is_empty(), "{} too long, the first:\n{}", too_long.len(), too_long[0]);
}
