//! What is claimed, what an exploration proved of it, and what a snapshot may be.

mod exploration;
mod oracle;

pub use countersign_graph::{
    Action, Execution, LastValue, Line, Outcome, Place, Row, Source, fingerprint, labels, last_values,
};
pub use exploration::{Claim, Exploration, Verdict, Violation};
pub use oracle::{Oracle, show};
