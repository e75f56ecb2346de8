//! A scheduler that keeps the engine's budget around one that chooses.

use std::cell::RefCell;
use std::mem::ManuallyDrop;
use std::rc::Rc;
use std::sync::Arc;

use shuttle::scheduler::{Schedule, Scheduler, Task, TaskId};

use crate::engine::wrap::containment;
use crate::engine::wrap::tally::Tally;
use crate::verdict::Verdict;

/// Runs the program's threads as `inner` chooses, and the first task, which watches them, when none of them can run.
pub(super) struct Metered<S> {
    // Never dropped: the destructor of shuttle's random scheduler announces a seed on stderr unless the scheduler
    // itself came to its end.
    inner: ManuallyDrop<S>,
    tally: Arc<Tally>,
    /// What the budget's end means. Nothing if `inner` came to its end first.
    end: Rc<RefCell<Option<Verdict>>>,
    steps: usize,
}

/// The most scheduling decisions of one execution. Far more than a program of a few threads and events has: one that
/// needs more spins.
const MAX_STEPS: usize = 1_000_000;

impl<S> Metered<S> {
    pub(super) fn new(inner: S, tally: Arc<Tally>, end: Rc<RefCell<Option<Verdict>>>) -> Self {
        Self { inner: ManuallyDrop::new(inner), tally, end, steps: 0 }
    }
}

impl<S: Scheduler> Scheduler for Metered<S> {
    fn new_execution(&mut self) -> Option<Schedule> {
        // `inner` is asked first: if it has nothing left, then a budget that is just used up was enough.
        let schedule = self.inner.new_execution()?;
        if let Err(verdict) = self.tally.admit() {
            self.end.replace(Some(verdict));
            return None;
        }
        self.steps = 0;
        Some(schedule)
    }

    fn next_task(&mut self, runnable: &[&Task], current: Option<TaskId>, is_yielding: bool) -> Option<TaskId> {
        self.steps += 1;
        if self.steps > MAX_STEPS {
            let why = format!("an execution has more than {MAX_STEPS} steps: it spins, or is too long");
            containment::abandon(Verdict::Truncated { why });
        }
        // The tasks come in the order in which they were made.
        let program = match runnable {
            [first, rest @ ..] if !rest.is_empty() && first.id() == TaskId::from(0) => rest,
            alone => alone,
        };
        self.inner.next_task(program, current, is_yielding)
    }

    fn next_u64(&mut self) -> u64 {
        self.inner.next_u64()
    }
}
