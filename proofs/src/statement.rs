//! The statements: that a table keeps the law, one for each table.

use countersign::{Formula, Go, Jemalloc, Llgo, LogLinear, NamedTable, SizeClasses, Table, UpperBounds};

use crate::failure::Failure;
use crate::law::{self, Refutation};
use crate::{exhaustion, smt};

/// That one index keeps the law for these upper bounds, and the tools that decide it.
#[derive(Clone, Copy)]
pub struct Statement {
    /// The table, or the wrong index with the upper bounds that the law is about.
    pub table: NamedTable,
    smt: fn(&[u64]) -> Result<(), Failure>,
    exhaustion: fn(&NamedTable) -> Result<(), Refutation>,
}

/// Bounds of which many share a step of the lookup, so that it goes on with a search; the last is the largest there is.
enum Uneven {}

impl UpperBounds for Uneven {
    const UPPER_BOUNDS: &'static [u64] = {
        const CROWD: u64 = 1 << 40;
        &[1, 3, 17, CROWD, CROWD + 1, CROWD + 2, CROWD + 3, CROWD + 50, CROWD + 51, CROWD + 99, 1 << 62, u64::MAX]
    };
}

impl Statement {
    /// The tables of the core, the corners of what `LogLinear` allows, and a `Table` that must search.
    pub const ALL: [Self; 7] = [
        Self::table::<Llgo>("llgo"),
        Self::table::<Go>("go"),
        Self::table::<Jemalloc>("jemalloc"),
        Self::table::<LogLinear<0, 63, 0>>("log_linear_0_63_0"),
        Self::table::<LogLinear<0, 63, 3>>("log_linear_0_63_3"),
        Self::table::<LogLinear<62, 63, 1>>("log_linear_62_63_1"),
        Self::table::<Table<Uneven>>("uneven"),
    ];

    const fn table<S: SizeClasses + Formula>(name: &'static str) -> Self {
        Self {
            table: NamedTable::new::<S>(name),
            smt: smt::prove::<S>,
            exhaustion: |table| exhaustion::prove(table, S::index),
        }
    }

    /// A statement about a formula that is no table.
    pub(crate) const fn formula<F: Formula>(name: &'static str, upper_bounds: &'static [u64]) -> Self {
        Self {
            table: NamedTable { name, upper_bounds, index: |size| F::class(size) as usize },
            smt: smt::prove::<F>,
            exhaustion: |table| exhaustion::prove(table, |size| F::class(size) as usize),
        }
    }

    /// Proves the statement for all sizes by the solver.
    pub fn by_smt(&self) -> Result<(), Failure> {
        (self.smt)(self.table.upper_bounds)
    }

    /// Proves the statement for the sizes up to 2^32 one by one, and tries it at every edge above.
    pub fn by_exhaustion(&self) -> Result<(), Refutation> {
        (self.exhaustion)(&self.table)
    }

    /// Whether `size` has its lawful class.
    pub fn check(&self, size: u64) -> Result<(), Refutation> {
        law::check(self.table.upper_bounds, self.table.index, size)
    }
}

/// The tables of some statements, without what proves them: a constant of them needs no solver.
pub const fn tables<const N: usize>(statements: [Statement; N]) -> [NamedTable; N] {
    let mut tables = [statements[0].table; N];
    let mut position = 1;
    while position < N {
        tables[position] = statements[position].table;
        position += 1;
    }
    tables
}
