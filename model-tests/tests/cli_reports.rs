//! What `check` writes beside its table: JUnit XML, a file, and the outcomes one by one.

#![allow(missing_docs, reason = "a test")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use countersign_models::study::check::Expected;
use countersign_models::study::check::Report;
use quick_junit::{NonSuccessKind, TestCaseStatus};

/// A mutant that fails on loom, cannot fail on shuttle, and has too small a budget to be enumerated.
const MIXED: &str = "check --layout mutant:claim_relaxed --layout shared --scenario adopt_after_exit --engine loom \
                     --engine shuttle-pct --engine shuttle-dfs --executions 100 --samples 20";

fn run(line: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_countersign"))
        .env_remove("CLICOLOR_FORCE")
        .args(line.split_whitespace())
        .output()
        .unwrap()
}

fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

fn json(line: &str) -> Report {
    serde_json::from_str(stdout(&run(&format!("{line} --format json")))).unwrap()
}

/// A path for the file of one test.
fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

#[test]
fn junit_has_a_test_case_for_each_cell() {
    let output = run(&format!("{MIXED} --format junit"));
    assert_eq!(output.status.code(), Some(1));
    let document = quick_junit::Report::deserialize_from_str(stdout(&output)).unwrap();
    let cells = json(MIXED).cells;
    let count = |verdict: &str| cells.iter().filter(|cell| cell.verdict == verdict).count();
    assert_eq!(
        (document.tests, document.failures, document.errors),
        (cells.len(), count("failed"), count("truncated"))
    );
    assert!(document.failures > 0 && document.errors > 0);
    let suites: Vec<_> = document.test_suites.iter().map(|suite| suite.name.as_str()).collect();
    assert_eq!(suites, ["shared", "mutant:claim_relaxed"]);

    let cases = document.test_suites.iter().flat_map(|suite| &suite.test_cases);
    for (case, cell) in cases.zip(&cells) {
        assert_eq!(case.name.as_str(), format!("{} on {}, {}", cell.scenario, cell.engine, cell.size));
        assert_eq!(case.classname.as_ref().unwrap().as_str(), cell.layout);
        match &case.status {
            TestCaseStatus::Success { .. } => assert!(["exhaustive", "sampled"].contains(&cell.verdict.as_str())),
            TestCaseStatus::NonSuccess { kind, message, ty, description, .. } => {
                let message = message.as_ref().unwrap().as_str();
                match kind {
                    NonSuccessKind::Failure => {
                        assert_eq!((cell.verdict.as_str(), Some(message)), ("failed", cell.why.as_deref()));
                        assert!(
                            message.starts_with(&format!("{}: claimed ", ty.as_ref().unwrap().as_str())),
                            "{message}"
                        );
                        let description = description.as_ref().unwrap().as_str();
                        assert!(description.contains("thread 1") && description.contains("replay "), "{description}");
                    }
                    NonSuccessKind::Error => {
                        assert_eq!(cell.verdict, "truncated");
                        assert!(message.contains("budget of 100 executions"), "{message}");
                    }
                }
            }
            TestCaseStatus::Skipped { .. } => panic!("{case:?}"),
        }
    }
}

#[test]
fn a_file_takes_the_report_and_the_table_stays() {
    let path = file("report.json");
    let output = run(&format!("{MIXED} --format json --output {}", path.display()));
    assert_eq!(output.status.code(), Some(1));
    let report: Report = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    assert_eq!(report.summary, json(MIXED).summary);
    for text in ["  scenario ", "FAILED", "TRUNCATED", " truncated, "] {
        assert!(stdout(&output).contains(text), "no `{text}` in\n{}", stdout(&output));
    }
}

#[test]
fn a_table_in_a_file_has_no_colours() {
    let path = file("report.txt");
    let line = format!("{MIXED} --output {}", path.display());
    let mut command = Command::new(env!("CARGO_BIN_EXE_countersign"));
    let output = command.env("CLICOLOR_FORCE", "1").args(line.split_whitespace()).output().unwrap();
    let in_file = fs::read_to_string(&path).unwrap();
    assert!(stdout(&output).contains('\u{1b}') && !in_file.contains('\u{1b}'));
    // The screen has as much as fits, and the file has all.
    let on_screen = console::strip_ansi_codes(stdout(&output));
    let summary = |text: &str| text.lines().last().unwrap().split(';').next().unwrap().to_owned();
    assert_eq!(summary(&in_file), summary(&on_screen));
    assert!(in_file.contains("\nFAILED  mutant:claim_relaxed, adopt_after_exit, on loom"), "{in_file}");
}

#[test]
fn a_file_that_cannot_be_written_is_named_before_anything_is_explored() {
    let path = file("no such folder").join("report");
    let mut command = Command::new(env!("CARGO_BIN_EXE_countersign"));
    let output = command.args(["check", "--budget", "deep", "--output"]).arg(&path).output().unwrap();
    assert_eq!((output.status.code(), stdout(&output)), (Some(2), ""));
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.starts_with(&format!("error: the report cannot be written to `{}`: ", path.display())), "{error}");
}

#[test]
fn outcomes_are_required_allowed_or_forbidden() {
    let line = "check --layout slots --layout mutant:unlink_before_fold --scenario exit_while_snapshot \
                --engine graph --engine shuttle-random --outcomes";
    let report = json(line);
    let outcomes = report.outcomes.unwrap();
    assert_eq!(outcomes.len(), report.cells.len());
    for (cell, outcomes) in report.cells.iter().zip(&outcomes) {
        assert_eq!(outcomes.iter().map(|outcome| outcome.executions).sum::<u64>(), cell.executions, "{cell:?}");
        let distinct = outcomes.iter().filter(|outcome| outcome.outcome.is_some()).count();
        assert_eq!(distinct as u64, cell.outcomes);
        let of = |expected| outcomes.iter().filter(move |outcome| outcome.expected == expected);
        assert_eq!(of(Expected::Forbidden).count(), usize::from(cell.verdict == "failed"));
        if cell.verdict == "failed" {
            assert_eq!(of(Expected::Forbidden).next().unwrap().what, cell.why);
        }
        if cell.engine == "graph" && cell.verdict == "exhaustive" {
            let required: Vec<_> = of(Expected::Required).filter_map(|outcome| outcome.what.as_deref()).collect();
            for what in ["a snapshot without the last event", "a snapshot with the last event"] {
                assert!(required.contains(&what), "{required:?}");
            }
        }
    }
    assert!(report.summary.failed > 0);

    let output = run(line);
    // Below the summary.
    let (_, table) = stdout(&output).split_once(" failed; ").unwrap();
    for text in ["\nslots, exit_while_snapshot, on graph: exhaustive\n", " required ", "a violation", " forbidden "] {
        assert!(table.contains(text), "no `{text}` in\n{table}");
    }
    assert!(table.lines().all(|line| line.chars().count() <= 120), "{table}");
}

#[test]
fn a_required_outcome_that_was_never_seen_is_listed() {
    let line = "check --layout shared --scenario exit_while_snapshot --engine shuttle-dfs --executions 1 --outcomes";
    assert!(stdout(&run(line)).contains("never seen"), "{}", stdout(&run(line)));
    // Without being asked for, outcomes are not in the report.
    assert_eq!(json("check --layout shared --scenario claim_race --engine loom").outcomes, None);
}

/// `/dev/full` takes nothing, and says so when it is written to.
#[cfg(target_os = "linux")]
#[test]
fn a_failed_claim_is_the_exit_code_even_if_the_report_cannot_be_written() {
    let to_full = |line: &str| {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_countersign"));
        let output = command.args(line.split_whitespace()).stdout(full).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let check = |layout: &str| format!("check --layout {layout} --scenario exit_while_snapshot --engine graph");
    for (line, code) in [
        (check("mutant:unlink_before_fold"), 1),
        ("stress --seconds 1 --layout mutant:folded_again".to_owned(), 1),
        (check("shared"), 2),
    ] {
        let (actual, stderr) = to_full(&line);
        assert_eq!((actual, stderr.contains("cannot be written")), (Some(code), true), "{line}: {stderr}");
    }

    let output = run(&format!("{} --output /dev/full", check("mutant:unlink_before_fold")));
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("unlink_before_fold"), "the table is printed all the same");
}
