//! Any list of bounds is refused with the right error, or makes a lawful table.

use arbitrary::{Arbitrary, Result, Unstructured};
use countersign::{RuntimeTable, TableError};
use countersign_proofs::law;

/// A list is refused for the first of its faults; one without makes a table that keeps the law at all its edges and at
/// `size`, and has the bounds of the list.
fn property(list: &[u64], size: u64) {
    let table = match (RuntimeTable::try_new(list), fault(list)) {
        (Ok(table), None) => table,
        (Err(error), Some(expected)) => {
            assert_eq!(error, expected, "{list:?}");
            assert!(!error.to_string().is_empty());
            return;
        }
        (made, expected) => panic!("{list:?} should give the error {expected:?}, but gives {made:?}"),
    };
    assert_eq!(table.upper_bounds(), list);
    let near = |bound: &u64| [bound - 1, *bound, bound.saturating_add(1)];
    for size in list.iter().flat_map(near).chain([0, size, u64::MAX]) {
        if let Err(refutation) = law::check(list, |size| table.index(size), size) {
            panic!("{refutation} of {list:?}");
        }
    }
}

/// What is wrong with a list, if anything is.
fn fault(list: &[u64]) -> Option<TableError> {
    match list {
        [] => Some(TableError::Empty),
        _ if list.len() > 256 => Some(TableError::TooMany { classes: list.len() }),
        [0, ..] => Some(TableError::Zero),
        _ => {
            let descends = list.windows(2).position(|pair| pair[0] >= pair[1])?;
            Some(TableError::NotAscending { position: descends + 1 })
        }
    }
}

/// Runs the body.
pub fn run(data: &[u8]) {
    if let Ok(input) = Input::arbitrary(&mut Unstructured::new(data)) {
        property(&input.list, input.size);
    }
}

#[derive(Debug)]
struct Input {
    size: u64,
    list: Vec<u64>,
}

/// How a list goes on, which is upwards more often than not.
#[derive(Arbitrary, Debug)]
enum Bound {
    Above(u8),
    Scaled(u8, u8),
    Double,
    ManyAbove(u8),
    Any(u64),
}

impl<'a> Arbitrary<'a> for Input {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let size = u.arbitrary()?;
        let mut list = Vec::new();
        let mut last: u64 = 0;
        while !u.is_empty() && list.len() < 300 {
            let repeats = match u.arbitrary()? {
                Bound::Above(more) => {
                    last = last.saturating_add(more.into());
                    0
                }
                Bound::Scaled(more, shift) => {
                    last = last.saturating_add(u64::from(more) << (shift % 57));
                    0
                }
                Bound::Double => {
                    last = last.saturating_mul(2);
                    0
                }
                Bound::ManyAbove(count) => count,
                Bound::Any(bound) => {
                    last = bound;
                    0
                }
            };
            list.push(last);
            for _ in 0..repeats {
                last = last.saturating_add(1);
                list.push(last);
            }
        }
        Ok(Self { size, list })
    }
}
