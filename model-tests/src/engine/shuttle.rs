//! shuttle: sequentially consistent interleavings, all of them or random ones.
//!
//! shuttle treats every ordering as `SeqCst`: what it proves holds for interleavings only, and a weak ordering that is
//! too weak cannot fail here. In return it is fast, has no limit on threads, and shares no code with loom.

mod pct;
mod scheduler;

use std::cell::{Cell, RefCell};
use std::convert::Infallible;
use std::marker::PhantomData;
use std::panic::{self, AssertUnwindSafe, Location};
use std::rc::Rc;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Once, PoisonError};
use std::thread;

use countersign::{Atomic, Lock, Locks, Primitives};
use countersign_graph::ReplayError;
use shuttle::scheduler::{DfsScheduler, RandomScheduler, Scheduler};
use shuttle::sync::atomic::AtomicU64;
use shuttle::sync::{Mutex, MutexGuard};
use shuttle::{Config, FailurePersistence, MaxSteps, Runner};

use self::pct::PctInTurn;
use self::scheduler::Metered;
use crate::engine::interface::{Budget, Engine, JoinHandle, Program, Replay};
use crate::engine::name::EngineName;
use crate::engine::wrap::containment::{self, Ended, Panic};
use crate::engine::wrap::erased::{Body, Returned, erase};
use crate::engine::wrap::record::{self, Memory, Recorded, Turn};
use crate::engine::wrap::tally::Tally;
use crate::engine::wrap::unwindable::{Unwindable, UnwindableMutex};
use crate::verdict::{Claim, Exploration, Verdict, Violation};

/// The shuttle engine, with a strategy for choosing schedules.
#[derive(Clone, Copy, Debug)]
pub enum Shuttle<S> {
    /// There is no value of this type.
    #[doc(hidden)]
    Never(Infallible, PhantomData<S>),
}

/// How [`Shuttle`] chooses schedules.
pub trait Strategy: Sized + 'static {
    /// The name of the engine with this strategy.
    const NAME: EngineName;

    /// Whether it comes to an end by itself, having chosen every schedule there is.
    const ENUMERATES: bool;

    /// What chooses.
    type Scheduler: Scheduler + 'static;

    /// A fresh one.
    fn scheduler() -> Self::Scheduler;
}

/// Random schedules, the same ones in each run (unless shuttle's own `SHUTTLE_RANDOM_SEED` is set).
#[derive(Clone, Copy, Debug)]
pub enum Random {}

/// Schedules of few preemptions: probabilistic concurrency testing. The same ones in each run, as for [`Random`].
#[derive(Clone, Copy, Debug)]
pub enum Pct {}

/// Every schedule, depth first.
#[derive(Clone, Copy, Debug)]
pub enum Dfs {}

/// An atomic of shuttle.
pub struct ShuttleAtomic(AtomicU64);

/// A mutex of shuttle.
pub struct ShuttleMutex(Mutex<()>);

/// A thread of shuttle.
pub struct ShuttleJoinHandle<T> {
    thread: shuttle::thread::JoinHandle<()>,
    returned: Returned<T>,
    number: usize,
}

/// The seed of [`Random`] and [`Pct`]: any number will do, as long as a run can be repeated.
const SEED: u64 = 0x000c_0172_e251_6e00;

/// The number of the program's main thread in its record.
const MAIN: usize = 0;

thread_local! {
    /// How many of the program's threads have not ended. shuttle runs all of them on one OS thread.
    static UNFINISHED: Cell<usize> = const { Cell::new(0) };
}

impl Strategy for Random {
    const NAME: EngineName = EngineName::ShuttleRandom;
    const ENUMERATES: bool = false;
    type Scheduler = RandomScheduler;

    fn scheduler() -> RandomScheduler {
        RandomScheduler::new_from_seed(SEED, usize::MAX)
    }
}

impl Strategy for Pct {
    const NAME: EngineName = EngineName::ShuttlePct;
    const ENUMERATES: bool = false;
    type Scheduler = PctInTurn;

    fn scheduler() -> PctInTurn {
        PctInTurn::new(SEED)
    }
}

impl Strategy for Dfs {
    const NAME: EngineName = EngineName::ShuttleDfs;
    const ENUMERATES: bool = true;
    type Scheduler = DfsScheduler;

    fn scheduler() -> DfsScheduler {
        DfsScheduler::new(None, false)
    }
}

impl<S: Strategy> Primitives for Shuttle<S> {
    type AtomicU64 = Recorded<Unwindable<ShuttleAtomic>>;
}

impl<S: Strategy> Locks for Shuttle<S> {
    type Mutex<T: Send + 'static> = UnwindableMutex<T, ShuttleMutex>;
}

impl<S: Strategy> Engine for Shuttle<S> {
    const NAME: EngineName = S::NAME;
    type JoinHandle<T: Send + 'static> = ShuttleJoinHandle<T>;

    #[track_caller]
    fn spawn<T: Send + 'static>(body: impl FnOnce() -> T + Send + 'static) -> ShuttleJoinHandle<T> {
        if thread::panicking() {
            containment::abandon_panicked();
        }
        let turn = Turn::begin();
        let number = turn.spawn(Location::caller());
        let (body, returned) = erase(body);
        ShuttleJoinHandle { thread: start(number, body), returned, number }
    }

    fn yield_now() {
        if !thread::panicking() {
            let _turn = Turn::begin();
            shuttle::thread::yield_now();
        }
    }

    fn explore(program: Program, budget: &Budget) -> Exploration {
        let tally = if S::ENUMERATES {
            Tally::enumerating(budget, Memory::Sequential, interpret)
        } else {
            Tally::sampling(budget, Memory::Sequential, interpret)
        };
        let tally = Arc::new(tally);
        tally.conclude(run::<S>(program, &tally))
    }

    fn replay(program: Program, schedule: &str) -> Result<Replay, ReplayError> {
        let tally = Arc::new(Tally::replaying(schedule, Memory::Sequential, interpret)?);
        tally.conclude_replay(schedule, run::<S>(program, &tally))
    }
}

fn run<S: Strategy>(program: Program, tally: &Arc<Tally>) -> Ended {
    discard_shuttles_hook();
    let tally = Arc::clone(tally);
    containment::contain(S::NAME.as_str(), move || {
        let end = Rc::new(RefCell::new(None));
        let scheduler = Metered::new(S::scheduler(), Arc::clone(&tally), Rc::clone(&end));
        Runner::new(scheduler, config()).run(move || {
            UNFINISHED.set(0);
            let (tally, program) = (Arc::clone(&tally), Arc::clone(&program));
            let main = move || {
                if let Err(verdict) = tally.run(&program) {
                    containment::abandon(verdict);
                }
            };
            start(MAIN, Box::new(main));
            watch();
        });
        end.take().unwrap_or(Verdict::Exhaustive)
    })
}

/// Starts a thread of the program.
fn start(number: usize, body: Body) -> shuttle::thread::JoinHandle<()> {
    UNFINISHED.set(UNFINISHED.get() + 1);
    shuttle::thread::spawn(move || {
        record::enter(number);
        // shuttle would announce the panic on stderr, and go on to unwind the other threads.
        let result = panic::catch_unwind(AssertUnwindSafe(body));
        UNFINISHED.set(UNFINISHED.get() - 1);
        result.unwrap_or_else(|_| containment::abandon_panicked());
    })
}

/// What the first task of an execution does after it started the program. The scheduler runs it only when no thread of
/// the program can run: either all have ended, or they wait for each other.
fn watch() {
    shuttle::thread::yield_now();
    let waiting = UNFINISHED.get();
    if waiting > 0 {
        // shuttle would find the deadlock too, and announce it on stderr.
        containment::abandon(deadlock(format!("threads that wait for ever: {waiting}")));
    }
}

/// shuttle tells only by the message when a thread locks a mutex that it holds already, and when [`Pct`] finds that there
/// is never a choice of threads.
fn interpret(panic: Panic) -> Verdict {
    if panic.message.starts_with("deadlock!") {
        deadlock(panic.message)
    } else if panic.message == "test closure did not exercise any concurrency" {
        Verdict::Truncated { why: "no two threads of the program can ever run at once: nothing to sample".to_owned() }
    } else {
        panic.into()
    }
}

fn deadlock(seen: String) -> Verdict {
    let claimed = "that every thread ends".to_owned();
    Verdict::Failed(Box::new(Violation { claim: Claim::NoDeadlock, claimed, seen }))
}

/// shuttle without limits of its own: the scheduler keeps the engine's.
fn config() -> Config {
    let mut config = Config::new();
    config.failure_persistence = FailurePersistence::None;
    config.max_steps = MaxSteps::None;
    config.max_time = None;
    // It warns that orderings weaker than `SeqCst` are treated as `SeqCst`. That is known, and said above and in
    // `EngineName::sees_weak_memory`; the weak orderings are checked on other engines.
    config.silence_warnings = true;
    config
}

/// shuttle puts a panic hook in front of the process's own, once, and it prints even for other engines' panics. So the
/// first model is a trivial one, after which the hook is put back as it was.
pub(crate) fn discard_shuttles_hook() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        containment::with_hook_kept(|| {
            Runner::new(DfsScheduler::new(None, false), config()).run(|| {});
        });
    });
}

impl Atomic for ShuttleAtomic {
    fn new(value: u64) -> Self {
        Self(AtomicU64::new(value))
    }

    fn load(&self, order: Ordering) -> u64 {
        self.0.load(order)
    }

    fn load_owned(&self) -> u64 {
        // A switch point like any other load: without one a second writer would go unnoticed.
        self.0.load(Ordering::Relaxed)
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

impl Lock<()> for ShuttleMutex {
    type Guard<'a> = MutexGuard<'a, ()>;

    fn new((): ()) -> Self {
        Self(Mutex::new(()))
    }

    fn lock(&self) -> MutexGuard<'_, ()> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> JoinHandle<T> for ShuttleJoinHandle<T> {
    #[track_caller]
    fn join(self) -> T {
        if thread::panicking() {
            containment::abandon_panicked();
        }
        let turn = Turn::begin();
        // The engine abandons the exploration when a thread panics, so there is no `Err` to come.
        self.thread.join().unwrap_or_else(|payload| panic::resume_unwind(payload));
        turn.join(self.number, Location::caller());
        self.returned.take()
    }
}
