//! Real threads on real atomics: the program as it runs in production, many times over.
//!
//! Nothing is proved by it. What it adds is the one thing that no model has: the machine, the compiler's own
//! reordering, and the real primitives.
//!
//! Starting a thread takes longer than most programs run, so spawned threads wait at a gate, which their spawner opens
//! when all are there ([`run_together`](Engine::run_together)), when it joins one, or when it ends.

use std::cell::RefCell;
use std::panic;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::thread;

use countersign::{Locks, Primitives, Std};

use crate::engine::containment::{self, Containment};
use crate::engine::tally::Tally;
use crate::engine::{Budget, Engine, EngineName, JoinHandle, Program};
use crate::verdict::{Exploration, Verdict};

/// The engine of real threads.
#[derive(Clone, Copy, Debug)]
pub enum RealThreads {}

/// A thread of [`RealThreads`].
pub struct RealJoinHandle<T>(thread::JoinHandle<T>);

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
    type AtomicU64 = <Std as Primitives>::AtomicU64;
}

impl Locks for RealThreads {
    type Mutex<T: Send + 'static> = <Std as Locks>::Mutex<T>;
}

impl Engine for RealThreads {
    const NAME: EngineName = EngineName::Std;
    type JoinHandle<T: Send + 'static> = RealJoinHandle<T>;

    fn spawn<T: Send + 'static>(body: impl FnOnce() -> T + Send + 'static) -> RealJoinHandle<T> {
        let containment = Containment::current();
        let gate = GATE.with_borrow(Arc::clone);
        let thread = thread::spawn({
            let gate = Arc::clone(&gate);
            move || {
                if let Some(containment) = containment {
                    containment.enter();
                }
                gate.wait();
                let _opens = OpensGate;
                body()
            }
        });
        // Relaxed: only this thread reads it, in `open`.
        gate.spawned.fetch_add(1, Relaxed);
        RealJoinHandle(thread)
    }

    fn run_together() {
        open_gate();
    }

    fn yield_now() {
        thread::yield_now();
    }

    fn explore(program: Program, budget: &Budget) -> Exploration {
        let tally = Arc::new(Tally::sampling(budget));
        let counted = Arc::clone(&tally);
        let end = containment::contain(Self::NAME.as_str(), move || {
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
        tally.conclude(end.unwrap_or_else(Verdict::from))
    }
}

impl<T> JoinHandle<T> for RealJoinHandle<T> {
    fn join(self) -> T {
        open_gate();
        self.0.join().unwrap_or_else(|payload| panic::resume_unwind(payload))
    }
}
