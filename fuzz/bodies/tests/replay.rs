//! The bodies of the fuzz targets on their corpora and on random bytes, without libFuzzer.

use std::fs;
use std::path::Path;

use countersign_fuzz_bodies::{BODIES, Body};
use countersign_proofs::wrong::WRONG;

/// How many random inputs each body gets.
const RANDOM_INPUTS: u64 = 10_000;

fn body(target: &str) -> Body {
    BODIES.iter().find(|(name, _)| *name == target).expect("the target is there").1
}

fn replay(target: &str) {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus").join(target);
    let entries: Vec<_> =
        fs::read_dir(&corpus).expect("the corpus is there").map(|entry| entry.unwrap().path()).collect();
    assert!(!entries.is_empty(), "{} is empty", corpus.display());
    for path in entries {
        // A panic's message does not name the input, and the output of a test that passes is not shown.
        println!("{}", path.display());
        body(target)(&fs::read(path).unwrap());
    }
    for seed in 0..RANDOM_INPUTS {
        println!("random input {seed}");
        body(target)(&random_bytes(seed));
    }
}

/// Up to 255 bytes, by SplitMix64.
fn random_bytes(seed: u64) -> Vec<u8> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) as u8
    };
    let length = next();
    (0..length).map(|_| next()).collect()
}

#[test]
fn size_class_edges() {
    replay("size_class_edges");
}

#[test]
fn runtime_table() {
    replay("runtime_table");
}

#[test]
fn profile_ops() {
    replay("profile_ops");
}

#[test]
fn litmus_parse() {
    replay("litmus_parse");
}

/// A target without a corpus, or a corpus without a target, would be replayed by no test.
#[test]
fn every_corpus_has_its_body_and_its_test() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus");
    let mut corpora: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    corpora.sort();
    assert_eq!(corpora, BODIES.map(|(name, _)| name));
}

/// The script goes through a list of its own.
#[test]
fn every_wrong_index_is_planted() {
    let script = include_str!("../../planted-faults");
    let (_, list) = script.split_once("for wrong in ").expect("it goes through the wrong indices");
    let (list, _) = list.split_once(';').expect("the list ends");
    assert_eq!(list.split_whitespace().collect::<Vec<_>>(), WRONG.map(|wrong| wrong.table.name));
}
