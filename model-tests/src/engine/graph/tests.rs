//! Programs with known numbers of executions.

mod failures;
mod families;
mod layouts;
mod tokens;

use std::collections::HashSet;
use std::sync::Arc;

use super::Search;
use crate::verdict::{Exploration, Outcome, Verdict, Violation};

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
