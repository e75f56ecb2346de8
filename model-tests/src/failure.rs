//! A failure: the execution, as small as it gets, and how it is repeated.

mod counterexample;
mod replay;
mod shrink;
mod token;

pub use counterexample::Counterexample;
pub use replay::{command_line, read, replay};
pub use shrink::{Shrunk, shrink};
pub use token::Token;
