//! `countersign litmus`: what it prints, and how it ends.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// The exit code of the command, its answers, and its notes.
fn run(args: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_countersign"));
    let output = command.arg("litmus").args(args).output().expect("the command can be run");
    let text = |bytes| String::from_utf8(bytes).expect("the output is text");
    (output.status.code().expect("it ends by itself"), text(output.stdout), text(output.stderr))
}

const AS_EXPECTED: i32 = 0;
const NOT_AS_EXPECTED: i32 = 1;
const BAD_INPUT: i32 = 2;

fn given(name: &str) -> String {
    format!("{}/litmus/{name}.litmus", env!("CARGO_MANIFEST_DIR"))
}

/// A file that is removed with the value.
struct File(PathBuf);

impl File {
    fn new(name: &str, text: &str) -> Self {
        let path = std::env::temp_dir().join(format!("countersign-{}-{name}.litmus", std::process::id()));
        fs::write(&path, text).expect("the file can be written");
        Self(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().expect("the path is text")
    }
}

impl Drop for File {
    fn drop(&mut self) {
        _ = fs::remove_file(&self.0);
    }
}

#[test]
fn a_line_for_each_program() {
    let (status, out, notes) = run(&[&given("cases/SB"), &given("extra/x-drain")]);
    assert_eq!((status, out.as_str(), notes.as_str()), (AS_EXPECTED, "SB 4 4\nx-drain 12 6\n", ""));
}

#[test]
fn json_lists_the_outcomes() {
    let (status, out, notes) = run(&[&given("extra/x-seqread"), "--format", "json"]);
    assert_eq!((status, notes.as_str()), (AS_EXPECTED, ""));
    let rows: serde_json::Value = serde_json::from_str(&out).expect("the output is JSON");
    assert_eq!(rows[0]["name"], "x-seqread");
    assert_eq!(rows[0]["executions"], 2);
    assert!(rows[0]["blocked"].as_u64() > Some(0), "an assumption does not always hold: {out}");
    let outcomes = ["P1.a=0 P1.b=0 P1.v=0 | s=2 d=7", "P1.a=2 P1.b=2 P1.v=7 | s=2 d=7"];
    assert_eq!(rows[0]["outcomes"], serde_json::json!(outcomes));
    assert_eq!(rows[0].as_object().map(serde_json::Map::len), Some(4));
    assert_eq!(rows.as_array().map(Vec::len), Some(1));
}

#[test]
fn an_expectation_that_is_not_met_is_named() {
    let text = "litmus t\ninit x=0\nthread P0\nr = load x rlx\nthread P1\nstore x 1 rlx\nexpect 3\noutcomes 2\n\
                outcome P0.r=0 | x=1\noutcome P0.r=2 | x=1";
    let file = File::new("unmet", text);
    let (status, out, notes) = run(&[file.path()]);
    assert_eq!((status, out.as_str()), (NOT_AS_EXPECTED, "t 2 2\n"));
    let expected =
        "t: expected 3 executions, found 2\nt: missing outcome: P0.r=2 | x=1\nt: unexpected outcome: P0.r=1 | x=1\n";
    assert_eq!(notes, expected);
}

#[test]
fn checks_that_do_not_pass_fail_and_count() {
    let text = "litmus t\ninit x=0\nthread P0\nr = load x rlx\nassert r == 0\nthread P1\nstore x 1 rlx\nstore x 2 rlx\n\
                final forbid P0.r == 0 && x == 2\nexpect 3";
    let file = File::new("checks", text);
    for engine in ["graph", "shuttle"] {
        let (status, _, notes) = run(&[file.path(), "--engine", engine]);
        assert_eq!(status, NOT_AS_EXPECTED, "{engine}");
        assert!(notes.contains("t: the check of line 5 does not pass in "), "{notes}");
        assert!(notes.contains("t: the check of line 9 does not pass in "), "{notes}");
    }
    let (_, out, notes) = run(&[file.path()]);
    assert_eq!(out, "t 3 3\n");
    assert!(notes.contains("line 5 does not pass in 2 of 3 executions"), "{notes}");
}

#[test]
fn a_check_before_an_assumption_that_fails_does_not_count() {
    let text = "litmus t\ninit x=0\nthread P0\nr = load x rlx\nassert r == 0\nassume r == 0\nthread P1\nstore x 1 rlx\nexpect 1";
    let file = File::new("assumed", text);
    for engine in ["graph", "shuttle"] {
        assert_eq!(run(&[file.path(), "--engine", engine]).0, AS_EXPECTED, "{engine}");
    }
}

#[test]
fn shuttle_sees_no_weak_outcome_and_says_so() {
    let (status, out, notes) = run(&[&given("cases/SB"), "--engine", "shuttle"]);
    assert_eq!(status, AS_EXPECTED);
    assert!(out.starts_with("SB ") && out.ends_with(" 3\n"), "{out}");
    assert!(notes.contains("SB: differs from the memory model: missing outcome: "), "{notes}");
}

#[test]
fn malformed_and_missing_files_stop_everything() {
    let file = File::new("malformed", "litmus t\nthread P0\nstor x 1 rlx");
    let (status, out, notes) = run(&[&given("cases/SB"), file.path(), "no/such.litmus"]);
    assert_eq!((status, out.as_str()), (BAD_INPUT, ""));
    assert!(notes.contains(&format!("error: {}:3:1: expected a statement", file.path())), "{notes}");
    assert!(notes.contains("error: no/such.litmus: cannot be read"), "{notes}");
}

#[test]
fn an_exploration_out_of_time_fails() {
    let threads: String = (0..9).map(|thread| format!("thread P{thread}\nr = fadd x 1 rlx\n")).collect();
    let file = File::new("long", &format!("litmus long\ninit x=0\n{threads}"));
    let (status, _, notes) = run(&[file.path(), "--engine", "shuttle", "--time", "1"]);
    assert_eq!(status, NOT_AS_EXPECTED);
    assert!(notes.contains("long: the exploration is truncated: "), "{notes}");
}
