//! `countersign orderings` and `cost` as their users see them.

#![allow(missing_docs, reason = "a test")]

use std::process::Command;

use serde_json::Value;

const README: &str = include_str!("../../README.md");

fn countersign(line: &str) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_countersign"));
    // Where the paths that the compiler was given lead to the source.
    command.current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let output = command.args(line.split_whitespace()).output().unwrap();
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
}

/// None can be weakened, and each says why it is there.
#[test]
fn every_ordering_of_the_core_is_needed() {
    let (code, json) = countersign("orderings --format json");
    assert_eq!(code, Some(0), "{json}");
    let layouts: Vec<Value> = serde_json::from_str(&json).unwrap();
    // A line that no scenario reaches any more would go unnoticed.
    let sites =
        |layout: &Value| (layout["layout"].as_str().unwrap().to_owned(), layout["sites"].as_array().unwrap().len());
    let expected = [("shared", 4), ("padded", 4), ("sharded", 5), ("folding", 8), ("slots", 16)];
    assert_eq!(layouts.iter().map(sites).collect::<Vec<_>>(), expected.map(|(name, sites)| (name.to_owned(), sites)));
    for layout in &layouts {
        let sites = layout["sites"].as_array().unwrap();
        assert!(sites.iter().all(|site| site["comment"] == true), "{layout}");
        let weaker = sites.iter().flat_map(|site| site["weaker"].as_array().unwrap());
        let (killed, accepted): (Vec<_>, Vec<_>) = weaker.partition(|weaker| weaker["fate"] == "killed");
        assert!(killed.len() >= 2 && killed.iter().all(|kill| kill["operations"].as_u64().is_some()), "{layout}");
        let is_sharded = layout["layout"] == "sharded";
        assert_eq!(accepted.len(), usize::from(is_sharded), "{layout}");
        assert!(sites.iter().all(|site| site["ordering"] != "SeqCst"), "a SeqCst has to be justified: {layout}");
    }
}

#[test]
fn one_if_a_claim_fails_as_it_is_written() {
    let (code, text) = countersign("orderings --layout mutant:claim_relaxed");
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("a claim fails as it is written") && text.contains("adopt_after_exit on graph"), "{text}");
    let (code, json) = countersign("orderings --layout mutant:claim_relaxed --format json");
    let layouts: Vec<Value> = serde_json::from_str(&json).unwrap();
    assert_eq!((code, &layouts[0]["as_written"]["fate"]), (Some(1), &Value::from("killed")));
}

#[test]
fn the_costs_in_readme_are_those_that_are_counted() {
    let (code, table) = countersign("cost --format markdown");
    assert_eq!(code, Some(0));
    assert!(README.contains(&table), "README lacks this table:\n{table}");
}

#[test]
fn one_if_a_layout_cannot_be_counted() {
    let (code, table) = countersign("cost --layout slots --layout mutant:locked_while_recording");
    assert_eq!((code, table.as_str()), (Some(1), ""));
}
