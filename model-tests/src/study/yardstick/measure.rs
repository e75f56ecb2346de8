//! What an engine needs for a program.

use serde::Serialize;

use super::families::Yardstick;
use crate::engine::{self, Budget, EngineName};
use crate::verdict::Verdict;

/// One program on one engine.
#[derive(Debug, Serialize)]
pub struct Row {
    /// The program.
    pub program: String,
    /// The engine.
    pub engine: &'static str,
    /// Executions run to their end.
    pub executions: u64,
    /// Executions begun in vain.
    pub blocked: u64,
    /// Distinct outcomes.
    pub outcomes: u64,
    /// Wall time in milliseconds.
    pub millis: u64,
    /// Whether the engine did not finish: it was out of time, or refused the program.
    pub capped: bool,
}

/// Runs a program on an engine.
pub fn measure(program: Yardstick, engine: EngineName, budget: &Budget) -> Row {
    let exploration = engine::explore(engine, program.on(engine), budget);
    Row {
        program: program.to_string(),
        engine: engine.as_str(),
        executions: exploration.executions,
        blocked: exploration.blocked,
        outcomes: exploration.outcomes.len() as u64,
        millis: exploration.elapsed.as_millis() as u64,
        capped: exploration.verdict != Verdict::Exhaustive,
    }
}

/// Whether an engine visited another number of executions than there are execution graphs: it is then incomplete or redundant,
/// and the graph engine claims to be neither.
pub fn differs(program: Yardstick, row: &Row) -> bool {
    let is_held = row.engine == EngineName::Graph.as_str() && !row.capped;
    is_held && program.graphs().is_some_and(|graphs| graphs != row.executions)
}
