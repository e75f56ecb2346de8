#![doc = include_str!("graph/README.md")]

mod cast;
mod clocks;
mod coroutine;
mod diagnosis;
mod event;
mod execution_graph;
mod explore;
mod guide;
mod names;
mod primitives;
mod psc;
mod relations;
mod run;
mod schedule;
mod search;
#[cfg(test)]
mod tests;
mod threads;
mod trace;

use countersign::{Locks, Primitives};

pub use primitives::{GraphAtomicU64, GraphGuard, GraphJoinHandle, GraphMutex, assume, block_until, fence};
pub use search::{Complete, Search, rerun};

use super::{Budget, Engine, EngineName, JoinHandle, Program, Replay, ReplayError};
use crate::verdict::Exploration;

/// Puts the engine's panic hook in its place.
pub(crate) fn install_hook() {
    coroutine::install_hook();
}

/// The graph engine: every execution that the memory model allows, each once.
#[derive(Clone, Copy, Debug)]
pub enum Graph {}

impl Primitives for Graph {
    type AtomicU64 = GraphAtomicU64;
}

impl Locks for Graph {
    type Mutex<T: Send + 'static> = GraphMutex<T>;
}

impl Engine for Graph {
    const NAME: EngineName = EngineName::Graph;

    type JoinHandle<T: Send + 'static> = GraphJoinHandle<T>;

    #[track_caller]
    fn spawn<T: Send + 'static>(body: impl FnOnce() -> T + Send + 'static) -> Self::JoinHandle<T> {
        primitives::spawn_thread(body)
    }

    fn yield_now() {
        primitives::yield_now();
    }

    fn explore(program: Program, budget: &Budget) -> Exploration {
        Search::new(program).budget(budget).run()
    }

    fn replay(program: Program, schedule: &str) -> Result<Replay, ReplayError> {
        rerun(program, schedule)
    }
}

impl<T> JoinHandle<T> for GraphJoinHandle<T> {
    #[track_caller]
    fn join(self) -> T {
        self.wait()
    }
}
