//! `countersign stress` in short: no fault in the layouts, each column filled by a mutant, a hang that is one, and the
//! command line. Each stress is a process of its own, as the heap that it measures has to be.

use std::process::Command;
use std::time::Duration;

use countersign_models::study::stress::{self, Ending, Plan, Until};
use serde_json::Value;

struct Run {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

/// Runs `countersign stress` with these arguments, separated by blanks.
fn run(arguments: &str) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_countersign"));
    command.env_remove("CLICOLOR_FORCE").arg("stress").args(arguments.split_whitespace());
    let output = command.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Run { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

/// The exit code and the report.
fn report(arguments: &str) -> (Option<i32>, Value) {
    let Run { code, stdout, stderr } = run(&format!("--format json {arguments}"));
    assert_eq!((stderr.as_str(), stdout.lines().count()), ("", 1));
    (code, serde_json::from_str(&stdout).unwrap())
}

/// The columns that are zero when all is well.
const COLUMNS: [&str; 5] = ["lost", "doubled", "backwards", "short", "negative"];

#[test]
fn no_layout_has_a_fault() {
    let (code, report) = report("--seconds 1");
    let rows = report["rows"].as_array().unwrap();
    let names: Vec<_> = rows.iter().map(|row| row["layout"].as_str().unwrap()).collect();
    assert_eq!(names, ["shared", "padded", "sharded", "folding", "slots", "slots-4"]);
    for row in rows {
        assert!(COLUMNS.iter().all(|column| row[column] == 0), "{row}");
        assert_eq!((&row["memory_grows"], row["faults"].as_array().unwrap().len()), (&Value::Bool(false), 0), "{row}");
        // Two generations at least, of a million events and a hundred threads.
        let at_least = |column: &str, least: u64| row[column].as_u64().unwrap() >= least;
        assert!(at_least("generations", 2) && at_least("events", 2_000_000) && at_least("threads", 200), "{row}");
        // Two readers, one snapshot at rest, and those of the recording threads.
        assert!(at_least("snapshots", 2 * (2 + 1 + 28)), "{row}");
    }
    assert_eq!((code, &report["ended"]), (Some(0), &Value::Null));
}

/// Each fault fills its own column, whichever others it fills too. Some need a reader to be interrupted at the right place,
/// for which a busy machine may take a while: what has not shown is tried again.
#[test]
fn a_mutant_fills_each_column() {
    let mut missing = vec![
        ("mutant:stored_by_two", "lost"),
        ("mutant:overflow_dropped", "lost"),
        ("mutant:dropped_at_exit", "lost"),
        ("mutant:read_then_zero", "lost"),
        ("mutant:folded_again", "doubled"),
        ("mutant:cleared_on_reuse", "backwards"),
        ("mutant:counted_at_exit", "short"),
        ("mutant:allocs_before_frees", "negative"),
    ];
    for _ in 0..TRIES {
        let layouts: String = missing.iter().map(|(mutant, _)| format!(" --layout {mutant}")).collect();
        let (code, report) = report(&format!("--seconds 2 {layouts}"));
        let rows = report["rows"].as_array().unwrap();
        let is_clean = rows.iter().all(|row| row["faults"].as_array().unwrap().is_empty());
        assert_eq!((code, rows.len()), (Some(i32::from(!is_clean)), missing.len()), "{report}");
        missing.retain(|(mutant, column)| {
            let row = rows.iter().find(|row| row["layout"] == *mutant).unwrap();
            let seen = |fault: &Value| fault["column"] == *column && fault["seen"].as_str().unwrap().contains("count");
            let shows = row[column].as_u64() > Some(0);
            assert_eq!(row["faults"].as_array().unwrap().iter().any(seen), shows, "{row}");
            !shows
        });
        if missing.is_empty() {
            return;
        }
    }
    panic!("never seen: {missing:?}");
}

/// Each takes two seconds.
const TRIES: usize = 60;

/// What a thread leaves behind is all that is wrong with this one.
#[test]
fn memory_that_grows_with_the_threads_that_ever_lived_is_a_failure() {
    let (code, report) = report("--seconds 1 --layout mutant:kept_for_ever");
    let row = &report["rows"][0];
    assert!(COLUMNS.iter().all(|column| row[column] == 0), "{row}");
    // 16 bytes for each class of each thread of a generation.
    let least = row["threads"].as_i64().unwrap() / 2 * 27 * 16;
    assert!(row["memory_growth"].as_i64().unwrap() >= least, "{row}");
    assert_eq!(
        (code, &row["memory_grows"], &row["faults"][0]["column"]),
        (Some(1), &true.into(), &"memory growth".into())
    );
}

/// The mutant locks two locks in both orders.
#[test]
fn a_hang_is_a_failure_that_says_where() {
    let layouts = "--layout slots --layout mutant:locked_in_both_orders --layout shared";
    let Run { code, stdout, .. } = run(&format!("--seconds 1 --stall 1 {layouts}"));
    assert_eq!(code, Some(1));
    assert!(stdout.lines().any(|line| line.starts_with("slots ")), "what was stressed before is kept:\n{stdout}");
    assert!(stdout.contains("mutant:locked_in_both_orders: hung in generation "), "{stdout}");
    assert!(stdout.contains("while threads record and exit: nothing was recorded for 1 s"), "{stdout}");
    assert!(!stdout.lines().any(|line| line.starts_with("shared ")), "{stdout}");
    assert!(stdout.contains("not stressed after that: shared\n"), "{stdout}");
    let (code, report) = report("--seconds 1 --stall 1 --layout mutant:locked_in_both_orders");
    let ended = &report["ended"];
    assert_eq!((code, ended["layout"].as_str()), (Some(1), Some("mutant:locked_in_both_orders")));
    assert!(ended["why"] == "hung" && ended["place"].as_str().unwrap().contains("generation"), "{report}");
}

/// This program has another allocator.
#[test]
fn a_heap_that_is_not_counted_is_no_flat_one() {
    let plan = Plan { until: Until::Elapsed(Duration::ZERO), stall: Duration::from_secs(60) };
    assert_eq!(stress::layouts()[0].run(plan), Err(Ending::Unmeasured));
}

#[test]
fn a_wrong_command_line_is_told_what_is_wrong() {
    for (arguments, words) in [
        ("--seconds 0", &["0", "--seconds", "1..=86400"][..]),
        ("--seconds soon", &["soon", "--seconds"]),
        ("--stall 0", &["0", "--stall", "1..=3600"]),
        ("--seconds 5 --deep", &["--seconds", "--deep", "cannot be used with"]),
        ("--layout slot", &["`slot`", "slots-4", "folding", "mutant:kept_for_ever"]),
        ("--layout mutant:naive_fold", &["mutant:naive_fold", "mutant:folded_again"]),
        ("--format xml", &["xml", "table", "json"]),
    ] {
        let Run { code, stdout, stderr } = run(arguments);
        assert_eq!((code, stdout.as_str()), (Some(2), ""), "{arguments}");
        assert!(
            stderr.starts_with("error: ") && words.iter().all(|word| stderr.contains(word)),
            "{arguments}: {stderr}"
        );
    }
}

#[test]
fn help_documents_columns_and_exit_codes() {
    for arguments in ["--help", "-h"] {
        let Run { code, stdout, .. } = run(arguments);
        assert_eq!(code, Some(0));
        let columns = COLUMNS.map(|column| format!("\n  {column} "));
        let texts = ["Exit code:", "0  every count", "1  one is not", "2  the command line", "  memory growth  "];
        for text in columns.iter().map(String::as_str).chain(texts) {
            assert!(stdout.contains(text), "no `{text}` in\n{stdout}");
        }
    }
}

#[test]
fn the_table_has_a_row_for_each_layout_and_says_what_was_seen_first() {
    let Run { code, stdout, .. } = run("--seconds 1 --layout mutant:overflow_dropped");
    assert_eq!(code, Some(1));
    assert!(stdout.starts_with("layout "), "{stdout}");
    assert!(stdout.lines().all(|line| line.chars().count() <= 120), "{stdout}");
    let first = stdout.lines().find(|line| line.contains("lost: first, ")).unwrap_or_else(|| panic!("{stdout}"));
    assert!(first.contains(" counted and ") && first.contains("generation 1"), "{first}");
    assert!(!stdout.contains('\u{1b}'));
}
