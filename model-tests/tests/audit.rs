//! `countersign audit` and `coverage` as their users see them: what is known of the engines holds, and a verdict that is
//! worth less than it says does not pass.

use std::collections::BTreeSet;
use std::process::Command;

use countersign_models::engine::EngineName;
use countersign_models::engine::{complete, search};
use countersign_models::study::audit::{self, Answer, Row};

/// Runs the command line: its exit code and what it prints.
fn countersign(line: &str) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_countersign"));
    let output = command.env_remove("CLICOLOR_FORCE").args(line.split_whitespace()).output().unwrap();
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
}

fn audit(line: &str) -> (Option<i32>, Vec<Row>) {
    let (code, stdout) = countersign(&format!("audit --format json {line}"));
    (code, serde_json::from_str(&stdout).unwrap())
}

#[test]
fn every_engine_shows_what_it_is_known_to_show() {
    let (code, rows) = audit("");
    let changed: Vec<_> = rows.iter().filter(|row| !row.expected).collect();
    assert!(changed.is_empty(), "{changed:#?}");
    assert_eq!(code, Some(0));

    let all = audit::entries().into_iter().flat_map(|entry| {
        entry.engines().into_iter().map(move |engine| (entry.name.to_owned(), engine.as_str().to_owned()))
    });
    let reported: BTreeSet<_> = rows.iter().map(|row| (row.program.clone(), row.engine.clone())).collect();
    assert_eq!(reported, all.collect());
}

#[test]
fn the_known_differences_of_loom_are_named() {
    let (code, stdout) = countersign("audit --engine loom");
    assert_eq!(code, Some(0));
    for text in [
        "owner/plain_load on loom",
        "misses (0, 1) (0, 2) (1, 1) (1, 2) (2, 2)",
        "tokio-rs/loom #166",
        "store_buffering/seq_cst on loom",
        "invents (0, 0)",
        "tokio-rs/loom #180",
        "addition_beside_store on loom",
        "invents (0, 1)",
        "tokio-rs/loom #254",
        "six_threads on loom",
        "shows truncated instead",
        " 0 changed\n",
    ] {
        assert!(stdout.contains(text), "no `{text}` in\n{stdout}");
    }
    assert!(stdout.lines().all(|line| line.chars().count() <= 120), "{stdout}");
}

/// What interleavings show is written down by hand too, for shuttle: the graph engine, told to interleave, agrees.
#[test]
fn what_interleavings_show_is_what_the_graph_engine_shows_of_them() {
    for entry in audit::entries() {
        let search = search(entry.program(EngineName::Graph)).sequentially_consistent();
        let search = search.max_executions(entry.budget.executions).max_time(entry.budget.time);
        assert_eq!(audit::answers(&complete(search.run())), entry.interleaved, "{}", entry.name);
    }
}

#[test]
fn an_engine_that_shows_less_or_more_has_changed() {
    let entries = audit::entries();
    let entry = entries.iter().find(|entry| entry.name == "message_passing/relaxed").unwrap();
    let exploration = complete(search(entry.program(EngineName::Graph)).run());
    assert!(entry.judge(EngineName::Graph, &exploration).expected);
    // shuttle must not show what only weak memory allows.
    let row = entry.judge(EngineName::ShuttleDfs, &exploration);
    assert_eq!((row.expected, row.invented), (false, vec!["(1, 0)".to_owned()]));

    let mut less = exploration;
    less.outcomes.pop_first();
    let row = entry.judge(EngineName::Graph, &less);
    assert_eq!((row.expected, row.missed), (false, vec!["(0, 0)".to_owned()]));
    let row = entry.unanswered(EngineName::Graph, "it died".to_owned());
    assert_eq!((row.expected, row.missed.len()), (false, 4));
}

#[test]
fn two_if_the_engine_is_unknown() {
    let output = Command::new(env!("CARGO_BIN_EXE_countersign")).args(["audit", "--engine", "none"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn an_answer_is_no_outcome_where_the_exploration_did_not_end_well() {
    let entries = audit::entries();
    let deadlock = entries.iter().find(|entry| entry.name == "deadlock").unwrap();
    let answers = audit::answers(&complete(search(deadlock.program(EngineName::Graph)).run()));
    assert!(matches!(answers.iter().collect::<Vec<_>>()[..], [Answer::Fails(_)]), "{answers:?}");
}

mod coverage {
    use super::*;

    /// loom's own verdict is a success, and worth nothing.
    #[test]
    fn one_if_an_exhaustive_verdict_is_empty() {
        let line = "--layout mutant:plain_owner_load --scenario exit_while_snapshot --engine loom";
        let (code, stdout) = countersign(&format!("coverage {line}"));
        assert_eq!(code, Some(1), "{stdout}");
        for text in ["DIFFERS", "never reaches (1, 1, 1, 1)", "the cause is known: ", "tokio-rs/loom #166"] {
            assert!(stdout.contains(text), "no `{text}` in\n{stdout}");
        }
    }

    /// The layout is correct, and other engines reach everything in it.
    #[test]
    fn the_layout_itself_is_correct() {
        let layouts = "--layout mutant:plain_owner_load --layout mutant:claim_by_swap";
        let (code, stdout) = countersign(&format!("coverage {layouts} --engine shuttle-dfs"));
        assert_eq!(code, Some(0), "{stdout}");
    }

    #[test]
    fn a_known_false_alarm_is_named_and_no_failure() {
        let line = "--layout mutant:claim_by_swap --scenario adopt_after_exit --scenario claim_race --engine loom";
        let (code, stdout) = countersign(&format!("coverage {line}"));
        assert_eq!(code, Some(0), "{stdout}");
        for text in ["known: refused", "the cause is known: ", "tokio-rs/loom #254"] {
            assert!(stdout.contains(text), "no `{text}` in\n{stdout}");
        }
        let (_, json) = countersign(&format!("coverage --format json {line}"));
        let rows: serde_json::Value = serde_json::from_str(&json).unwrap();
        let known = |row: &serde_json::Value| !row["known"].as_array().unwrap().is_empty();
        assert!(rows.as_array().unwrap().iter().any(known), "{json}");
    }
}
