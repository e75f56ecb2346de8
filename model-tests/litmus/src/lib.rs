//! Litmus programs as data, and the parser of their text.
//!
//! `model-tests/litmus/FORMAT.md` describes the text. A package of its own, without dependencies, so that it can be fuzzed
//! without building the engines.

#![deny(missing_docs, unsafe_op_in_unsafe_fn)]

mod parse;
mod program;
mod words;

pub use parse::{parse, read};
pub use program::{
    Atom, Check, Comparison, Condition, Expected, Expression, FinalAtom, FinalCheck, Litmus, Operator, Order, Register,
    Statement, Thread, Variable,
};
pub use words::ParseError;
