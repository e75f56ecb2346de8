//! An execution as a list of what its threads did, for those who want to read it: the same form for every engine.

mod places;
mod row;
mod text;

pub use places::{LastValue, labels, last_values};
pub use row::{Action, Execution, Line, Place, Row, Source, fingerprint};
