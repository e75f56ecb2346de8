#![doc = include_str!("../README.md")]
#![deny(missing_docs, unsafe_op_in_unsafe_fn)]

mod execution;
mod model;
mod replay;
mod run;
mod search;
mod show;
pub mod sync;
pub mod thread;
mod verdict;

pub use execution::{Action, Execution, LastValue, Line, Place, Row, Source, fingerprint, labels, last_values};
pub use replay::{Replay, ReplayError};
pub use run::panics::install_panic_hook;
pub use search::{Complete, Search, replay};
pub use show::encoding;
pub use sync::wait::{assume, block_until};
pub use verdict::{Claim, Conclusion, Exploration, Outcome, Verdict, Violation};
