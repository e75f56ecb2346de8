//! The proof by a solver: the shipped formula, run on its terms.
//!
//! For each class the solver is asked for a size that is in it by the law and that the formula puts elsewhere. It answers
//! that there is none, of all 2^64. It is also asked for a size at which an operation of the formula would overflow, or
//! shift too far, or take the logarithm of 0.

mod session;
mod solver;
mod term;

pub use session::{operations_that_differ, prove};
pub use solver::{find_solver, solver};
