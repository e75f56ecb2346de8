//! loom: the C11 memory model, with partial-order reduction.
//!
//! Each execution is one equivalence class of interleavings and one choice of the store that each load reads from, so
//! loom sees what weak orderings permit. What it does not see, in version 0.7.3:
//!
//! - For each atomic only the latest access is remembered. A thread that loads and then stores the same atomic hides
//!   its races with other readers (loom #166): the owner's read is therefore loom's `unsync_load`, which is no access
//!   of that kind, and which makes loom check that no other thread stores at the same time.
//! - Only the last 7 stores of an atomic can be read. A cell where that could matter is refused.
//! - No load buffering. `SeqCst` accesses act as `AcqRel`, which allows more than C11 does (loom #180).
//! - A `fetch_add` beside a plain `store` of another thread may read a value older than the store (loom #254). Refused.
//! - Where two threads store without a read-modify-write and one of them looks, a value may be read that its own thread
//!   has replaced.
//! - A `compare_exchange` that fails reads the newest value only, where C11 lets it read an older one.
//! - At most 5 threads, the main one included.
//!
//! `countersign audit` shows each of these, and notices when one of them changes.

mod guard;

use std::cell::Cell;
use std::panic::Location;
use std::sync::Arc;
use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::thread;

use countersign::{Atomic, Lock, Locks, Primitives};
use countersign_graph::ReplayError;
use loom::model::Builder;
use loom::sync::atomic::AtomicU64;
use loom::sync::{Mutex, MutexGuard};

pub use self::guard::REFUSED;
use self::guard::Writes;
use crate::engine::interface::{Budget, Engine, JoinHandle, Program, Replay};
use crate::engine::name::EngineName;
use crate::engine::wrap::containment::{self, Ended, Panic};
use crate::engine::wrap::erased::{Body, Returned, erase};
use crate::engine::wrap::record::{self, Memory, Recorded, Turn};
use crate::engine::wrap::tally::Tally;
use crate::engine::wrap::unwindable::{Unwindable, UnwindableMutex};
use crate::verdict::{Claim, Exploration, Verdict, Violation};

/// The loom engine.
#[derive(Clone, Copy, Debug)]
pub enum Loom {}

/// An atomic of loom.
pub struct LoomAtomic {
    atomic: AtomicU64,
    writes: Writes,
}

/// A mutex of loom.
pub struct LoomMutex(Mutex<()>);

/// A thread of loom.
pub struct LoomJoinHandle<T> {
    thread: loom::thread::JoinHandle<()>,
    returned: Returned<T>,
    number: usize,
}

/// The most branches (scheduling points and choices of a store) of one execution. Far more than a program of a few
/// threads and events has: one that needs more spins.
const MAX_BRANCHES: usize = 10_000;

thread_local! {
    /// How many threads the current execution has had. loom runs all of them on one OS thread.
    static THREADS: Cell<usize> = const { Cell::new(0) };
}

impl Primitives for Loom {
    type AtomicU64 = Recorded<Unwindable<LoomAtomic>>;
}

impl Locks for Loom {
    type Mutex<T: Send + 'static> = UnwindableMutex<T, LoomMutex>;
}

impl Engine for Loom {
    const NAME: EngineName = EngineName::Loom;
    type JoinHandle<T: Send + 'static> = LoomJoinHandle<T>;

    #[track_caller]
    fn spawn<T: Send + 'static>(body: impl FnOnce() -> T + Send + 'static) -> LoomJoinHandle<T> {
        if thread::panicking() {
            containment::abandon_panicked();
        }
        let threads = THREADS.get() + 1;
        if threads > loom::MAX_THREADS {
            // loom itself would fail an assertion.
            let most = loom::MAX_THREADS;
            let why =
                format!("the program needs more than the {most} threads that loom can run, the main one included");
            containment::stop(Verdict::Truncated { why });
        }
        THREADS.set(threads);
        let turn = Turn::begin();
        let number = turn.spawn(Location::caller());
        let (body, returned) = erase(body);
        let thread = start(number, body);
        guard::spawned(thread.thread().id());
        LoomJoinHandle { thread, returned, number }
    }

    fn yield_now() {
        if !thread::panicking() {
            let _turn = Turn::begin();
            loom::thread::yield_now();
        }
    }

    fn explore(program: Program, budget: &Budget) -> Exploration {
        let tally = Arc::new(Tally::enumerating(budget, Memory::Weak, interpret));
        tally.conclude(run(program, &tally, true))
    }

    fn replay(program: Program, schedule: &str) -> Result<Replay, ReplayError> {
        let tally = Arc::new(Tally::replaying(schedule, Memory::Weak, interpret)?);
        tally.conclude_replay(schedule, run(program, &tally, true))
    }
}

impl Loom {
    /// Explores as [`explore`](Engine::explore) does, and refuses nothing that loom is known to get wrong: for whoever
    /// asks what loom does then.
    pub fn explore_unguarded(program: Program, budget: &Budget) -> Exploration {
        let tally = Arc::new(Tally::enumerating(budget, Memory::Weak, interpret));
        tally.conclude(run(program, &tally, false))
    }
}

fn start(number: usize, body: Body) -> loom::thread::JoinHandle<()> {
    loom::thread::spawn(move || {
        record::enter(number);
        body();
    })
}

fn run(program: Program, tally: &Arc<Tally>, guarded: bool) -> Ended {
    let tally = Arc::clone(tally);
    containment::contain(Loom::NAME.as_str(), move || {
        builder().check(move || {
            THREADS.set(1);
            guard::begin(guarded);
            if let Err(verdict) = tally.admit().and_then(|()| tally.run(&program)) {
                containment::stop(verdict);
            }
        });
        Verdict::Exhaustive
    })
}

/// loom without any limit that ends a run as if it had been completed, whatever the environment says.
fn builder() -> Builder {
    let mut builder = Builder::new();
    builder.max_threads = loom::MAX_THREADS;
    builder.max_branches = MAX_BRANCHES;
    builder.max_permutations = None;
    builder.max_duration = None;
    builder.preemption_bound = None;
    builder.checkpoint_file = None;
    builder.checkpoint_interval = usize::MAX;
    builder.expect_explicit_explore = false;
    // A broken single-writer claim is reported with the places of both accesses.
    builder.location = true;
    builder.log = false;
    builder
}

/// loom reports what it finds by panicking; only the message tells which panic it is.
fn interpret(panic: Panic) -> Verdict {
    let message = &panic.message;
    let failed = |claim, claimed: &str| {
        let violation = Violation { claim, claimed: claimed.to_owned(), seen: message.clone() };
        Verdict::Failed(Box::new(violation))
    };
    if message.starts_with("Causality violation") {
        failed(Claim::SingleWriter, "that no thread writes a cell unordered with its owner's read")
    } else if message.starts_with("deadlock; threads = ") {
        failed(Claim::NoDeadlock, "that every thread ends")
    } else if message.starts_with("Model exceeded maximum number of branches") {
        Verdict::Truncated {
            why: format!("an execution has more than {MAX_BRANCHES} branches: it spins, or is too long"),
        }
    } else {
        panic.into()
    }
}

impl Atomic for LoomAtomic {
    fn new(value: u64) -> Self {
        Self { atomic: AtomicU64::new(value), writes: Writes::new(value) }
    }

    fn load(&self, order: Ordering) -> u64 {
        let value = self.atomic.load(order);
        self.writes.loaded(value);
        value
    }

    fn load_owned(&self) -> u64 {
        // SAFETY: loom's atomic is a number in its tables, read under loom's control: the read is memory-safe whatever
        // the other threads do. That nobody else writes is what loom checks here, and panics about.
        unsafe { self.atomic.unsync_load() }
    }

    fn store(&self, value: u64, order: Ordering) {
        self.atomic.store(value, order);
        self.writes.stored(value);
    }

    fn swap(&self, value: u64, order: Ordering) -> u64 {
        let old = self.atomic.swap(value, order);
        self.writes.updated(old, value);
        old
    }

    fn fetch_add(&self, value: u64, order: Ordering) -> u64 {
        let old = self.atomic.fetch_add(value, order);
        self.writes.updated(old, old.wrapping_add(value));
        old
    }

    fn fetch_max(&self, value: u64, order: Ordering) -> u64 {
        let old = self.atomic.fetch_max(value, order);
        self.writes.updated(old, old.max(value));
        old
    }

    fn compare_exchange(&self, current: u64, new: u64, success: Ordering, failure: Ordering) -> Result<u64, u64> {
        let result = self.atomic.compare_exchange(current, new, success, failure);
        match result {
            Ok(old) => self.writes.updated(old, new),
            Err(seen) => self.writes.looked(seen),
        }
        result
    }
}

impl Lock<()> for LoomMutex {
    type Guard<'a> = MutexGuard<'a, ()>;

    fn new((): ()) -> Self {
        Self(Mutex::new(()))
    }

    fn lock(&self) -> MutexGuard<'_, ()> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> JoinHandle<T> for LoomJoinHandle<T> {
    #[track_caller]
    fn join(self) -> T {
        if thread::panicking() {
            containment::abandon_panicked();
        }
        let child = self.thread.thread().id();
        let turn = Turn::begin();
        // loom ends the whole execution when a thread panics, so there is no `Err` to come.
        self.thread.join().unwrap_or_else(|payload| std::panic::resume_unwind(payload));
        guard::joined(child);
        turn.join(self.number, Location::caller());
        self.returned.take()
    }
}
