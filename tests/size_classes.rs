//! The law of the size classes, as an algebra that quickcheck tries on every table, and what the tables are.

#![allow(missing_docs, reason = "a test")]

use std::alloc::Layout;

use countersign::{
    AllocProfile, Go, Jemalloc, Llgo, LogLinear, NamedTable, RuntimeTable, Shared, SizeClasses, Table, TableError,
    UpperBounds,
};
use quickcheck::{Arbitrary, Gen, QuickCheck};

/// The law, read aloud.
fn linear_scan(upper_bounds: &[u64], size: u64) -> usize {
    upper_bounds.iter().position(|bound| *bound >= size).unwrap_or(upper_bounds.len() - 1)
}

/// A size of any magnitude, or one close to a bound: which one, and on which side of it.
#[derive(Clone, Debug)]
enum Size {
    Any(u64),
    Near(usize, i8),
}

impl Size {
    fn among(&self, upper_bounds: &[u64]) -> u64 {
        match self {
            Self::Any(size) => *size,
            Self::Near(bound, distance) => {
                upper_bounds[bound % upper_bounds.len()].saturating_add_signed((*distance).into())
            }
        }
    }
}

impl Arbitrary for Size {
    fn arbitrary(g: &mut Gen) -> Self {
        if bool::arbitrary(g) {
            Self::Any(magnitude(g))
        } else {
            Self::Near(usize::arbitrary(g), *g.choose(&[-2, -1, 0, 1, 2]).unwrap())
        }
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        match self {
            Self::Any(size) => Box::new(size.shrink().map(Self::Any)),
            Self::Near(..) => Box::new(std::iter::empty()),
        }
    }
}

/// A list of bounds that makes a table: spread over all magnitudes, or crowded into a few places.
#[derive(Clone, Debug)]
struct Bounds(Vec<u64>);

impl Arbitrary for Bounds {
    fn arbitrary(g: &mut Gen) -> Self {
        let classes = 1 + usize::arbitrary(g) % RuntimeTable::MAX_CLASSES;
        let crowd = magnitude(g);
        let mut bounds: Vec<u64> = match u8::arbitrary(g) % 3 {
            0 => (0..classes).map(|_| magnitude(g)).collect(),
            1 => (0..classes).map(|_| crowd.saturating_add(u64::arbitrary(g) % 1000)).collect(),
            _ => (0..classes).map(|_| (magnitude(g) >> 6) << 6).collect(),
        };
        bounds.sort_unstable();
        bounds.dedup();
        bounds.retain(|bound| *bound > 0);
        if bounds.is_empty() { Self(vec![1]) } else { Self(bounds) }
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        let without = |list: &Vec<u64>, position| {
            let mut shorter = list.clone();
            shorter.remove(position);
            Self(shorter)
        };
        let list = self.0.clone();
        let positions = if list.len() > 1 { 0..list.len() } else { 0..0 };
        Box::new(positions.map(move |position| without(&list, position)))
    }
}

/// A number whose length in bits is as likely one as another.
fn magnitude(g: &mut Gen) -> u64 {
    u64::arbitrary(g) >> (u32::arbitrary(g) % 64)
}

/// What holds of any table, for one class and one size.
fn lawful(upper_bounds: &[u64], index: impl Fn(u64) -> usize, class: usize, size: u64, other: u64) {
    let class = class % upper_bounds.len();
    let last = upper_bounds.len() - 1;
    let bound = upper_bounds[class];
    // Exact at each edge, and on both its sides.
    assert_eq!(index(bound), class, "the bound {bound} of class {class}");
    if let Some(above) = bound.checked_add(1) {
        assert_eq!(index(above), (class + 1).min(last), "one above the bound {bound} of class {class}");
    }
    // Tight: the class holds the size, and the one before it does not.
    let found = index(size);
    assert!(found <= last, "size {size} is in class {found} of {}", upper_bounds.len());
    assert!(upper_bounds[found] >= size || found == last, "size {size} in class {found}");
    assert!(found == 0 || upper_bounds[found - 1] < size, "size {size} in class {found}");
    // Monotone.
    let (smaller, larger) = (size.min(other), size.max(other));
    assert!(index(smaller) <= index(larger), "sizes {smaller} and {larger}");
}

#[test]
fn every_table_keeps_the_law() {
    fn property(class: usize, size: Size, other: Size) {
        for NamedTable { upper_bounds, index, .. } in NamedTable::ALL {
            lawful(upper_bounds, index, class, size.among(upper_bounds), other.among(upper_bounds));
        }
    }
    QuickCheck::new().tests(20_000).quickcheck(property as fn(usize, Size, Size));
}

#[test]
fn every_list_makes_a_lawful_table() {
    fn property(Bounds(bounds): Bounds, class: usize, size: Size, other: Size) {
        let table = RuntimeTable::try_new(&bounds).unwrap();
        assert_eq!((table.count(), table.upper_bounds()), (bounds.len(), &bounds[..]));
        let index = |size| table.index(size);
        lawful(&bounds, index, class, size.among(&bounds), other.among(&bounds));
        // Every edge of the list, with both neighbours.
        for edge in bounds.iter().flat_map(|bound| [bound - 1, *bound, bound.saturating_add(1)]) {
            assert_eq!(index(edge), linear_scan(&bounds, edge), "size {edge}");
        }
    }
    QuickCheck::new().tests(5_000).quickcheck(property as fn(Bounds, usize, Size, Size));
}

#[test]
fn every_table_equals_the_linear_scan() {
    let edges = (0..64).map(|shift| 1_u64 << shift).flat_map(|power| [power - 1, power, power + 1]);
    for size in (0..=131_072).chain(edges).chain([u64::MAX - 1, u64::MAX]) {
        for NamedTable { name, upper_bounds, index } in NamedTable::ALL {
            assert_eq!(index(size), linear_scan(upper_bounds, size), "size {size} in {name}");
        }
    }
}

#[test]
fn edges_are_bounds_powers_of_two_and_the_ends_with_their_neighbours() {
    let go = NamedTable::ALL.into_iter().find(|table| table.name == "go").unwrap();
    let edges: Vec<u64> = go.edges().collect();
    let power = 1 << 63;
    for edge in [0, 1, 2, 3, 47, 48, 49, 32_769, power - 1, power, power + 1, u64::MAX - 1, u64::MAX] {
        assert!(edges.contains(&edge), "{edge}");
    }
    assert_eq!(edges.len(), 3 * (go.upper_bounds.len() + 64 + 2));
}

#[test]
fn llgo_is_16_b_to_1_gib() {
    assert_eq!(Llgo::COUNT, 27);
    assert_eq!(Llgo::upper_bound(0), Some(16));
    assert_eq!(Llgo::upper_bound(26), Some(1 << 30));
    assert_eq!(Llgo::upper_bound(27), None);
}

#[test]
fn go_has_the_bounds_that_go_has() {
    assert_eq!(Go::COUNT, 67);
    // Go's own numbers are one more: class 5 has 48 bytes, and 67 has 32 KiB.
    assert_eq!((Go::index(33), Go::index(48), Go::index(49)), (4, 4, 5));
    assert_eq!((Go::index(28_673), Go::index(32_768), Go::index(32_769)), (66, 66, 66));
}

/// The groups of classes in the table of `jemalloc(3)`, for a quantum of 16 B.
#[test]
fn jemalloc_has_the_bounds_that_jemalloc_has() {
    const KIB: u64 = 1 << 10;
    const EIB: u64 = 1 << 60;
    assert_eq!(Jemalloc::COUNT, 232);
    let bounds = Jemalloc::UPPER_BOUNDS;
    assert_eq!(bounds[..9], [8, 16, 32, 48, 64, 80, 96, 112, 128]);
    assert_eq!(bounds[9..17], [160, 192, 224, 256, 320, 384, 448, 512]);
    // The first class that is not for small blocks, and the largest classes.
    assert_eq!(Jemalloc::index(14 * KIB + 1), 36);
    assert_eq!(bounds[36], 16 * KIB);
    assert_eq!(bounds[228..], [4 * EIB, 5 * EIB, 6 * EIB, 7 * EIB]);
}

#[test]
fn log_linear_may_reach_from_one_byte_to_half_of_all() {
    type All = LogLinear<0, 63, 0>;
    assert_eq!(All::COUNT, 64);
    assert_eq!((All::index(0), All::index(1), All::index(2), All::index(3), All::index(5)), (0, 0, 1, 2, 3));
    assert_eq!((All::index(1 << 63), All::index(u64::MAX)), (63, 63));
    type Fine = LogLinear<0, 63, 3>;
    assert_eq!(Fine::COUNT, 488);
    assert_eq!(Fine::UPPER_BOUNDS[..18], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 20]);
    for (class, bound) in Fine::UPPER_BOUNDS.iter().enumerate() {
        assert_eq!((Fine::index(*bound), Fine::index(bound + 1)), (class, (class + 1).min(487)));
    }
}

#[test]
fn log_linear_equals_the_linear_scan() {
    fn check<T: SizeClasses>() {
        let edges = T::UPPER_BOUNDS.iter().flat_map(|bound| [bound - 1, *bound, bound + 1]);
        for size in (0..5_000).chain(edges).chain([u64::MAX]) {
            assert_eq!(T::index(size), linear_scan(T::UPPER_BOUNDS, size), "size {size} in {:?}", T::UPPER_BOUNDS);
        }
    }
    check::<LogLinear<0, 8, 0>>();
    check::<LogLinear<0, 12, 3>>();
    check::<LogLinear<1, 1, 0>>();
    check::<LogLinear<3, 20, 1>>();
    check::<LogLinear<4, 8, 2>>();
    check::<LogLinear<5, 63, 0>>();
}

/// A search among the last classes of a list that is as long as may be has nothing behind them to look at.
#[test]
fn a_full_list_may_be_crowded_at_its_end() {
    let spread = (0..62).map(|shift| 1_u64 << shift);
    let last = 1 << 62;
    for crowded in 1..=194 {
        let bounds: Vec<u64> = spread.clone().chain(last..last + crowded).collect();
        let table = RuntimeTable::try_new(&bounds).unwrap();
        for size in (last - 2)..(last + crowded + 2) {
            assert_eq!(table.index(size), linear_scan(&bounds, size), "size {size} with {crowded} at the end");
        }
    }
}

#[test]
fn a_list_that_makes_no_table_is_refused_with_the_reason() {
    let refused = |list: &[u64]| {
        let error = RuntimeTable::try_new(list).unwrap_err();
        (error, error.to_string())
    };
    assert_eq!(refused(&[]), (TableError::Empty, "a table must have a class: give at least one upper bound".into()));
    let zero = "the upper bounds of a table must not be 0: leave it out, since blocks of no bytes are not recorded";
    assert_eq!(refused(&[0, 8]), (TableError::Zero, zero.into()));
    let descends = "the upper bounds of a table must be strictly ascending: the one at position 2, counted from 0, is not \
                    greater than the one before it";
    assert_eq!(refused(&[8, 16, 16, 4]), (TableError::NotAscending { position: 2 }, descends.into()));
    assert_eq!(refused(&[8, 16, 0]).0, TableError::NotAscending { position: 2 });
    let many: Vec<u64> = (1..=257).collect();
    let too_many = "a table must have 256 classes at most: there are 257";
    assert_eq!(refused(&many), (TableError::TooMany { classes: 257 }, too_many.into()));
    assert_eq!(RuntimeTable::try_new(&many[..256]).unwrap().index(256), 255);
}

enum Odd {}

impl UpperBounds for Odd {
    const UPPER_BOUNDS: &'static [u64] = &[3, 1 << 40, (1 << 40) + 1, (1 << 40) + 2, u64::MAX];
}

#[test]
fn a_table_of_any_list_is_that_of_run_time() {
    assert_eq!(Table::<Odd>::COUNT, 5);
    let table = RuntimeTable::try_new(Odd::UPPER_BOUNDS).unwrap();
    for size in [0, 1, 3, 4, 1 << 40, (1 << 40) + 1, (1 << 40) + 2, (1 << 40) + 3, u64::MAX] {
        assert_eq!(Table::<Odd>::index(size), linear_scan(Odd::UPPER_BOUNDS, size), "size {size}");
        assert_eq!(table.index(size), linear_scan(Odd::UPPER_BOUNDS, size), "size {size}");
    }
}

/// Rounded up to its alignment, this layout's size would pass `isize::MAX` (as in snmalloc #752); a size of 17 would go
/// from one class to another.
#[test]
fn a_layouts_class_is_that_of_its_size_as_given() {
    let layout = |size, align| Layout::from_size_align(size, align).unwrap();
    assert_eq!(Llgo::class_of(layout(17, 4096)), Some(1));
    assert_eq!(Llgo::class_of(layout(0, 4096)), None);
    let largest = layout(isize::MAX as usize + 1 - (1 << 62), 1 << 62);
    assert_eq!(Jemalloc::class_of(largest), Some(228));
    assert_eq!(Llgo::class_of(largest), Some(26));
    let table = RuntimeTable::try_new(&[16, 32]).unwrap();
    assert_eq!((table.class_of(layout(17, 64)), table.class_of(layout(0, 1))), (Some(1), None));
}

#[test]
fn a_block_of_no_bytes_is_not_recorded() {
    let profile = AllocProfile::<Shared<{ Go::COUNT }>, Go>::new(Shared::new());
    let recorder = profile.register();
    for size in [0, 1, 0, usize::MAX] {
        profile.record_alloc(size);
        recorder.record_alloc(size);
        recorder.record_free(size);
    }
    let totals = profile.snapshot().totals();
    assert_eq!((totals.allocs, totals.frees), (4, 2));
}
