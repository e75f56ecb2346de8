//! What the tests of the explorer share.
#![allow(dead_code, reason = "each test binary uses a part of it")]

use std::collections::HashSet;
use std::sync::Arc;

use countersign_graph::thread::{self, JoinHandle};
use countersign_graph::{Conclusion, Exploration, Search, Verdict, Violation};

/// Explores a program, and checks that it was explored to the end and no execution visited twice.
pub(crate) fn explore<R: Conclusion>(program: impl Fn() -> R + Send + Sync + 'static) -> Exploration {
    let mut seen = HashSet::new();
    let explored = Search::new(program).run_with(|complete| {
        assert!(seen.insert(complete.fingerprint()), "visited twice: {}", complete.execution());
    });
    assert_eq!(explored.verdict, Verdict::Exhaustive);
    explored
}

/// The violation with which an exploration ended.
pub(crate) fn failure(explored: &Exploration) -> &Violation {
    assert!(explored.failing.is_some());
    match &explored.verdict {
        Verdict::Failed(violation) => violation,
        other => panic!("expected a failure, got {other}"),
    }
}

/// Why an exploration ended too early.
pub(crate) fn truncation(explored: &Exploration) -> &str {
    match &explored.verdict {
        Verdict::Truncated { why } => why,
        other => panic!("expected a truncation, got {other}"),
    }
}

/// A thread that has a share of something.
#[track_caller]
pub(crate) fn spawn_with<S: Send + Sync + 'static, T: Send + 'static>(
    shared: &Arc<S>,
    body: impl FnOnce(&S) -> T + Send + 'static,
) -> JoinHandle<T> {
    let shared = Arc::clone(shared);
    thread::spawn(move || body(&shared))
}

/// What a thread returned.
#[track_caller]
pub(crate) fn join<T>(thread: JoinHandle<T>) -> T {
    thread.join().expect("a panic ends the exploration")
}
