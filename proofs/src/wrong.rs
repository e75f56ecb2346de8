//! Indices that are wrong at an edge, each as an allocator or a histogram once was. Every proof must refute each of them.
//!
//! Those of the law wrap where an addition of theirs would overflow, as release builds do, so that what is refuted is the class, and
//! not a panic.

use countersign::{Formula, Go, GoBounds, Llgo, RuntimeTable, SizeClasses, UpperBounds, Word};

use crate::failure::Failure;
use crate::smt;
use crate::statement::Statement;

/// The wrong indices, each with the law that it breaks.
pub const WRONG: [Statement; 5] = [
    Statement::formula::<RoundedUp>("rounded_up", Llgo::UPPER_BOUNDS),
    Statement::formula::<WrongMask>("wrong_mask", Llgo::UPPER_BOUNDS),
    Statement::formula::<PastTheEnd>("past_the_end", Llgo::UPPER_BOUNDS),
    Statement::formula::<Drifted>("drifted", Go::UPPER_BOUNDS),
    Statement::formula::<TopBit>("top_bit", Llgo::UPPER_BOUNDS),
];

/// A size close to the largest is rounded up, wraps, and is looked up as size 0 (jemalloc #232).
enum RoundedUp {}

/// One bit of a mask is wrong: each edge is in the class after its own (jemalloc #2236).
enum WrongMask {}

/// What is larger than the last bound has an index beyond the table (mimalloc #1186, HdrHistogram_c #147).
enum PastTheEnd {}

/// The index comes from a second list of bounds, of which one is not that of the first (Hoard #107).
enum Drifted {}

/// The next power of two of a size whose top bit is set wraps (dlmalloc-rs #8).
enum TopBit {}

impl Formula for RoundedUp {
    fn class<W: Word>(size: W) -> W {
        // 15 more, modulo 2^64.
        let wraps = size.constant(u64::MAX - 15).less(size);
        let more = size - wraps.load(&[0, u64::MAX - 14]) + wraps.load(&[15_u64, 0]);
        let shift = size.constant(4);
        Llgo::class((more >> shift) << shift)
    }
}

impl Formula for WrongMask {
    fn class<W: Word>(size: W) -> W {
        let class = (size | size.constant(15)).log2() - size.constant(3);
        class.smaller(size.constant(Llgo::COUNT as u64 - 1))
    }
}

impl Formula for PastTheEnd {
    fn class<W: Word>(size: W) -> W {
        let larger = size.constant(1 << 30).less(size);
        Llgo::class(size) + larger
    }
}

impl Formula for Drifted {
    fn class<W: Word>(size: W) -> W {
        static DRIFTED: RuntimeTable = {
            let mut bounds = [0; GoBounds::UPPER_BOUNDS.len()];
            bounds.copy_from_slice(GoBounds::UPPER_BOUNDS);
            bounds[50] += 128;
            match RuntimeTable::try_new(&bounds) {
                Ok(table) => table,
                Err(_) => panic!("the bounds still ascend"),
            }
        };
        DRIFTED.class(size)
    }
}

impl Formula for TopBit {
    fn class<W: Word>(size: W) -> W {
        let one = size.constant(1);
        let bits = ((size - size.smaller(one)) | size.constant(15)).log2() + one;
        // A processor shifts by the amount modulo 64.
        let wraps = size.constant(63).less(bits);
        Llgo::class(one << (bits - (wraps << size.constant(6))))
    }
}

/// A proof of a formula, by the operation in it that no size may fault, and some size does.
pub type FaultyProof = (&'static str, fn() -> Result<(), Failure>);

/// Formulas each of which has an operation whose precondition some size does not meet.
pub const FAULTY: [FaultyProof; 5] = [
    ("add", || smt::prove::<Adds>(&[1])),
    ("subtract", || smt::prove::<Subtracts>(&[1])),
    ("shift_left", || smt::prove::<ShiftsLeft>(&[1])),
    ("shift_right", || smt::prove::<ShiftsRight>(&[1])),
    ("log2", || smt::prove::<TakesLog>(&[1])),
];

enum Adds {}
enum Subtracts {}
enum ShiftsLeft {}
enum ShiftsRight {}
enum TakesLog {}

impl Formula for Adds {
    fn class<W: Word>(size: W) -> W {
        size + size
    }
}

impl Formula for Subtracts {
    fn class<W: Word>(size: W) -> W {
        size - size.constant(1)
    }
}

impl Formula for ShiftsLeft {
    fn class<W: Word>(size: W) -> W {
        size.constant(1) << size
    }
}

impl Formula for ShiftsRight {
    fn class<W: Word>(size: W) -> W {
        size.constant(1) >> size
    }
}

impl Formula for TakesLog {
    fn class<W: Word>(size: W) -> W {
        size.log2()
    }
}
