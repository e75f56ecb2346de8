//! Real threads on real atomics, many times over.
//!
//! Nothing is proved by it. What it adds is the one thing that no model has: the machine, and the real primitives. Each
//! operation is noted beside, which costs time and keeps the compiler from reordering across it.
//!
//! Starting a thread takes longer than most programs run, so spawned threads wait at a gate, which their spawner opens
//! when all are there ([`run_together`](Engine::run_together)), when it yields, when it joins one, or when it ends.

use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe, Location};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::thread;

use countersign::{Locks, Primitives, Std};
use countersign_graph::ReplayError;

use crate::engine::interface::{Budget, Engine, JoinHandle, Program, Replay};
use crate::engine::name::EngineName;
use crate::engine::wrap::containment::{self, Containment};
use crate::engine::wrap::record::{self, Memory, Record, Recorded, RecordedMutex, Turn};
use crate::engine::wrap::tally::Tally;
use crate::verdict::{Exploration, Verdict};

/// The engine of real threads.
#[derive(Clone, Copy, Debug)]
pub enum RealThreads {}

/// A thread of [`RealThreads`].
pub struct RealJoinHandle<T> {
    thread: thread::JoinHandle<(T, Record)>,
    number: usize,
}

thread_local! {
    /// Where the threads wait that the current thread spawned since it last opened a gate.
    static GATE: RefCell<Arc<Gate>> = RefCell::default();
}

/// Where spawned threads wait for each other and for their spawner. It orders nothing: all accesses are relaxed, so that
/// no edge comes from here which the program does not have.
#[derive(Default)]
struct Gate {
    spawned: AtomicUsize,
    arrived: AtomicUsize,
    open: AtomicBool,
}

impl Gate {
    fn wait(&self) {
        // Relaxed, with the load in `open`: see the type.
        self.arrived.fetch_add(1, Relaxed);
        // Relaxed, with the store in `open`: see the type.
        while !self.open.load(Relaxed) {
            thread::yield_now();
        }
    }

    /// Lets everybody run as soon as everybody is there.
    fn open(&self) {
        // Relaxed, with the addition in `wait`; the other is this thread's own. See the type.
        while self.arrived.load(Relaxed) < self.spawned.load(Relaxed) {
            thread::yield_now();
        }
        // Relaxed, with the load in `wait`: see the type.
        self.open.store(true, Relaxed);
    }
}

/// Opens the current thread's gate when it is dropped, so that no thread waits for one that has ended.
struct OpensGate;

impl Drop for OpensGate {
    fn drop(&mut self) {
        open_gate();
    }
}

/// Opens the current thread's gate, and sets up a new one.
fn open_gate() {
    GATE.take().open();
}

impl Primitives for RealThreads {
    type AtomicU64 = Recorded<<Std as Primitives>::AtomicU64>;
}

impl Locks for RealThreads {
    type Mutex<T: Send + 'static> = RecordedMutex<T>;
}

impl Engine for RealThreads {
    const NAME: EngineName = EngineName::Std;
    type JoinHandle<T: Send + 'static> = RealJoinHandle<T>;

    #[track_caller]
    fn spawn<T: Send + 'static>(body: impl FnOnce() -> T + Send + 'static) -> RealJoinHandle<T> {
        let containment = Containment::current();
        let gate = GATE.with_borrow(Arc::clone);
        let number = Turn::begin().spawn(Location::caller());
        let theirs = record::apart(number);
        let thread = thread::spawn({
            let gate = Arc::clone(&gate);
            move || {
                if let Some(containment) = containment.clone() {
                    containment.enter();
                }
                record::enter_apart(theirs);
                gate.wait();
                let _opens = OpensGate;
                let result = panic::catch_unwind(AssertUnwindSafe(body));
                let record = record::end();
                match (result, containment) {
                    (Ok(value), _) => (value, record),
                    (Err(payload), None) => panic::resume_unwind(payload),
                    (Err(payload), Some(containment)) => {
                        containment.leave(record);
                        panic::resume_unwind(payload)
                    }
                }
            }
        });
        // Relaxed: only this thread reads it, in `open`.
        gate.spawned.fetch_add(1, Relaxed);
        RealJoinHandle { thread, number }
    }

    fn run_together() {
        open_gate();
    }

    fn yield_now() {
        // Whoever waits for others must not keep them waiting.
        open_gate();
        thread::yield_now();
    }

    fn explore(program: Program, budget: &Budget) -> Exploration {
        let tally = Arc::new(Tally::sampling(budget, Memory::Real, Verdict::from));
        let counted = Arc::clone(&tally);
        let ended = containment::contain(Self::NAME.as_str(), move || {
            loop {
                let _opens = OpensGate;
                if let Err(verdict) = counted.admit().and_then(|()| counted.run(&program)) {
                    return verdict;
                }
                // A thread that panicked may never have been joined.
                if let Some(panic) = containment::first_panic() {
                    return panic.into();
                }
            }
        });
        tally.conclude(ended)
    }

    fn replay(_: Program, schedule: &str) -> Result<Replay, ReplayError> {
        Err(ReplayError::new(schedule, "real threads run as they like: no execution of theirs can be repeated"))
    }
}

impl<T> JoinHandle<T> for RealJoinHandle<T> {
    #[track_caller]
    fn join(self) -> T {
        open_gate();
        let turn = Turn::begin();
        let (value, record) = self.thread.join().unwrap_or_else(|payload| panic::resume_unwind(payload));
        record::add(record);
        turn.join(self.number, Location::caller());
        value
    }
}
