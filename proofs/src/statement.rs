//! The statements: that a table keeps the law, one for each table.

use std::fmt;

use countersign::{Formula, Go, Jemalloc, Llgo, LogLinear, SizeClasses};

use crate::law::{self, Refutation};
use crate::{exhaustion, smt};

/// That one index keeps the law for these upper bounds, and the tools that decide it.
#[derive(Clone, Copy)]
pub struct Statement {
    /// The name of the table, or of the wrong index.
    pub name: &'static str,
    /// The upper bounds that the law is about.
    pub upper_bounds: &'static [u64],
    /// The index.
    pub index: fn(u64) -> usize,
    smt: fn(&[u64]) -> Result<(), Failure>,
    exhaustion: fn(&[u64]) -> Result<(), Refutation>,
}

/// Why a statement is not proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// It is wrong.
    Refuted(Refutation),
    /// An operation overflows or the like at this size, whatever the class is then.
    Faults {
        /// The size.
        size: u64,
        /// What must hold and does not.
        precondition: &'static str,
    },
    /// The solver did not decide it, or could not be asked.
    Undecided(String),
}

impl Statement {
    /// The tables of the core, and the corners of what `LogLinear` allows.
    pub const ALL: [Self; 6] = [
        Self::table::<Llgo>("llgo"),
        Self::table::<Go>("go"),
        Self::table::<Jemalloc>("jemalloc"),
        Self::table::<LogLinear<0, 63, 0>>("log_linear_0_63_0"),
        Self::table::<LogLinear<0, 63, 3>>("log_linear_0_63_3"),
        Self::table::<LogLinear<62, 63, 1>>("log_linear_62_63_1"),
    ];

    const fn table<S: SizeClasses + Formula>(name: &'static str) -> Self {
        Self {
            name,
            upper_bounds: S::UPPER_BOUNDS,
            index: S::index,
            smt: smt::prove::<S>,
            exhaustion: |upper_bounds| exhaustion::prove(upper_bounds, S::index),
        }
    }

    /// A statement about a formula that is no table.
    pub(crate) const fn formula<F: Formula>(name: &'static str, upper_bounds: &'static [u64]) -> Self {
        Self {
            name,
            upper_bounds,
            index: |size| F::class(size) as usize,
            smt: smt::prove::<F>,
            exhaustion: |upper_bounds| exhaustion::prove(upper_bounds, |size| F::class(size) as usize),
        }
    }

    /// Proves the statement for all sizes by the solver.
    pub fn by_smt(&self) -> Result<(), Failure> {
        (self.smt)(self.upper_bounds)
    }

    /// Proves the statement for the sizes up to 2^32 one by one, and tries it at every edge above.
    pub fn by_exhaustion(&self) -> Result<(), Refutation> {
        (self.exhaustion)(self.upper_bounds)
    }

    /// Whether `size` has its lawful class.
    pub fn check(&self, size: u64) -> Result<(), Refutation> {
        law::check(self.upper_bounds, self.index, size)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refuted(refutation) => refutation.fmt(f),
            Self::Faults { size, precondition } => write!(f, "at size {size} it does not hold that {precondition}"),
            Self::Undecided(reason) => f.write_str(reason),
        }
    }
}
