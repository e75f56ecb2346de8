//! Real threads on real atomics: the program as it runs in production, many times over.
//!
//! Nothing is proved by it. What it adds is the one thing that no model has: the machine, the compiler's own
//! reordering, and the real primitives.

use std::panic;
use std::sync::Arc;
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
        RealJoinHandle(thread::spawn(move || {
            if let Some(containment) = containment {
                containment.enter();
            }
            body()
        }))
    }

    fn yield_now() {
        thread::yield_now();
    }

    fn explore(program: Program, budget: &Budget) -> Exploration {
        let tally = Arc::new(Tally::sampling(budget));
        let counted = Arc::clone(&tally);
        let end = containment::contain(Self::NAME.as_str(), move || {
            loop {
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
        self.0.join().unwrap_or_else(|payload| panic::resume_unwind(payload))
    }
}
