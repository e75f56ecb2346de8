//! The architecture of the workspace, checked on its sources: which file uses which, as its `use` declarations and paths
//! say, and what the manifests say.
//!
//! What it cannot see: a method that is called on a value and defined in another file than the value's type, and a name
//! that only a macro's expansion has.

mod alone;
mod attributes;
mod circles;
mod house;
mod mentions;
mod names;
mod planted;
mod planted_paths;
mod resolve;
mod rules;
mod tokens;
mod tree;
mod workspace;

use std::sync::LazyLock;

use house::{COMMAND_LINE, EXPLORER, House, MOST_CHILDREN, ROOMS, SUITE};
use tree::Crate;

static HOUSE: LazyLock<House> = LazyLock::new(workspace::read);

/// Fails with every message.
#[track_caller]
fn assert_none(faults: &[String]) {
    assert!(faults.is_empty(), "{}\n{} faults", faults.join("\n\n"), faults.len());
}

/// The faults of every crate of the workspace.
fn in_each_crate(rule: impl Fn(&Crate) -> Vec<String>) -> Vec<String> {
    HOUSE.crates.iter().flat_map(rule).collect()
}

/// The faults of the suite's library, or that there is no such library.
fn in_the_suite(rule: impl Fn(&Crate) -> Vec<String>) -> Vec<String> {
    HOUSE.library(SUITE).map_or_else(|message| vec![message], rule)
}

#[test]
fn every_path_is_followed() {
    assert_none(&in_each_crate(rules::nothing_unread));
}

#[test]
fn files_form_no_circle() {
    assert_none(&in_each_crate(rules::no_circle_of_files));
}

#[test]
fn sibling_modules_form_no_circle() {
    assert_none(&in_each_crate(rules::no_circle_of_siblings));
}

#[test]
fn the_suite_does_not_know_the_command_line() {
    assert_none(&in_the_suite(|library| rules::no_command_line(library, COMMAND_LINE)));
}

#[test]
fn the_suites_rooms_use_those_they_may() {
    assert_none(&in_the_suite(|library| rules::rooms(library, ROOMS)));
}

#[test]
fn the_explorer_stands_alone() {
    assert_none(&alone::stands_alone(&HOUSE, &EXPLORER));
}

#[test]
fn no_module_has_too_many_children() {
    assert_none(&in_each_crate(|found| rules::few_children(found, MOST_CHILDREN)));
}
