//! Each rule finds the fault that is planted for it, and is content once that is mended.

use std::collections::BTreeSet;
use std::path::Path;

use crate::house::{Alone, House, Package, Room};
use crate::tree::Crate;
use crate::{alone, rules};

/// A library whose files are given by path and text.
pub(crate) fn library(files: &[(&str, &str)]) -> Crate {
    let sources = |path: &Path| {
        let (_, text) = files.iter().find(|(file, _)| Path::new(file) == path)?;
        Some((*text).to_owned())
    };
    Crate::read("planted", true, Path::new("src/lib.rs"), &sources)
}

/// The rule finds one fault in the first library, and says all this of it; and none in the second.
#[track_caller]
fn assert_found(rule: impl Fn(&Crate) -> Vec<String>, fault: &Crate, says: &[&str], mended: &Crate) {
    assert_says(&rule(fault), says);
    for found in [fault, mended].map(rules::nothing_unread) {
        assert_eq!(found, [""; 0]);
    }
    assert_eq!(rule(mended), [""; 0]);
}

/// There is one message, and it says all this.
#[track_caller]
fn assert_says(messages: &[String], says: &[&str]) {
    let [message] = messages else { panic!("one fault is planted, and found are {messages:#?}") };
    for words in says {
        assert!(message.contains(words), "`{words}` is not in: {message}");
    }
}

#[test]
fn a_circle_of_files_is_found() {
    let parent = "mod lot;\npub struct Size;\nfn lot() { lot::make() }";
    let fault = library(&[("src/lib.rs", parent), ("src/lot.rs", "use super::Size;\npub fn make() {}")]);
    let says = [
        "src/lib.rs -> src/lot.rs -> src/lib.rs (rule: ",
        "2 are tied together",
        "\n  src/lib.rs:3: `lot::make`, which is of src/lot.rs",
        "\n  src/lot.rs:1: `super::Size`, which is of src/lib.rs",
    ];
    let mended = library(&[
        ("src/lib.rs", "mod lot; mod size; pub use size::Size; fn lot() { lot::make() }"),
        ("src/lot.rs", "use super::Size; pub fn make() {}"),
        ("src/size.rs", "pub struct Size;"),
    ]);
    assert_found(rules::no_circle_of_files, &fault, &says, &mended);
}

#[test]
fn a_circle_of_three_files_is_found_and_what_hangs_on_it_is_not_part_of_it() {
    let rest = [
        ("src/lib.rs", "mod a; mod b; mod c; mod user; mod used; mod last;"),
        ("src/a.rs", "use crate::b::B; pub struct A;"),
        ("src/b.rs", "use crate::c::C; use crate::used::Used; pub struct B;"),
        ("src/user.rs", "use crate::a::A;"),
        ("src/used.rs", "use crate::last::Last; pub struct Used;"),
        ("src/last.rs", "pub struct Last;"),
    ];
    let fault = library(&[&rest[..], &[("src/c.rs", "use crate::a::A; pub struct C;")]].concat());
    let mended = library(&[&rest[..], &[("src/c.rs", "pub struct C;")]].concat());
    let says = ["src/a.rs -> src/b.rs -> src/c.rs -> src/a.rs (", "3 are tied together"];
    assert_found(rules::no_circle_of_files, &fault, &says, &mended);
}

#[test]
fn a_circle_of_siblings_is_found_where_no_file_is_on_one() {
    let rest = [
        ("src/lib.rs", "mod house;"),
        ("src/house.rs", "mod left; mod right;"),
        ("src/house/left.rs", "mod user; pub mod used;"),
        ("src/house/left/used.rs", "pub struct Used;"),
        ("src/house/right.rs", "pub struct Right; mod deep;"),
    ];
    let up = ("src/house/left/user.rs", "use super::super::right::Right;");
    let fault =
        library(&[&rest[..], &[up, ("src/house/right/deep.rs", "use crate::house::left::used::Used;")]].concat());
    let mended = library(&[&rest[..], &[up, ("src/house/right/deep.rs", "")]].concat());
    assert_eq!(rules::no_circle_of_files(&fault), [""; 0]);
    let says = [
        "`crate::house::left` -> `crate::house::right` -> `crate::house::left` (",
        "src/house/left/user.rs:1: `super::super::right::Right`, which is of src/house/right.rs",
        "src/house/right/deep.rs:1: `crate::house::left::used::Used`, which is of src/house/left/used.rs",
    ];
    assert_found(rules::no_circle_of_siblings, &fault, &says, &mended);
}

#[test]
fn a_command_line_in_the_library_is_found() {
    let rule = |found: &Crate| rules::no_command_line(found, "cli");
    let mended = library(&[("src/lib.rs", "mod report; fn f(cli: u8) { g(cli) }"), ("src/report.rs", "")]);
    let declared = library(&[("src/lib.rs", "mod cli;"), ("src/cli.rs", "")]);
    assert_found(rule, &declared, &["src/cli.rs: a module `cli`", "declare it in the binary"], &mended);
    let named = library(&[("src/lib.rs", "mod report;"), ("src/report.rs", "\nuse crate::cli::table;")]);
    assert_says(
        &rule(&named),
        &["src/report.rs:2: `crate::cli::table` (rule: the library of planted never uses `cli`)"],
    );
}

#[test]
fn a_room_that_uses_one_above_it_is_found() {
    const ROOMS: &[Room] = &[Room { name: "upper", may_use: &["lower"] }, Room { name: "lower", may_use: &[] }];
    let rule = |found: &Crate| rules::rooms(found, ROOMS);
    let root = ("src/lib.rs", "mod lower; mod upper; pub use upper::Upper;");
    let upper = ("src/upper.rs", "use crate::lower::deep::Lower; pub struct Upper;");
    let lower = ("src/lower.rs", "pub mod deep;");
    let fault = library(&[root, upper, lower, ("src/lower/deep.rs", "use crate::Upper;\npub struct Lower;")]);
    let mended = library(&[root, upper, lower, ("src/lower/deep.rs", "pub struct Lower;")]);
    let says = [
        "src/lower/deep.rs:1: `crate::Upper`, which is of src/upper.rs (rule: the rooms of the library of planted)",
        "`lower` may use no room, not `upper`: move",
    ];
    assert_found(rule, &fault, &says, &mended);

    let missing = library(&[("src/lib.rs", "mod upper;"), ("src/upper.rs", "")]);
    assert_says(&rule(&missing), &["src/lib.rs: no module `lower`"]);
    let more =
        library(&[("src/lib.rs", "mod lower; mod upper; mod shed {}"), ("src/lower.rs", ""), ("src/upper.rs", "")]);
    assert_says(&rule(&more), &["src/lib.rs: a module `shed`", "add the room to house.rs"]);
}

#[test]
fn a_package_that_does_not_stand_alone_is_found() {
    const ALONE: Alone = Alone { package: "graph", without: &["loom"], never_says: &["models::"] };
    let package = |name: &str, depends_on: &[&str], built_with: &[&str], text: &str| {
        let names = |names: &[&str]| names.iter().map(|name| String::from(*name)).collect::<BTreeSet<_>>();
        let (name, depends_on, built_with) = (name.into(), names(depends_on), names(built_with));
        Package { name, depends_on, built_with, texts: vec![("src/lib.rs".into(), text.into())] }
    };
    let found = |depends_on: &[&str], built_with: &[&str], text: &str| {
        let packages =
            vec![package("graph", depends_on, built_with, text), package("models", &["graph"], &["loom"], "")];
        alone::stands_alone(&House { packages, crates: Vec::new() }, &ALONE)
    };
    assert_eq!(found(&["serde"], &["serde", "syn"], "//! The models."), [""; 0]);
    assert_says(&found(&["models"], &[], ""), &["the manifest of `graph` names `models`"]);
    assert_says(
        &found(&["serde"], &["serde", "loom"], ""),
        &["`graph` is built with `loom`", "cargo tree -p graph -i loom"],
    );
    assert_says(&found(&[], &[], "\n/// As models::Cell is.\n"), &["src/lib.rs:2: `models::`"]);
    let none = House { packages: Vec::new(), crates: Vec::new() };
    assert_says(&alone::stands_alone(&none, &ALONE), &["the workspace has no package `graph`"]);
    assert!(none.library("graph").is_err());
}

#[test]
fn a_module_with_too_many_children_is_found() {
    let rule = |found: &Crate| rules::few_children(found, 2);
    let fault = library(&[("src/lib.rs", "mod a {} mod b;"), ("src/b.rs", "mod c {} mod d {} mod e {}")]);
    let mended =
        library(&[("src/lib.rs", "mod a {} mod b;"), ("src/b.rs", "mod c {} mod d {} #[cfg(test)] mod tests;")]);
    assert_found(rule, &fault, &["src/b.rs: `crate::b` has 3 modules: c, d, e (rule: at most 2)"], &mended);
}

#[test]
fn what_cannot_be_followed_or_read_is_found() {
    let root = ("src/lib.rs", "mod a; mod b;");
    let a = ("src/a.rs", "pub fn real() {}");
    let mended = library(&[root, a, ("src/b.rs", "fn f() { crate::a::real() }")]);
    assert_eq!(rules::nothing_unread(&mended), [""; 0]);
    for (text, says) in [
        ("fn f() { crate::a::gone() }", "src/b.rs:1: `crate::a::gone`: `crate::a` has no `gone`"),
        ("use super::gone::Item;", "src/b.rs:1: `super::gone::Item`: `crate` has no `gone`"),
        ("use self::gone::Item;", "`self::gone::Item`: `crate::b` has no `gone`"),
        ("pub use crate::gone::*;", "`crate::gone`: `crate` has no `gone`"),
        ("fn f() { assert!(crate::a::gone()) }", "`crate::a::gone`"),
        ("use super::super::a::real;", "the root has no module above it"),
        ("use super::a; fn f() { a::gone() }", "`a::gone`: `crate::a` has no `gone`"),
        ("fn f( {", "src/b.rs:1: "),
        ("mod c;", "src/b/c.rs: there is no such file"),
    ] {
        assert_says(&rules::nothing_unread(&library(&[root, a, ("src/b.rs", text)])), &[says]);
    }
}
