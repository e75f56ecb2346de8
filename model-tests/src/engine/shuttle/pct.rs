//! Probabilistic concurrency testing for programs as short as scenarios are.
//!
//! A fault of depth `d` takes the steps of threads in a certain order at `d` places. PCT (Burckhardt et al., ASPLOS 2010)
//! runs the thread with the highest of random priorities, changes these at `d - 1` random steps, and so shows the fault with
//! a probability of at least 1 / (n k^(d-1)) in each execution of n threads and k steps. Random schedules, which switch
//! all the time, hardly ever let one thread run far ahead of the others.
//!
//! The other way round, a program of few steps is so full of changes at a great depth that no thread ever runs far, and
//! the faults of smaller depths are missed. So depths take turns.

use shuttle::scheduler::{PctScheduler, Schedule, Scheduler, Task, TaskId};

/// PCT with a depth of 1, 2 and 3 in turn.
pub struct PctInTurn {
    depths: [PctScheduler; 3],
    executions: usize,
}

impl PctInTurn {
    pub(super) fn new(seed: u64) -> Self {
        Self { depths: [1, 2, 3].map(|depth| PctScheduler::new_from_seed(seed, depth, usize::MAX)), executions: 0 }
    }

    /// The depth of the current execution; before the first one, any will do.
    fn current(&mut self) -> &mut PctScheduler {
        let turn = self.executions % self.depths.len();
        &mut self.depths[turn]
    }
}

impl Scheduler for PctInTurn {
    fn new_execution(&mut self) -> Option<Schedule> {
        self.executions += 1;
        self.current().new_execution()
    }

    fn next_task(&mut self, runnable: &[&Task], current: Option<TaskId>, is_yielding: bool) -> Option<TaskId> {
        self.current().next_task(runnable, current, is_yielding)
    }

    fn next_u64(&mut self) -> u64 {
        self.current().next_u64()
    }
}
