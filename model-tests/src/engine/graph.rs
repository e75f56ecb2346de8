//! The graph engine: `countersign-graph`, the complete explorer of RC11, under the names of the suite.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::PoisonError;
use std::sync::atomic::Ordering;

use countersign::{Atomic, Lock, Locks, Primitives};
use countersign_graph::sync::atomic::AtomicU64;
use countersign_graph::sync::{Mutex, MutexGuard};
use countersign_graph::{ReplayError, Search, thread};

use super::interface::{Budget, Engine, JoinHandle, Program, Replay};
use super::name::EngineName;
use super::wrap::containment;
use crate::verdict::{Claim, Exploration, Verdict, Violation};

/// The graph engine: every execution that the memory model allows, each once.
#[derive(Clone, Copy, Debug)]
pub enum Graph {}

/// An atomic of the graph engine.
#[derive(Debug)]
pub struct GraphAtomic(AtomicU64);

/// A mutex of the graph engine.
#[derive(Debug)]
pub struct GraphMutex<T>(Mutex<T>);

/// Access to the data of a [`GraphMutex`].
pub struct GraphGuard<'a, T>(MutexGuard<'a, T>);

/// A thread of the graph engine.
pub struct GraphJoinHandle<T>(thread::JoinHandle<T>);

/// Puts the engine's panic hook in its place, while no other engine exchanges the hook.
pub(super) fn install_hook() {
    let _exchange = containment::exchanging_hook();
    countersign_graph::install_panic_hook();
}

/// An exploration of `program` on the graph engine, without limits, for whoever wants more of it than
/// [`explore`](Engine::explore) does. Its results are [`complete`]d.
pub fn search(program: Program) -> Search {
    install_hook();
    Search::new(move || program().map_err(countersign_graph::Violation::from))
}

/// What the suite makes of an exploration.
pub fn complete(explored: countersign_graph::Exploration) -> Exploration {
    let countersign_graph::Exploration { verdict, executions, blocked, outcomes, elapsed, failing } = explored;
    let verdict = match verdict {
        countersign_graph::Verdict::Exhaustive => Verdict::Exhaustive,
        countersign_graph::Verdict::Truncated { why } => Verdict::Truncated { why },
        countersign_graph::Verdict::Failed(violation) => Verdict::Failed(Box::new((*violation).into())),
    };
    Exploration { verdict, executions, blocked, outcomes, elapsed, failing }
}

impl Primitives for Graph {
    type AtomicU64 = GraphAtomic;
}

impl Locks for Graph {
    type Mutex<T: Send + 'static> = GraphMutex<T>;
}

impl Engine for Graph {
    const NAME: EngineName = EngineName::Graph;

    type JoinHandle<T: Send + 'static> = GraphJoinHandle<T>;

    #[track_caller]
    fn spawn<T: Send + 'static>(body: impl FnOnce() -> T + Send + 'static) -> Self::JoinHandle<T> {
        GraphJoinHandle(thread::spawn(body))
    }

    fn yield_now() {
        thread::yield_now();
    }

    fn explore(program: Program, budget: &Budget) -> Exploration {
        complete(search(program).max_executions(budget.executions).max_time(budget.time).run())
    }

    fn replay(program: Program, schedule: &str) -> Result<Replay, ReplayError> {
        install_hook();
        let program = move || program().map_err(countersign_graph::Violation::from);
        let countersign_graph::Replay { result, execution } = countersign_graph::replay(program, schedule)?;
        Ok(Replay { result: result.map_err(Violation::from), execution })
    }
}

impl<T> JoinHandle<T> for GraphJoinHandle<T> {
    #[track_caller]
    fn join(self) -> T {
        // A panic ends the exploration, so there is no `Err` to come.
        self.0.join().unwrap_or_else(|payload| std::panic::resume_unwind(payload))
    }
}

impl Atomic for GraphAtomic {
    fn new(value: u64) -> Self {
        Self(AtomicU64::new(value))
    }

    fn named(value: u64, name: fmt::Arguments<'_>) -> Self {
        Self(AtomicU64::named(value, name))
    }

    fn load(&self, order: Ordering) -> u64 {
        self.0.load(order)
    }

    fn load_owned(&self) -> u64 {
        self.0.load_owned()
    }

    fn store(&self, value: u64, order: Ordering) {
        self.0.store(value, order);
    }

    fn swap(&self, value: u64, order: Ordering) -> u64 {
        self.0.swap(value, order)
    }

    fn fetch_add(&self, value: u64, order: Ordering) -> u64 {
        self.0.fetch_add(value, order)
    }

    fn fetch_max(&self, value: u64, order: Ordering) -> u64 {
        self.0.fetch_max(value, order)
    }

    fn compare_exchange(&self, current: u64, new: u64, success: Ordering, failure: Ordering) -> Result<u64, u64> {
        self.0.compare_exchange(current, new, success, failure)
    }
}

impl<T: Send + 'static> Lock<T> for GraphMutex<T> {
    type Guard<'a> = GraphGuard<'a, T>;

    fn new(value: T) -> Self {
        Self(Mutex::new(value))
    }

    fn named(value: T, name: fmt::Arguments<'_>) -> Self {
        Self(Mutex::named(value, name))
    }

    fn lock(&self) -> GraphGuard<'_, T> {
        GraphGuard(self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl<T> Deref for GraphGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for GraphGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<T: fmt::Debug> fmt::Debug for GraphGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl From<Violation> for countersign_graph::Violation {
    fn from(Violation { claim, claimed, seen }: Violation) -> Self {
        let claim = match claim {
            Claim::NoPanic => countersign_graph::Claim::NoPanic,
            Claim::NoDeadlock => countersign_graph::Claim::NoDeadlock,
            Claim::SingleWriter => countersign_graph::Claim::SingleWriter,
            Claim::Deterministic => countersign_graph::Claim::Deterministic,
            of_layouts => countersign_graph::Claim::Own(of_layouts.as_str()),
        };
        Self { claim, claimed, seen }
    }
}

impl From<countersign_graph::Violation> for Violation {
    fn from(countersign_graph::Violation { claim, claimed, seen }: countersign_graph::Violation) -> Self {
        let of_name = |claim: &Claim, name: &str| claim.as_str() == name;
        let claim = Claim::ALL.into_iter().find(|known| of_name(known, claim.as_str()));
        // The names of the explorer's claims are the suite's too, and the others come from here.
        Self { claim: claim.unwrap_or(Claim::NoPanic), claimed, seen }
    }
}
