//! The binary as its users and their scripts see it: exit codes, the JSON contract, names, and what it says when a
//! child process dies.

use std::process::{Command, Output};

use countersign_models::engine::EngineName;
use countersign_models::scenario::Cell;
use countersign_models::scenario::scenarios;
use countersign_models::study::check::{CellReport, Report, Summary};
use countersign_models::subject::misjudged::misjudged;
use countersign_models::subject::mutant::catalog::mutants;
use countersign_models::subject::{LayoutEntry, layouts};

fn countersign() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_countersign"));
    command.env_remove("CLICOLOR_FORCE");
    command
}

struct Run {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

impl From<Output> for Run {
    fn from(Output { status, stdout, stderr }: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Self { code: status.code(), stdout: text(stdout), stderr: text(stderr) }
    }
}

/// Runs a command line, its words separated by blanks.
fn run(line: &str) -> Run {
    countersign().args(line.split_whitespace()).output().unwrap().into()
}

/// Runs `check` and reads its report.
fn check(line: &str) -> (Option<i32>, Report) {
    let Run { code, stdout, stderr } = run(&format!("check --format json {line}"));
    assert_eq!(stderr, "");
    (code, serde_json::from_str(&stdout).unwrap())
}

fn cells(layout: &str, scenario: &str, engine: EngineName) -> Vec<Cell> {
    let entry = layouts::layouts().into_iter().chain(mutants()).find(|entry| entry.name == layout).unwrap();
    let scenarios = scenarios();
    Cell::all(&entry, scenarios.iter().find(|entry| entry.name == scenario).unwrap(), engine)
}

#[test]
fn zero_if_all_claims_hold() {
    let (code, report) = check("--layout shared --scenario claim_race --engine loom --engine shuttle-random");
    assert_eq!((code, report.summary.failed, report.summary.truncated), (Some(0), 0, 0));
}

#[test]
fn one_if_a_claim_failed_even_if_something_else_proved_nothing() {
    let line = "--layout shared --layout mutant:claim_relaxed --scenario adopt_after_exit --engine loom";
    let (code, report) = check(&format!("{line} --executions 1"));
    assert_eq!(code, Some(1));
    assert!(report.summary.failed > 0 && report.summary.truncated > 0, "{report:?}");
}

#[test]
fn two_if_the_command_line_is_wrong() {
    for line in [
        "prove",
        "check --budget huge",
        "check --jobs 0",
        "check --samples 0",
        "check --seconds 99999999999999999999",
        "check --format xml",
        "list slots",
    ] {
        let Run { code, stdout, stderr } = run(line);
        assert_eq!((code, stdout.as_str()), (Some(2), ""), "{line}");
        assert!(stderr.starts_with("error: "), "{line}: {stderr}");
    }
}

#[test]
fn three_if_the_budget_was_too_small() {
    let line = "--layout slots --scenario snapshot_while_recording --engine shuttle-dfs --executions 1";
    let (code, report) = check(line);
    assert_eq!(code, Some(3));
    assert!(report.cells.iter().all(|cell| cell.verdict == "truncated" && cell.executions == 1), "{report:?}");
    assert!(report.cells[0].why.as_deref().unwrap().contains("1 executions"), "{report:?}");
}

#[test]
fn three_if_the_time_was_too_short() {
    let line = "--layout slots --scenario record_then_join --engine std --samples 1000000000 --seconds 1";
    let (code, report) = check(line);
    assert_eq!(code, Some(3));
    // The time is that of all sizes together, and each of them says that it had too little.
    assert_eq!(report.cells.len(), cells("slots", "record_then_join", EngineName::Std).len());
    assert!(report.cells.iter().all(|cell| cell.why.as_deref().unwrap().contains("time")), "{report:?}");
}

#[test]
fn help_documents_the_exit_codes() {
    for line in ["--help", "-h", "check --help", "check -h"] {
        let Run { code, stdout, .. } = run(line);
        assert_eq!(code, Some(0));
        for text in
            ["Exit code:", "0  all claims hold", "1  a claim failed", "2  the command line", "3  nothing failed"]
        {
            assert!(stdout.contains(text), "{line}: {text}");
        }
    }
}

#[test]
fn an_unknown_name_is_told_which_ones_exist() {
    let layouts: Vec<_> = layouts::all_layouts().iter().map(|entry| entry.name).collect();
    let scenarios: Vec<_> = scenarios().iter().map(|entry| entry.name).collect();
    let engines = EngineName::ALL.map(EngineName::as_str);
    for (option, known) in [("layout", &layouts[..]), ("scenario", &scenarios), ("engine", &engines)] {
        let Run { code, stderr, .. } = run(&format!("check --{option} nonesuch"));
        assert_eq!(code, Some(2));
        assert!(stderr.contains("nonesuch"), "{stderr}");
        assert!(known.iter().all(|name| stderr.contains(name)), "{stderr}");
    }
    let Run { code, stderr, .. } = run("check --budget nonesuch");
    assert!(code == Some(2) && ["quick", "ci", "deep"].iter().all(|name| stderr.contains(name)), "{stderr}");
}

#[test]
fn list_shows_every_name_and_number() {
    let Run { code, stdout, .. } = run("list");
    assert_eq!(code, Some(0));
    let line_of = |name: &str| {
        let line = stdout.lines().find(|line| line.split_whitespace().next() == Some(name));
        line.unwrap_or_else(|| panic!("no line for `{name}` in\n{stdout}")).to_owned()
    };
    for LayoutEntry { name, .. } in layouts::layouts().into_iter().chain(misjudged()) {
        assert!(line_of(name).ends_with("none"));
    }
    assert!(line_of("mutant:claim_relaxed").ends_with("none"));
    assert!(line_of("mutant:allocs_before_frees_withheld").ends_with("in use never negative"));
    for scenario in scenarios() {
        let start = scenario.claim.split_whitespace().next().unwrap();
        assert!(line_of(scenario.name).contains(start));
    }
    for engine in EngineName::ALL {
        line_of(engine.as_str());
    }
    for budget in ["quick", "ci", "deep"] {
        let numbers =
            line_of(budget).split_whitespace().skip(1).map(|number| number.replace(',', "")).collect::<Vec<_>>();
        assert!(numbers.len() == 3 && numbers.iter().all(|number| number.parse::<u64>().unwrap() > 0), "{numbers:?}");
    }
}

/// The JSON is a contract: exactly these keys, in this order.
#[test]
fn the_json_has_the_agreed_form() {
    let Run { stdout, .. } = run("check --format json --layout shared --scenario claim_race --engine loom");
    let size = r#"{"threads":N,"events":N,"snapshots":N,"classes":N,"slots":N}"#;
    let cell = format!(
        r#"{{"layout":"shared","scenario":"claim_race","engine":"loom","size":{size},"verdict":"exhaustive","why":null,"executions":N,"outcomes":N,"millis":N}}"#
    );
    let cells = vec![cell; cells("shared", "claim_race", EngineName::Loom).len()].join(",");
    let expected = format!(r#"{{"cells":[{cells}],"summary":{{"cells":N,"failed":N,"truncated":N}}}}"#);
    assert_eq!(numbers_hidden(stdout.trim_end()), expected);
    assert_eq!(stdout.lines().count(), 1);
}

/// Every number replaced by `N`.
fn numbers_hidden(text: &str) -> String {
    let mut hidden = String::new();
    for char in text.chars() {
        if !char.is_ascii_digit() {
            hidden.push(char);
        } else if !hidden.ends_with('N') {
            hidden.push('N');
        }
    }
    hidden
}

#[test]
fn the_values_in_the_json_are_sound() {
    let line = "--layout sharded --layout mutant:allocs_before_frees --scenario free_on_another_thread/slots \
                --scenario late_record --scenario snapshot_while_recording --samples 50";
    let (code, Report { cells: reports, summary, .. }) = check(line);
    assert_eq!(code, Some(1));
    let count = |verdict: &str| reports.iter().filter(|cell| cell.verdict == verdict).count();
    let (failed, truncated) = (count("failed"), count("truncated"));
    assert_eq!(summary, Summary { cells: reports.len(), failed, truncated });
    assert!(failed > 0 && truncated == 0);
    for cell in &reports {
        let CellReport { verdict, why, executions, outcomes, engine, .. } = cell;
        let success = if engine.parse::<EngineName>().unwrap().samples() { "sampled" } else { "exhaustive" };
        assert!([success, "failed"].contains(&verdict.as_str()), "{cell:?}");
        assert_eq!(why.is_some(), verdict == "failed", "{cell:?}");
        assert!(outcomes <= executions, "{cell:?}");
        assert!(verdict == "failed" || *outcomes > 0, "{cell:?}");
        assert!(verdict != "sampled" || *executions == 50, "{cell:?}");
    }

    // In the order of the catalog, smallest first, and nothing after a failure.
    let mut expected = Vec::new();
    for layout in ["sharded", "mutant:allocs_before_frees"] {
        for scenario in [
            "snapshot_while_recording",
            "snapshot_while_recording/handoff",
            "late_record",
            "free_on_another_thread/slots",
        ] {
            for engine in EngineName::ALL {
                for cell in cells(layout, scenario, engine) {
                    let report = reports.iter().find(|report| report.is_of(&cell)).unwrap();
                    expected.push(report.clone());
                    if report.verdict == "failed" {
                        break;
                    }
                }
            }
        }
    }
    assert_eq!(reports, expected);
}

#[test]
fn a_scenario_stands_for_its_forms() {
    let (code, report) = check("--layout shared --scenario free_on_another_thread --engine shuttle-random --samples 5");
    assert_eq!(code, Some(0));
    let mut seen: Vec<_> = report.cells.into_iter().map(|cell| cell.scenario).collect();
    seen.dedup();
    let is_form = |name: &&str| name.starts_with("free_on_another_thread/");
    let forms: Vec<_> = scenarios().iter().map(|scenario| scenario.name).filter(is_form).collect();
    assert_eq!(seen, forms);
}

#[test]
fn the_table_says_all_that_a_person_needs() {
    let line = "check --layout mutant:naive_fold --layout mutant:allocs_before_frees_withheld --engine loom \
                --engine shuttle-random --samples 50";
    let Run { code, stdout, .. } = run(line);
    assert_eq!(code, Some(1));
    for text in [
        "mutant:allocs_before_frees_withheld, does not claim: in use never negative\n",
        "scenario  ",
        "exhaustive ",
        "FAILED",
        "claimed ",
        "seen ",
        "countersign check --layout mutant:naive_fold --scenario ",
        " failed; ",
    ] {
        assert!(stdout.contains(text), "no `{text}` in\n{stdout}");
    }
    // A line to be pasted is not broken.
    let shown = stdout.lines().filter(|line| !line.contains(": countersign replay "));
    assert!(shown.clone().all(|line| line.chars().count() <= 120), "{stdout}");
    assert!(shown.count() < stdout.lines().count());
    assert!(!stdout.contains('\u{1b}'));
    let coloured = countersign().env("CLICOLOR_FORCE", "1").args(line.split_whitespace()).output().unwrap();
    assert!(Run::from(coloured).stdout.contains('\u{1b}'));
}

/// What happens to the child processes can only be seen from outside where there is a `/proc`.
#[cfg(target_os = "linux")]
mod children {
    use std::fs;
    use std::process::{Child, Stdio};
    use std::thread;
    use std::time::{Duration, Instant};

    use super::*;

    /// A run that does not end by itself, with one child process, and the id of that child.
    fn endless() -> (Child, u32) {
        let line = "check --format json --layout shared --scenario claim_race --engine shuttle-random \
                    --samples 1000000000000 --seconds 600";
        let parent = countersign().args(line.split_whitespace()).stdout(Stdio::piped()).spawn().unwrap();
        let threads = format!("/proc/{}/task", parent.id());
        let child = eventually(|| {
            let threads = fs::read_dir(&threads).ok()?.flatten();
            let children = threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
            children.collect::<String>().split_whitespace().next()?.parse().ok()
        });
        (parent, child)
    }

    fn eventually<T>(mut attempt: impl FnMut() -> Option<T>) -> T {
        let deadline = Instant::now() + Duration::from_secs(60);
        loop {
            if let Some(value) = attempt() {
                return value;
            }
            assert!(Instant::now() < deadline, "it never happened");
            thread::sleep(Duration::from_millis(10));
        }
    }

    #[test]
    fn a_death_is_reported_as_truncated() {
        let (parent, child) = endless();
        assert!(Command::new("sh").args(["-c", &format!("kill -9 {child}")]).status().unwrap().success());
        let Run { code, stdout, .. } = parent.wait_with_output().unwrap().into();
        assert_eq!(code, Some(3));
        let report: Report = serde_json::from_str(&stdout).unwrap();
        assert_eq!(report.cells.len(), cells("shared", "claim_race", EngineName::ShuttleRandom).len());
        for cell in report.cells {
            assert_eq!(cell.verdict, "truncated");
            assert!(cell.why.as_deref().unwrap().contains("signal: 9"), "{cell:?}");
        }
    }

    #[test]
    fn no_child_outlives_its_parent() {
        let (mut parent, child) = endless();
        parent.kill().unwrap();
        parent.wait().unwrap();
        eventually(|| {
            // A zombie has ended; only whoever inherited it has not asked yet.
            let state = fs::read_to_string(format!("/proc/{child}/stat")).unwrap_or_default();
            (state.is_empty() || state.contains(") Z ")).then_some(())
        });
    }
}
