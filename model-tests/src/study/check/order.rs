//! The order in which cells are explored: what fails is to show soon, and small.
//!
//! The smallest size of every scenario on the graph engine comes first, since that engine sees whatever any other sees, and
//! every failure that it finds can be repeated; then the rest on that engine, and then the others. Engines that sample come
//! last.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use super::pool;
use super::report::ChildReport;
use crate::engine::EngineName;
use crate::scenario::Cell;

/// How cells are explored.
#[derive(Clone, Copy, Debug)]
pub struct Order {
    /// How many explorations run at once.
    pub at_once: usize,
    /// Whether nothing is begun any more once a claim has failed.
    pub fail_fast: bool,
}

/// Explores `jobs`, each the cells of one layout, scenario and engine, smallest first. `work` explores some cells of one job,
/// for which so much time was spent already, and says nothing of those behind a failure; `done` is shown what it found as soon
/// as that is there. The reports are in the order of the jobs.
pub fn explore_in_order(
    jobs: &[Vec<Cell>],
    order: Order,
    work: impl Fn(&[Cell], Duration) -> Vec<ChildReport> + Sync,
    mut done: impl FnMut(&[ChildReport]),
) -> Vec<ChildReport> {
    // Set by who found the failure, before it takes its next job. Relaxed, both: another that sees it late explores one job
    // more.
    let failed = AtomicBool::new(false);
    let explore = |cells: &[Cell], spent| {
        if order.fail_fast && failed.load(Relaxed) {
            return Vec::new();
        }
        let reports = work(cells, spent);
        if reports.iter().any(ChildReport::is_failure) {
            failed.store(true, Relaxed);
        }
        reports
    };
    let mut note = |reports: &Vec<ChildReport>| done(reports);

    let is_early = |job: &[Cell]| job.first().is_some_and(|cell| cell.engine == EngineName::Graph);
    let smallest: Vec<&[Cell]> = jobs.iter().map(|job| if is_early(job) { &job[..1] } else { &[] }).collect();
    let early: Vec<&[Cell]> = smallest.iter().copied().filter(|cells| !cells.is_empty()).collect();
    let found = pool::run(&early, order.at_once, |_| false, |cells| explore(cells, Duration::ZERO), &mut note);
    let mut found = found.into_iter();

    let mut reports: Vec<Vec<ChildReport>> = smallest
        .iter()
        .map(|cells| if cells.is_empty() { Vec::new() } else { found.next().unwrap_or_default() })
        .collect();
    let left = |(index, job): (usize, &Vec<Cell>)| {
        let ends = reports[index].iter().any(ChildReport::is_failure);
        let spent = reports[index].iter().map(|report| Duration::from_millis(report.cell.millis)).sum();
        (if ends { Vec::new() } else { job[smallest[index].len()..].to_vec() }, spent)
    };
    let rest: Vec<(Vec<Cell>, Duration)> = jobs.iter().enumerate().map(left).collect();
    let samples = |(_, (cells, _)): &(usize, &(Vec<Cell>, Duration))| cells[0].engine.samples();
    let work_on = |(_, (cells, spent)): &(usize, &(Vec<Cell>, Duration))| explore(cells, *spent);
    for of_graph in [true, false] {
        let is_of = |cells: &[Cell]| cells.first().is_some_and(|cell| (cell.engine == EngineName::Graph) == of_graph);
        let part: Vec<_> = rest.iter().enumerate().filter(|(_, (cells, _))| is_of(cells)).collect();
        let found = pool::run(&part, order.at_once, samples, work_on, &mut note);
        part.iter().zip(found).for_each(|((index, _), found)| reports[*index].extend(found));
    }
    reports.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::scenario::scenarios;
    use crate::study::check::CellReport;
    use crate::subject::layouts;

    fn jobs() -> Vec<Vec<Cell>> {
        let layout = layouts::find("slots").unwrap();
        let engines = [EngineName::Std, EngineName::Graph];
        let of_scenario = |scenario| engines.map(|engine| Cell::all(&layout, &scenario, engine));
        scenarios().into_iter().take(3).flat_map(of_scenario).collect()
    }

    /// Explores as if the cells with these numbers, in the order in which they are explored, failed.
    fn explored(failing: &[usize], fail_fast: bool) -> (Vec<ChildReport>, Vec<Cell>) {
        let begun = Mutex::new(Vec::new());
        let work = |cells: &[Cell], _| {
            let mut reports = Vec::new();
            for cell in cells {
                let fails = failing.contains(&begun.lock().unwrap().len());
                begun.lock().unwrap().push(cell.clone());
                let verdict = if fails { "failed" } else { "exhaustive" };
                let cell = CellReport { verdict: verdict.to_owned(), ..CellReport::truncated(cell, String::new()) };
                reports.push(ChildReport { cell, claim: None, counterexample: None, outcomes: Vec::new() });
                if fails {
                    break;
                }
            }
            reports
        };
        let reports = explore_in_order(&jobs(), Order { at_once: 1, fail_fast }, work, |_| ());
        (reports, begun.into_inner().unwrap())
    }

    #[test]
    fn the_smallest_of_every_scenario_on_the_graph_engine_comes_first_and_reports_are_in_order() {
        let (reports, begun) = explored(&[], false);
        let smallest: Vec<_> =
            jobs().into_iter().filter(|job| job[0].engine == EngineName::Graph).map(|mut job| job.remove(0)).collect();
        let names = |cells: &[Cell]| cells.iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(names(&begun[..3]), names(&smallest));
        assert_eq!(begun.last().unwrap().engine, EngineName::Std);
        let all: Vec<Cell> = jobs().into_iter().flatten().collect();
        assert!(reports.len() == all.len() && reports.iter().zip(&all).all(|(report, cell)| report.cell.is_of(cell)));
    }

    #[test]
    fn nothing_larger_follows_a_failure_and_nothing_at_all_if_the_first_is_enough() {
        let (reports, _) = explored(&[1], false);
        let second = &jobs()[3][0].scenario.name;
        let of_second = |report: &&ChildReport| report.cell.scenario == **second && report.cell.engine == "graph";
        assert_eq!(reports.iter().filter(of_second).count(), 1);
        assert!(reports.len() > 10);
        let (reports, begun) = explored(&[1], true);
        assert_eq!((reports.len(), begun.len()), (2, 2));
    }
}
