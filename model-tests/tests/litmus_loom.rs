//! Litmus programs on loom: where it agrees with the memory model, and the differences that are known.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use countersign_models::engine::{Budget, EngineName, Loom};
use countersign_models::study::litmus::{Litmus, Report, explore, parse, read};

const BUDGET: Budget = Budget { executions: u64::MAX, samples: 0, time: Duration::from_secs(60) };

fn given(name: &str) -> Litmus {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("litmus").join(name).with_extension("litmus");
    read(&path).expect("the given programs are well-formed")
}

fn report(litmus: Litmus) -> Report {
    let litmus = Arc::new(litmus);
    Report::new(&litmus, explore::<Loom>(&litmus, &BUDGET), EngineName::Loom)
}

/// The differences in the outcomes; loom counts executions in its own way.
fn differences(report: &Report) -> Vec<&str> {
    report.differences.iter().map(String::as_str).filter(|difference| difference.contains("outcome")).collect()
}

#[test]
fn loom_agrees_on_message_passing_and_coherence() {
    for name in ["cases/MP", "cases/MP+relf+acqf", "cases/CoRR", "cases/SB", "cases/SB+scfs", "extra/x-MP+rlx+acq"] {
        let report = report(given(name));
        assert_eq!((differences(&report), report.problems.as_slice()), (Vec::new(), [].as_slice()), "{name}");
    }
}

/// seq_cst accesses act as acq_rel ones (loom #180), so the check that forbids both to read 0 does not pass.
#[test]
fn loom_invents_an_outcome_of_seq_cst_accesses() {
    let report = report(given("cases/SB+assert"));
    assert_eq!(differences(&report), ["unexpected outcome: P0.ry=0 P1.rx=0 | x=1 y=1"]);
    assert!(report.problems[0].contains("line 14 does not pass"), "{:?}", report.problems);
}

#[test]
fn an_assumption_that_fails_is_not_counted() {
    let text = "litmus t\ninit x=0\nthread P0\nstore x 1 rlx\nthread P1\nr = load x rlx\nassume r == 1\n\
                outcomes 1\noutcome P1.r=1 | x=1";
    let report = report(parse(text).expect("the text is well-formed"));
    assert_eq!((differences(&report), report.problems.len()), (Vec::new(), 0));
    assert!(report.row.executions > 0 && report.row.blocked > 0, "{:?}", report.row);
}

#[test]
fn more_threads_than_loom_can_run_are_a_problem() {
    let report = report(given("families/ainc-5"));
    assert!(
        report.problems[0].contains("truncated") && report.problems[0].contains("threads"),
        "{:?}",
        report.problems
    );
}
