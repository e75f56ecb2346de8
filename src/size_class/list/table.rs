//! Any list of upper bounds, as a table.

use core::marker::PhantomData;

use super::lookup::Lookup;
use crate::size_class::size_classes::SizeClasses;
use crate::size_class::word::{Formula, Word};

/// A list of upper bounds that is known to the compiler.
pub trait UpperBounds: 'static {
    /// The upper bounds in bytes: strictly ascending, none 0, and at most [256](crate::RuntimeTable::MAX_CLASSES).
    const UPPER_BOUNDS: &'static [u64];
}

/// The table with the upper bounds of `B`: the compiler turns them into a direct lookup.
///
/// ```
/// use countersign::{AllocProfile, Slots, SizeClasses, Table, UpperBounds};
///
/// enum Pages {}
///
/// impl UpperBounds for Pages {
///     const UPPER_BOUNDS: &'static [u64] = &[100, 4096, 3 * 4096];
/// }
///
/// type PageTable = Table<Pages>;
///
/// assert_eq!(PageTable::index(100), 0);
/// assert_eq!(PageTable::index(101), 1);
/// static HEAP: AllocProfile<Slots<{ PageTable::COUNT }>, PageTable> = AllocProfile::new(Slots::new());
/// ```
///
/// The index takes one load of a byte where no two classes share a step of the lookup, and a second load where they
/// share one in pairs; lists that are too uneven for that (three bounds within a thousandth of their size, say) take one
/// more for each doubling of the number that share it.
///
/// A list that makes no table does not compile:
///
/// ```compile_fail,E0080
/// # use countersign::{SizeClasses, Table, UpperBounds};
/// enum Twice {}
///
/// impl UpperBounds for Twice {
///     const UPPER_BOUNDS: &'static [u64] = &[8, 16, 16];
/// }
///
/// // error: the upper bounds of a table must be strictly ascending
/// println!("{}", Table::<Twice>::index(8));
/// ```
///
/// ```compile_fail,E0080
/// # use countersign::{SizeClasses, Table, UpperBounds};
/// # enum None {}
/// # impl UpperBounds for None {
/// const UPPER_BOUNDS: &'static [u64] = &[]; // error: a table must have a class
/// # }
/// # println!("{}", Table::<None>::COUNT);
/// ```
///
/// ```compile_fail,E0080
/// # use countersign::{SizeClasses, Table, UpperBounds};
/// # enum Zero {}
/// # impl UpperBounds for Zero {
/// const UPPER_BOUNDS: &'static [u64] = &[0, 8]; // error: the upper bounds of a table must not be 0
/// # }
/// # println!("{}", Table::<Zero>::COUNT);
/// ```
///
/// ```compile_fail,E0080
/// # use countersign::{SizeClasses, Table, UpperBounds};
/// # enum Long {}
/// # impl UpperBounds for Long {
/// const UPPER_BOUNDS: &'static [u64] = &[8; 257]; // error: a table must have 256 classes at most
/// # }
/// # println!("{}", Table::<Long>::COUNT);
/// ```
pub struct Table<B>(PhantomData<fn() -> B>);

impl<B: UpperBounds> Table<B> {
    /// How many classes there are, for use in a type: `Slots<{ Go::COUNT }>`.
    pub const COUNT: usize = Self::LOOKUP.upper_bounds().len();

    const LOOKUP: &'static Lookup = &match Lookup::new(B::UPPER_BOUNDS) {
        Ok(lookup) => lookup,
        Err(error) => panic!("{}", error.claim()),
    };
}

impl<B: UpperBounds> SizeClasses for Table<B> {
    const COUNT: usize = Self::COUNT;
    const UPPER_BOUNDS: &'static [u64] = Self::LOOKUP.upper_bounds();

    #[inline]
    fn index(size: u64) -> usize {
        Self::class(size) as usize
    }
}

impl<B: UpperBounds> Formula for Table<B> {
    #[inline]
    fn class<W: Word>(size: W) -> W {
        Self::LOOKUP.class(size)
    }
}
