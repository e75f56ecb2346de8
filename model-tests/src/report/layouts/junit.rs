//! The report as JUnit XML, for servers that show tests: a suite for each layout, a test case for each cell.

use std::time::Duration;

use quick_junit::{NonSuccessKind, Property, Report as Document, SerializeError, TestCase, TestCaseStatus, TestSuite};

use crate::failure::Counterexample;
use crate::report::execution::{self, Rows};
use crate::study::check::{CellReport, Report};

/// The whole report. A failed claim is a failure, and what proved nothing an error.
pub fn render(
    report: &Report,
    counterexamples: &[Option<Counterexample>],
    elapsed: Duration,
) -> Result<String, SerializeError> {
    let mut document = Document::new("countersign check");
    document.set_time(elapsed);
    let cells: Vec<_> = report.cells.iter().zip(counterexamples).collect();
    for cells in cells.chunk_by(|(left, _), (right, _)| left.layout == right.layout) {
        let mut suite = TestSuite::new(cells[0].0.layout.as_str());
        suite.set_time(Duration::from_millis(cells.iter().map(|(cell, _)| cell.millis).sum()));
        suite.add_test_cases(cells.iter().map(|(cell, counterexample)| test_case(cell, counterexample.as_ref())));
        document.add_test_suite(suite);
    }
    document.to_string()
}

fn test_case(cell: &CellReport, counterexample: Option<&Counterexample>) -> TestCase {
    let CellReport { layout, scenario, engine, size, verdict, why, executions, outcomes, millis } = cell;
    let status = match verdict.as_str() {
        "failed" => unsuccessful(NonSuccessKind::Failure, cell, counterexample),
        "truncated" => unsuccessful(NonSuccessKind::Error, cell, counterexample),
        _ => TestCaseStatus::success(),
    };
    let mut case = TestCase::new(format!("{scenario} on {engine}, {size}"), status);
    case.set_classname(layout.as_str()).set_time(Duration::from_millis(*millis));
    let bound = why.as_deref().filter(|_| verdict == "bounded").map(|by| ("bound", by.to_owned()));
    let numbers = [("executions", executions.to_string()), ("outcomes", outcomes.to_string())];
    let properties = [("verdict", verdict.clone())].into_iter().chain(bound).chain(numbers);
    case.add_properties(properties.map(|(name, value)| Property::new(name, value)));
    case
}

fn unsuccessful(kind: NonSuccessKind, cell: &CellReport, counterexample: Option<&Counterexample>) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(kind);
    status.set_type(counterexample.map_or(cell.verdict.as_str(), |found| found.violation.claim.as_str()));
    status.set_message(cell.why.as_deref().unwrap_or("no reason was given"));
    if let Some(found) = counterexample {
        status.set_description(execution::counterexample(found, true, Rows::All));
    }
    status
}
