//! An oracle that vouches for the graph engine: it enumerates a litmus program's executions by the memory model's
//! axioms, as directly as the paper states them, and shares no code with the engine.
//!
//! - The oracle gives the answers that are known of the given programs.
//! - The given programs can fail: each planted fault of the axioms changes one of these answers.
//! - The engine gives the oracle's answers on random programs ([`differential`]).

mod axioms;
mod candidate;
mod differential;
mod enumerate;
mod fault;
mod generate;
mod relation;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use axioms::Axioms;
use countersign_models::study::litmus::{Litmus, read};
use enumerate::enumerate;
use fault::Fault;

/// More steps than any given program takes.
const LIMIT: usize = 500_000;

/// The given programs of some folders, by file name.
fn programs(folders: &[&str]) -> Vec<Litmus> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("litmus");
    let mut paths: Vec<_> = (folders.iter())
        .flat_map(|folder| fs::read_dir(root.join(folder)).expect("the folder is there"))
        .map(|entry| entry.expect("the folder can be read").path())
        .collect();
    paths.sort();
    paths.iter().map(|path| read(path).expect("the given programs are well-formed")).collect()
}

/// Whether the axioms give the expected answer; `None` if the program is too large.
fn answers_as_expected(litmus: &Litmus, axioms: Axioms) -> Option<bool> {
    let answer = enumerate(litmus, axioms, LIMIT)?;
    let executions = litmus.expected.executions.is_none_or(|expected| expected == answer.values().sum::<u64>());
    let outcomes: BTreeSet<String> = answer.into_keys().collect();
    Some(executions && litmus.expected.outcomes.as_ref().is_none_or(|expected| *expected == outcomes))
}

#[test]
fn the_oracle_knows_every_given_answer() {
    for litmus in programs(&["cases", "extra", "families"]) {
        assert!(litmus.expected.executions.is_some(), "{}", litmus.name);
        assert_eq!(answers_as_expected(&litmus, Axioms { fault: None }), Some(true), "{}", litmus.name);
    }
}

#[test]
fn every_fault_changes_an_answer() {
    let programs = programs(&["cases", "extra"]);
    for fault in Fault::ALL {
        let axioms = Axioms { fault: Some(fault) };
        let noticed = programs.iter().any(|litmus| answers_as_expected(litmus, axioms) == Some(false));
        assert!(noticed, "no given program notices {fault:?}");
    }
}
