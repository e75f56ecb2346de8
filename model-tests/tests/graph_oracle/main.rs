//! An oracle that vouches for the graph engine: it enumerates a litmus program's executions by the memory model's
//! axioms, as directly as the paper states them, and shares no code with the engine.
//!
//! Three tests: the oracle itself against the programs whose answers are known, the known answers against faults in the
//! axioms, and the engine against the oracle on random programs.

mod axioms;
mod candidate;
mod enumerate;
mod fault;
mod relation;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use axioms::Axioms;
use countersign_models::litmus::{Litmus, read};
use enumerate::enumerate;
use fault::Fault;

/// Above this many candidates at once the oracle gives a program up.
const LIMIT: usize = 200_000;

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
    let executions = litmus.expected.executions.is_none_or(|expected| expected == answer.values().sum());
    let outcomes: BTreeSet<String> = answer.into_keys().collect();
    Some(executions && litmus.expected.outcomes.as_ref().is_none_or(|expected| *expected == outcomes))
}

#[test]
fn the_oracle_knows_every_given_answer() {
    let programs = programs(&["cases", "extra", "families"]);
    assert_eq!(programs.len(), 140);
    for litmus in &programs {
        let start = std::time::Instant::now();
        assert_eq!(answers_as_expected(litmus, Axioms { fault: None }), Some(true), "{}", litmus.name);
        if start.elapsed().as_millis() > 200 {
            eprintln!("{} {:?}", litmus.name, start.elapsed());
        }
    }
}

#[test]
fn every_fault_is_noticed() {
    let programs = programs(&["cases", "extra"]);
    let unnoticed: Vec<Fault> = (Fault::ALL.into_iter())
        .filter(|&fault| {
            let axioms = Axioms { fault: Some(fault) };
            let by: Vec<_> = programs
                .iter()
                .filter(|litmus| answers_as_expected(litmus, axioms) == Some(false))
                .map(|l| &l.name)
                .collect();
            eprintln!("{fault:?} {by:?}");
            by.is_empty()
        })
        .collect();
    assert_eq!(unnoticed, [], "no given program notices these faults");
}
