//! The stopwatch as its users and their scripts see it. No test looks at a time.

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::Value;

struct Run {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

/// Runs a command line, its words separated by blanks.
fn run(line: &str) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_countersign-comparison"));
    let output = command.args(line.split_whitespace()).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Run { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

#[test]
fn every_run_of_every_mode_is_reported_and_exact() {
    let Run { code, stdout, stderr } = run("--rounds 1 --milliseconds 1 --format json");
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
    let report: Value = serde_json::from_str(&stdout).unwrap();
    let rows = report["Rows"].as_array().unwrap();
    for row in rows {
        for field in ["Compiler", "Workers", "Round", "Mode", "Operations", "ElapsedNs"] {
            assert!(!row[field].is_null(), "{field} of {row}");
        }
        // Nothing is counted by an allocator that does not count, and what divan counts is for its own benchmarks.
        let is_hidden = ["system", "divan"].contains(&row["Mode"].as_str().unwrap());
        let expected = if is_hidden { &Value::Null } else { &row["Operations"] };
        assert_eq!(&row["VerifiedEvents"], expected, "{row}");
    }
    let names = |field: &str| rows.iter().map(|row| row[field].as_str().unwrap()).collect::<BTreeSet<_>>();
    assert_eq!(names("Group"), BTreeSet::from(["alignment", "alloc", "program", "record", "snapshot"]));
    assert_eq!(names("Sizes"), BTreeSet::from(["-", "fixed", "mixed", "recorded"]));
    assert!(names("Mode").is_superset(&BTreeSet::from(["floor", "private", "shared", "slots", "sharded"])));
    // Four runs of each mode beside itself, and four of each but the reference beside that.
    let comparisons = report["Comparisons"].as_array().unwrap();
    let references = comparisons.iter().filter(|found| found["Against"].is_null()).count();
    assert_eq!(rows.len(), 4 * (2 * comparisons.len() - references));
}

#[test]
fn blocks_turn_around_from_round_to_round() {
    let Run { stdout, .. } = run("--rounds 2 --milliseconds 1 --group alignment --format json");
    let report: Value = serde_json::from_str(&stdout).unwrap();
    let in_round = |round: u64| {
        let rows = report["Rows"].as_array().unwrap().iter();
        let of_block =
            rows.filter(|row| row["Round"] == round && row["Block"] == "64 bytes" && row["Control"] == false);
        of_block.map(|row| row["Mode"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(in_round(0), ["128 bytes", "64 bytes", "64 bytes", "128 bytes"]);
    assert_eq!(in_round(1), ["64 bytes", "128 bytes", "128 bytes", "64 bytes"]);
}

#[test]
fn the_table_has_an_interval_from_six_rounds_on() {
    let table = |rounds: u32| run(&format!("--rounds {rounds} --milliseconds 1 --group alignment")).stdout;
    let intervals =
        |table: &str| table.lines().filter(|line| line.contains(" bytes ") && line.contains(" to ")).count();
    assert_eq!((intervals(&table(5)), intervals(&table(6))), (0, 2));
}

#[test]
fn the_chart_shows_every_mode() {
    let file = std::env::temp_dir().join(format!("countersign-bench-{}.svg", std::process::id()));
    let Run { code, .. } = run(&format!("--rounds 1 --milliseconds 1 --group snapshot --svg {}", file.display()));
    let drawing = std::fs::read_to_string(&file).unwrap();
    std::fs::remove_file(&file).unwrap();
    assert_eq!(code, Some(0));
    for mode in ["slots", "slots after exits", "folding", "sharded", "padded", "shared"] {
        assert!(drawing.contains(&format!("\n{mode}\n")), "{mode}: {drawing}");
    }
}

#[test]
fn a_wrong_command_line_is_named_and_exits_with_two() {
    for (line, named) in [
        ("--rounds 0", "0"),
        ("--rounds many", "many"),
        ("--milliseconds 0", "0"),
        ("--group speed", "speed"),
        ("--format xml", "xml"),
        ("--svg /no/such/folder/chart.svg", "/no/such/folder/chart.svg"),
    ] {
        let Run { code, stdout, stderr } = run(line);
        assert_eq!((code, stdout.as_str()), (Some(2), ""), "{line}");
        assert!(stderr.contains("error: ") && stderr.contains(named), "{line}: {stderr}");
    }
}

/// `/dev/full` takes nothing, and `/dev/null` has no length to be cut to.
#[cfg(target_os = "linux")]
#[test]
fn a_chart_that_cannot_be_written_keeps_no_table_back() {
    let table = |file: &str| run(&format!("--rounds 1 --milliseconds 1 --group alignment --svg {file}"));
    for (file, expected) in [("/dev/full", 2), ("/dev/null", 0)] {
        let Run { code, stdout, stderr } = table(file);
        assert_eq!((code, stderr.contains("cannot be written")), (Some(expected), expected == 2), "{stderr}");
        assert!(stdout.contains("256 bytes"), "{stdout}");
    }
}
