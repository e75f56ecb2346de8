//! Litmus programs: small concurrent programs, written as text, whose executions are known.
//!
//! An engine is believed because it answers questions whose answers are known. A litmus file holds a program of a few
//! operations, the number of its consistent executions and the set of its outcomes; `litmus/FORMAT.md` describes the
//! text, and `litmus/` holds the programs.
//!
//! ```text
//!   text ──parse──▶ Litmus ──explore, on any Machine──▶ Run ──Report::new──▶ rows, and what was not as expected
//! ```
//!
//! - [`Litmus`]: a parsed program. [`parse()`] makes it, [`read`] from a file; nothing in a file is skipped.
//! - [`Machine`]: an [engine](crate::engine::Engine) with fences, and a way to give an execution up.
//! - [`explore()`]: runs a program on a machine. [`Interpreter`] runs one of its threads.
//! - [`Report`]: the answer, compared with what the file expects.

mod answer;
mod explore;
mod interpret;
mod machine;

pub use answer::{Report, Row};
pub use countersign_litmus::{
    Atom, Check, Comparison, Condition, Expected, Expression, FinalAtom, FinalCheck, Litmus, Operator, Order,
    ParseError, Register, Statement, Thread, Variable, parse, read,
};
pub use explore::{Run, executable, explore};
pub use interpret::{Interpreter, Progress};
pub use machine::Machine;
