//! A failure, with everything that is shown of it.

use serde::{Deserialize, Serialize};

use super::token::Token;
use crate::scenario::Cell;
use crate::verdict::{Exploration, Row, Verdict, Violation};

/// An execution of a cell in which a claim does not hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counterexample {
    /// The claim, what it asks for, and what was seen.
    pub violation: Violation,
    /// What the threads did.
    pub trace: Vec<Row>,
    /// What repeats it; `None` on real threads, which nobody can repeat.
    pub token: Option<String>,
    /// Whether the claims were seen to hold in every size that is smaller by one thread, event, snapshot or class.
    pub smallest: bool,
}

impl Counterexample {
    /// The one that an exploration of `cell` found, if it found one and its execution was recorded.
    pub fn new(cell: &Cell, exploration: &Exploration, smallest: bool) -> Option<Self> {
        let (Verdict::Failed(violation), Some(failing)) = (&exploration.verdict, &exploration.failing) else {
            return None;
        };
        let token = |schedule: &String| Token {
            layout: cell.layout.name.to_owned(),
            scenario: cell.scenario.name.to_owned(),
            engine: cell.engine,
            size: cell.size,
            schedule: schedule.clone(),
        };
        Some(Self {
            violation: (**violation).clone(),
            trace: failing.trace.clone(),
            token: failing.schedule.as_ref().map(|schedule| token(schedule).to_string()),
            smallest,
        })
    }
}
