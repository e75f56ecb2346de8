//! Why a statement is not proved.

use std::fmt;

use crate::law::Refutation;

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

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refuted(refutation) => refutation.fmt(f),
            Self::Faults { size, precondition } => write!(f, "at size {size} it does not hold that {precondition}"),
            Self::Undecided(reason) => f.write_str(reason),
        }
    }
}
