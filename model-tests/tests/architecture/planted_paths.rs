//! A path is followed to the file that defines what it names, in every form that Rust has for it.

use crate::planted::library;
use crate::rules;

/// Beside `b`, whose text is given: `a` defines items and a macro, `facade` re-exports them.
fn uses_of_b(text: &str) -> Vec<String> {
    let found = library(&[
        ("src/lib.rs", "mod a; mod b; mod facade; mod twin; pub use facade::Kind as Sort;"),
        (
            "src/a.rs",
            "pub struct Item; pub trait Act {} pub enum Kind { One } pub fn make() {} pub const MOST: u8 = 1; \
             macro_rules! say { () => {} } pub(crate) use say; thread_local! { pub static HIDDEN: u8 = 1; } \
             #[macro_export] macro_rules! shout { () => { $crate::a::make() } }",
        ),
        ("src/facade.rs", "mod again; pub use again::{Kind, *}; pub mod inner { pub use crate::a; }"),
        ("src/facade/again.rs", "pub(crate) use crate::a::{Act, Item, Kind, make as build};"),
        ("src/b.rs", text),
        ("src/twin.rs", "pub mod c; pub use c::own as c;"),
        ("src/twin/c.rs", "pub struct Own; pub fn own() {}"),
    ]);
    assert_eq!(rules::nothing_unread(&found), [""; 0], "{text}");
    let file = |file: usize| found.files[file].display().to_string();
    let uses = found.uses().0.into_iter().filter(|used| file(used.from) == "src/b.rs");
    uses.map(|used| format!("{} {} {}", used.line, used.path, file(used.to))).collect()
}

/// `b` uses an item of `a` by this path, and nothing else.
#[track_caller]
fn assert_used(text: &str, path: &str) {
    assert_eq!(uses_of_b(text), [format!("1 {path} src/a.rs")], "{text}");
}

#[track_caller]
fn assert_unused(text: &str) {
    assert_eq!(uses_of_b(text), [""; 0], "{text}");
}

#[test]
fn imports_are_followed() {
    assert_used("use crate::a::Item;", "crate::a::Item");
    assert_used("use super::a::{self, Item as Other};", "super::a::Item");
    assert_used("use crate::facade::Item;", "crate::facade::Item");
    assert_used("use super::facade::build as _;", "super::facade::build");
    assert_used("use crate::Sort; fn f() -> Sort { Sort::One }", "crate::Sort");
    assert_used("use crate::facade::inner::a::make;", "crate::facade::inner::a::make");
    assert_used("use crate::a::*;", "crate::a");
    assert_used("use crate::Sort::*;", "crate::Sort");
    assert_used("use crate::a::HIDDEN;", "crate::a::HIDDEN");
    assert_used("use crate::a::say;", "crate::a::say");
    assert_used("fn f() { use crate::a::Item; }", "crate::a::Item");
    assert_used("mod inner { use super::super::a::Item; }", "super::super::a::Item");
}

#[test]
fn code_is_followed() {
    assert_used("fn f() { crate::a::make() }", "crate::a::make");
    assert_used("use crate::facade; fn f(item: facade::Item) {}", "facade::Item");
    assert_used("use crate::facade::*; fn f(item: &Item) {}", "Item");
    assert_used("fn f() { use crate::facade::inner::a; a::make() }", "crate::facade::inner::a::make");
    assert_used("fn f() { use crate::facade::*; build() }", "crate::facade::build");
    assert_used("struct S<T: crate::a::Act>(T);", "crate::a::Act");
    assert_used("fn f<T>() { <T as crate::a::Act>::act() }", "crate::a::Act::act");
    assert_used("fn f(n: u8) { match n { super::a::MOST => {} _ => {} } }", "super::a::MOST");
    assert_used("pub use crate::a::Item; struct S(Item);", "Item");
    assert_used("fn f() { crate::shout!() }", "crate::shout");
    assert_used("fn f() { crate::a::say!() }", "crate::a::say");
    assert_used("fn f(item: self::up::Item) {} use crate::a as up;", "self::up::Item");
}

#[test]
fn a_macros_words_are_followed() {
    assert_used("fn f() { assert!(x == crate::a::MOST) }", "crate::a::MOST");
    assert_used("use super::a; fn f() { assert!({ a::make() }) }", "a::make");
    assert_used("use super::facade; fn f() { vec![facade::Item, ..] }", "facade::Item");
    assert_used("macro_rules! m { ($a:ident) => { $crate::a::make($a::b) } }", "crate::a::make");
    assert_used("some! { use crate::a::{Item, self}; }", "crate::a::Item");
    assert_used("use super::a; #[command(help = a::MOST)] struct S;", "a::MOST");
    assert_used("fn f() { vec![crate::a::say!()] }", "crate::a::say");
}

#[test]
fn what_is_no_use_is_none() {
    assert_unused("pub use crate::a::Item; pub(crate) use crate::a::*;");
    assert_unused("use crate::a; use crate::facade::*;");
    assert_unused("#[cfg(test)] use crate::a::Item;");
    assert_unused("#[cfg(all(test, unix))] mod tests { use crate::a::Item; }");
    assert_unused("struct S; impl S { #[cfg(test)] fn f() { crate::a::make() } }");
    assert_unused("fn f() { #[cfg(test)] let item = crate::a::Item; }");
    assert_unused("#[test] fn f() { crate::a::make() }");
    assert_unused("pub(in crate::b) struct S;");
    assert_unused("use std::fmt; fn f() { fmt::make(); ::a::make(); a::make() }");
    assert_unused("pub use crate::facade::build; fn f(build: u8) { assert!(build > s.build) }");
    assert_unused("pub use crate::facade::build; fn f() { assert!(s.build() > 1) }");
    assert_unused("use crate::a; macro_rules! m { ($a:ident) => { $a::make() } }");
    assert_unused("/// Like [`Item`](crate::a::Item).\nstruct S;");
    assert_unused("fn f() { struct Item; let item = Item; } pub use crate::a::Item;");
}

#[test]
fn configurations_but_that_of_tests_count() {
    assert_used("#[cfg(feature = \"std\")] use crate::a::Item;", "crate::a::Item");
    assert_used("#[cfg(not(test))] use crate::a::Item;", "crate::a::Item");
    assert_used("#[cfg(any(test, kani))] use crate::a::Item;", "crate::a::Item");
}

#[test]
fn a_module_and_an_item_of_one_name_are_told_apart() {
    assert_unused("use crate::twin::c;");
    assert_eq!(uses_of_b("use crate::twin::c; fn f() { c() }"), ["1 c src/twin/c.rs"]);
    assert_eq!(uses_of_b("use crate::twin::c; fn f(_: c::Own) {}"), ["1 c::Own src/twin/c.rs"]);
}

#[test]
fn files_are_found_where_rust_looks_for_them() {
    let found = library(&[
        ("src/lib.rs", "mod a; mod b; mod c { mod d; } #[path = \"../other/e.rs\"] mod e;"),
        ("src/a.rs", "mod inner;"),
        ("src/a/inner.rs", ""),
        ("src/b/mod.rs", "mod inner;"),
        ("src/b/inner.rs", ""),
        ("src/c/d.rs", ""),
        ("other/e.rs", "mod f;"),
        ("other/f.rs", ""),
    ]);
    assert_eq!(found.unread, [""; 0]);
    let modules: Vec<_> = (0..found.modules.len()).map(|module| found.path_of(module)).collect();
    let expected = ["", "::a", "::a::inner", "::b", "::b::inner", "::c", "::c::d", "::e", "::e::f"];
    assert_eq!(modules, expected.map(|path| format!("crate{path}")));
}

#[test]
fn a_macro_reaches_inwards() {
    let found = library(&[
        ("src/lib.rs", "macro_rules! own { () => {} } fn write() {} mod a;"),
        ("src/a.rs", "fn f() { own!(); write!() }"),
    ]);
    let uses = found.uses().0;
    assert_eq!(uses.iter().map(|used| &*used.path).collect::<Vec<_>>(), ["own"]);
}
