//! A crate outside the workspace verifies a layout of its own by `cargo test`, as README says: with README's own code,
//! and with the layout of the example.

#![allow(missing_docs, reason = "a test")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const README: &str = include_str!("../../README.md");
const EXAMPLE: &str = include_str!("../examples/your_own_layout.rs");

/// The crate, in the state in which README leaves it; `verified` is the type to verify.
fn write(directory: &Path, verified: &str) {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().display();
    // The suite is large and does little of the work, so that it is not optimised; the engines are.
    let manifest = format!(
        "[package]\nname = 'scratch'\nedition = '2024'\n\n\
         [dependencies]\ncountersign.path = '{workspace}'\n\n\
         [dev-dependencies]\ncountersign-models.path = '{workspace}/model-tests'\n\n\
         [profile.dev]\nopt-level = 1\ndebug = false\n\n\
         [profile.dev.package.countersign-models]\nopt-level = 0\n\n[workspace]\n"
    );
    let layout: Vec<_> = EXAMPLE
        .lines()
        .take_while(|line| !line.starts_with("fn main"))
        .filter(|line| !line.starts_with("use countersign_models"))
        .collect();
    let library = format!("{}\n#[cfg(test)]\nmod tests;\n", layout.join("\n"));
    let tests = format!("use super::*;\n{}", readmes_test().replace("Lanes<2, 2>", verified));
    fs::create_dir_all(directory.join("src")).unwrap();
    for (file, text) in [("Cargo.toml", manifest), ("src/lib.rs", library), ("src/tests.rs", tests)] {
        fs::write(directory.join(file), text).unwrap();
    }
    fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("../Cargo.lock"), directory.join("Cargo.lock")).unwrap();
}

/// The code in the section of README that is about this.
fn readmes_test() -> &'static str {
    let (_, section) = README.split_once("\n## Verify a layout of your own\n").unwrap();
    let (_, code) = section.split_once("```rust,ignore\n").unwrap();
    code.split_once("```").unwrap().0
}

fn cargo_test(directory: &Path) -> (Output, String) {
    let target: PathBuf = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap().into();
    let mut command = Command::new(env!("CARGO"));
    command.arg("test").current_dir(directory).env("CARGO_NET_OFFLINE", "true").env("CARGO_TARGET_DIR", target);
    let output = command.output().unwrap();
    let text = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned()).join("\n");
    (output, text)
}

#[test]
fn a_right_layout_is_green_and_a_wrong_one_red() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("scratch");

    write(&directory, "Lanes<2, 2>");
    let (output, text) = cargo_test(&directory);
    assert!(output.status.success() && text.contains("2 passed"), "{text}");

    write(&directory, "Lanes<2, 2, true>");
    let (output, text) = cargo_test(&directory);
    // Cargo's code for tests that failed.
    assert_eq!(output.status.code(), Some(101), "{text}");
    assert!(
        text.contains("2 failed") && text.contains("\nFAILED  Lanes, ") && text.contains("lanes[0].allocs[0]"),
        "{text}"
    );
    assert!(text.contains("\nclaim       single writer\n"), "{text}");
    assert!(text.contains("a claim fails as it is written"), "{text}");
}
