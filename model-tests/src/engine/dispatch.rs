//! From the name of an engine to the engine.

use countersign_graph::ReplayError;

use super::graph::{self, Graph};
use super::interface::{Budget, Engine, Program, Replay};
use super::loom::Loom;
use super::name::EngineName;
use super::shuttle::{Dfs, Pct, Random, Shuttle, discard_shuttles_hook};
use super::std::RealThreads;
use super::wrap::containment;
use crate::verdict::Exploration;

/// Exchanges the process's panic hook for all engines, before several of them run at once: while one is exchanged, another
/// engine's panics would be printed.
pub fn install_hooks() {
    graph::install_hook();
    containment::install_hook();
    discard_shuttles_hook();
}

/// Explores `program` on the engine of this name.
pub fn explore(engine: EngineName, program: Program, budget: &Budget) -> Exploration {
    match engine {
        EngineName::Std => RealThreads::explore(program, budget),
        EngineName::Loom => Loom::explore(program, budget),
        EngineName::ShuttleRandom => Shuttle::<Random>::explore(program, budget),
        EngineName::ShuttlePct => Shuttle::<Pct>::explore(program, budget),
        EngineName::ShuttleDfs => Shuttle::<Dfs>::explore(program, budget),
        EngineName::Graph => Graph::explore(program, budget),
    }
}

/// Repeats an execution of `program` on the engine of this name; see [`Engine::replay`].
pub fn replay(engine: EngineName, program: Program, schedule: &str) -> Result<Replay, ReplayError> {
    match engine {
        EngineName::Std => RealThreads::replay(program, schedule),
        EngineName::Loom => Loom::replay(program, schedule),
        EngineName::ShuttleRandom => Shuttle::<Random>::replay(program, schedule),
        EngineName::ShuttlePct => Shuttle::<Pct>::replay(program, schedule),
        EngineName::ShuttleDfs => Shuttle::<Dfs>::replay(program, schedule),
        EngineName::Graph => Graph::replay(program, schedule),
    }
}
