//! The token that `check` prints with a failure repeats it: the same table, in another process.

use std::collections::BTreeSet;
use std::process::Command;

use countersign_models::engine::EngineName;
use countersign_models::engine::search;
use countersign_models::failure::Token;
use countersign_models::scenario::Cell;
use countersign_models::scenario::scenarios;
use countersign_models::subject::layouts;
use countersign_models::subject::mutant::catalog::mutants;
use countersign_models::verdict::{Claim, Verdict};

struct Run {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

fn run<'a>(arguments: impl IntoIterator<Item = &'a str>) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_countersign"));
    let output = command.env_remove("CLICOLOR_FORCE").args(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Run { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

fn cell(layout: &str, scenario: &str, engine: EngineName) -> Cell {
    let layouts = layouts::layouts().into_iter().chain(mutants());
    let layout = layouts.into_iter().find(|entry| entry.name == layout).unwrap();
    let scenario = scenarios().into_iter().find(|entry| entry.name == scenario).unwrap();
    Cell::all(&layout, &scenario, engine).remove(0)
}

/// A token of an execution of `cell` in which all claims hold.
fn token_that_holds(cell: &Cell) -> Token {
    let mut schedule = None;
    let _ = search(cell.program()).run_with(|complete| schedule = complete.execution().schedule);
    Token {
        layout: cell.layout.name.to_owned(),
        scenario: cell.scenario.name.to_owned(),
        engine: cell.engine,
        size: cell.size,
        schedule: schedule.unwrap(),
    }
}

/// What stands between the head of a failure and how to repeat it.
fn tables(text: &str) -> &str {
    let start = text.rfind("\nrow ").unwrap_or_else(|| panic!("there is no table in\n{text}"));
    let end = text.rfind("\nrepeat it: ").map_or(text.len(), |end| end + 1);
    &text[start..end]
}

#[test]
fn the_token_of_a_failure_repeats_it_on_every_engine() {
    let mut repeated = BTreeSet::new();
    for (layout, scenario) in [
        ("mutant:naive_fold", "exit_while_snapshot"),
        ("mutant:unlink_before_fold", "exit_while_snapshot"),
        ("mutant:claim_relaxed", "adopt_after_exit"),
        ("mutant:allocs_before_frees", "free_on_another_thread/slots"),
    ] {
        for engine in ["loom", "shuttle-random", "shuttle-dfs", "graph"] {
            // What stands last is the whole execution; an excerpt of it may have been printed before.
            let asked = ["check", "--all", "--layout", layout, "--scenario", scenario, "--engine", engine];
            let found = run(asked.into_iter().chain(["--executions", "100000"]));
            let Some((_, line)) = found.stdout.split_once("repeat it: countersign ") else {
                assert_eq!(found.code, Some(0), "{}", found.stdout);
                continue;
            };
            let line = line.lines().next().unwrap();
            assert!(line.len() < 300, "{line}");
            let again = run(line.split(' '));
            assert_eq!((again.code, again.stderr.as_str()), (Some(1), ""), "{line}");
            assert_eq!(tables(&found.stdout), tables(&again.stdout), "{line}");
            let size = line.split(':').rev().nth(1).unwrap();
            assert!(again.stdout.starts_with(&format!("FAILED  {layout}, {scenario}, on {engine}, ")), "{size}");
            repeated.insert((engine, layout));
        }
    }
    let engines: BTreeSet<_> = repeated.iter().map(|(engine, _)| *engine).collect();
    assert_eq!(engines.len(), 4, "{repeated:?}");
    assert!(repeated.len() >= 13, "{repeated:?}");
}

#[test]
fn the_table_says_what_was_done_and_what_was_left() {
    let line = "check --layout mutant:naive_fold --scenario exit_while_snapshot --engine graph";
    let Run { stdout, .. } = run(line.split(' '));
    for text in ["thread 0", "thread 1", "order", "reads", "Acquire", "fetch_add 0 -> 1", "naive_fold.rs:", "initial"] {
        assert!(tables(&stdout).contains(text), "no `{text}` in\n{stdout}");
    }
    let words = tables(&stdout).split_whitespace().collect::<Vec<_>>().join(" ");
    for text in [
        "at the end retired.allocs[0] = ",
        "; live free; ",
        " claim folded once claimed at least 1 allocs",
        " seen 0 allocs",
    ] {
        assert!(words.contains(text), "no `{text}` in\n{stdout}");
    }
    assert!(tables(&stdout).lines().all(|line| line.chars().count() <= 120), "{stdout}");
}

#[test]
fn an_execution_that_holds_its_claims_ends_with_zero() {
    let token = token_that_holds(&cell("slots", "claim_race", EngineName::Graph)).to_string();
    let Run { code, stdout, .. } = run(["replay", &token]);
    assert_eq!(code, Some(0));
    assert!(stdout.starts_with("HOLDS  slots, claim_race, on graph, 2 threads, 1 event each"), "{stdout}");
    assert!(stdout.contains("outcome"), "{stdout}");

    let file = std::env::temp_dir().join(format!("countersign-replay-{}.token", std::process::id()));
    std::fs::write(&file, format!("{token}\n")).unwrap();
    let from_file = run(["replay", "--file", file.to_str().unwrap()]);
    std::fs::remove_file(&file).unwrap();
    assert_eq!((from_file.code, from_file.stdout), (Some(0), stdout));
}

#[test]
fn what_leads_nowhere_says_why() {
    let good = token_that_holds(&cell("slots", "claim_race", EngineName::Graph));
    let with = |change: fn(&mut Token)| {
        let mut token = good.clone();
        change(&mut token);
        token.to_string()
    };
    let text = good.to_string();
    for (token, why) in [
        ("slots".to_owned(), "is not a token"),
        (text[..text.len() - 3].to_owned(), "do not fit"),
        (with(|token| token.layout = "slot".to_owned()), "there is no layout `slot`; the layouts are shared"),
        (with(|token| token.scenario = "race".to_owned()), "there is no scenario `race`"),
        (with(|token| token.size.classes = 9), "`slots` has no instance with 2 threads"),
        (with(|token| token.schedule = "AAAA".to_owned()), "does not lead to an execution: it is cut off"),
        // As after a change of the program.
        (with(|token| token.layout = "shared".to_owned()), "run `check` again after a change"),
        (with(|token| token.scenario = "record_then_join".to_owned()), "run `check` again after a change"),
        (with(|token| token.engine = EngineName::Std), "real threads run as they like"),
        (with(|token| token.engine = EngineName::Loom), "it is of version 2"),
    ] {
        let Run { code, stdout, stderr } = run(["replay", &token]);
        assert_eq!((code, stdout.as_str()), (Some(2), ""), "{token}");
        assert!(stderr.contains(why) && stderr.contains(&format!("`{token}`")), "{why}\n{stderr}");
    }
    for line in ["replay", "replay --file /nonexistent/file", "replay a --file b"] {
        assert_eq!(run(line.split(' ')).code, Some(2), "{line}");
    }
}

/// The number of an execution means another execution after a change of the program.
#[test]
fn a_numbered_execution_of_another_program_is_refused() {
    for (engine, scenario) in
        [(EngineName::Loom, "exit_while_snapshot"), (EngineName::ShuttleDfs, "exit_while_snapshot")]
    {
        let cell_of = |layout| cell(layout, scenario, engine);
        let budget = countersign_models::study::check::BudgetName::Quick.numbers();
        let broken = cell_of("mutant:unlink_before_fold");
        let exploration = broken.explore(&budget);
        let Verdict::Failed(violation) = exploration.verdict else { panic!("{engine} does not catch it") };
        let schedule = exploration.failing.unwrap().schedule.unwrap();
        assert_eq!(broken.replay(&schedule).unwrap().result, Err(*violation.clone()));
        assert_eq!(violation.claim, Claim::FoldedOnce);
        let error = cell_of("folding").replay(&schedule).unwrap_err();
        assert!(error.why().contains("something else") || error.why().contains("only"), "{error}");
    }
}

#[test]
fn the_exit_codes_are_documented() {
    for line in ["replay --help", "replay -h"] {
        let Run { code, stdout, .. } = run(line.split(' '));
        assert_eq!(code, Some(0));
        assert!(["0  in this", "1  a claim", "2  there is no"].iter().all(|text| stdout.contains(text)), "{stdout}");
    }
}
