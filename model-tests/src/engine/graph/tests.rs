//! Programs with known numbers of executions.

mod destructors;
mod failures;
mod families;
mod layouts;
mod tokens;

use std::collections::HashSet;
use std::sync::Arc;

use countersign::{Locks, Primitives};

use super::{Graph, Search};
use crate::engine::Engine;
use crate::verdict::{Exploration, Outcome, Verdict, Violation};

type Cell = <Graph as Primitives>::AtomicU64;
type Mutex<T> = <Graph as Locks>::Mutex<T>;

/// Explores a program, and checks that it was explored to the end and no execution visited twice.
fn explore(program: impl Fn() -> Outcome + Send + Sync + 'static) -> Exploration {
    let mut seen = HashSet::new();
    let explored = search(move || Ok(program())).run_with(|complete| {
        assert!(seen.insert(complete.fingerprint()), "visited twice: {:#?}", complete.execution());
    });
    assert_eq!(explored.verdict, Verdict::Exhaustive);
    explored
}

fn search(program: impl Fn() -> Result<Outcome, Violation> + Send + Sync + 'static) -> Search {
    Search::new(Arc::new(program))
}

/// The violation with which an exploration ended.
fn failure(explored: &Exploration) -> &Violation {
    assert!(explored.failing.is_some());
    match &explored.verdict {
        Verdict::Failed(violation) => violation,
        other => panic!("expected a failure, got {other:?}"),
    }
}

/// Why an exploration ended too early.
fn truncation(explored: &Exploration) -> &str {
    match &explored.verdict {
        Verdict::Truncated { why } => why,
        other => panic!("expected a truncation, got {other:?}"),
    }
}

/// A thread that has a share of something.
fn spawn_with<S: Send + Sync + 'static, T: Send + 'static>(
    shared: &Arc<S>,
    body: impl FnOnce(&S) -> T + Send + 'static,
) -> <Graph as Engine>::JoinHandle<T> {
    let shared = Arc::clone(shared);
    Graph::spawn(move || body(&shared))
}
