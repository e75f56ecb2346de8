//! Any table keeps the law, at sizes near its edges.

use std::sync::OnceLock;

use arbitrary::{Arbitrary, Result, Unstructured};
use countersign::NamedTable;
use countersign_proofs::statement::tables;
use countersign_proofs::{Statement, law, wrong};

/// Names an index of `countersign_proofs::wrong` that takes the place of the tables: the fuzzer must find its fault.
pub const WRONG_INDEX: &str = "COUNTERSIGN_WRONG";

/// The class of a size is one of the table's, holds the size unless it is the last, and is the first that does: with bounds
/// that ascend, that is the law, without a scan that would slow the fuzzer down.
fn property(table: &NamedTable, size: u64) {
    let (bounds, class) = (table.upper_bounds, (table.index)(size));
    let holds = |class: usize| class + 1 == bounds.len() || bounds.get(class).is_some_and(|bound| size <= *bound);
    let is_first = |class: usize| class.checked_sub(1).is_none_or(|before| bounds[before] < size);
    if !(holds(class) && is_first(class)) {
        refute(table, size);
    }
}

/// Apart from the property, since what it needs of the stack would cost each execution under AddressSanitizer.
#[cold]
#[inline(never)]
fn refute(table: &NamedTable, size: u64) -> ! {
    let refutation = law::check(table.upper_bounds, table.index, size).expect_err("the linear scan says so too");
    panic!("{}: {refutation}", table.name);
}

/// Runs the body.
pub fn run(data: &[u8]) {
    let subjects = subjects();
    if let Ok(input) = Input::arbitrary(&mut Unstructured::new(data)) {
        let subject = &subjects[usize::from(input.table) % subjects.len()];
        property(&subject.table, input.size.among(&subject.edges));
    }
}

#[derive(Arbitrary, Debug)]
struct Input {
    table: u8,
    size: Size,
}

/// A size, near an edge more often than not.
#[derive(Debug)]
enum Size {
    /// The edge at this position, and how far from it.
    Near(u16, i8),
    Any(u64),
}

impl<'a> Arbitrary<'a> for Size {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        if u.ratio(7, 8)? {
            Ok(Self::Near(u.arbitrary()?, u.int_in_range(-2..=2)?))
        } else {
            u.arbitrary().map(Self::Any)
        }
    }
}

impl Size {
    fn among(&self, edges: &[u64]) -> u64 {
        match self {
            Self::Near(edge, distance) => {
                edges[usize::from(*edge) % edges.len()].saturating_add_signed((*distance).into())
            }
            Self::Any(size) => *size,
        }
    }
}

/// A table and its edges.
struct Subject {
    table: NamedTable,
    edges: Vec<u64>,
}

fn subjects() -> &'static [Subject] {
    static SUBJECTS: OnceLock<Vec<Subject>> = OnceLock::new();
    SUBJECTS.get_or_init(all_subjects)
}

// Constants, so that the solver is no part of the fuzzers: each block of code costs each execution a little.
const TABLES: [NamedTable; Statement::ALL.len()] = tables(Statement::ALL);
const WRONG: [NamedTable; wrong::WRONG.len()] = tables(wrong::WRONG);

#[cold]
#[inline(never)]
fn all_subjects() -> Vec<Subject> {
    let tables = match std::env::var(WRONG_INDEX) {
        Ok(name) => WRONG.into_iter().filter(|wrong| wrong.name == name).collect(),
        Err(_) => TABLES.to_vec(),
    };
    assert!(!tables.is_empty(), "{WRONG_INDEX} must be one of {:?}", WRONG.map(|wrong| wrong.name));
    let subject = |table: NamedTable| Subject { edges: law::edges([&table]), table };
    tables.into_iter().map(subject).collect()
}
