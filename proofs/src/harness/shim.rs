//! What stands in for the crate `kani` where it is not: values from a list in place of all.

use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe};

use countersign::RuntimeTable;

thread_local! {
    static RUN: RefCell<Run> = const { RefCell::new(Run { sizes: Vec::new(), choices: Vec::new(), taken: 0 }) };
}

/// One execution of a harness: which value each `any` gives.
struct Run {
    sizes: Vec<u64>,
    /// Of each `any` in turn, the position of its value and the number of values.
    choices: Vec<(usize, usize)>,
    taken: usize,
}

/// How an execution ends before its harness does.
enum End {
    /// An assumption does not hold, so the execution says nothing.
    Assumed,
    Failed(&'static str),
}

/// A type of which there are chosen values.
pub(super) trait Chosen {
    fn count(sizes: &[u64]) -> usize;
    fn nth(sizes: &[u64], position: usize) -> Self;
}

impl Chosen for u64 {
    fn count(sizes: &[u64]) -> usize {
        sizes.len()
    }

    fn nth(sizes: &[u64], position: usize) -> Self {
        sizes[position]
    }
}

impl Chosen for usize {
    fn count(_: &[u64]) -> usize {
        RuntimeTable::MAX_CLASSES
    }

    fn nth(_: &[u64], position: usize) -> Self {
        position
    }
}

pub(super) fn any<T: Chosen>() -> T {
    RUN.with_borrow_mut(|run| {
        let position = run.taken;
        run.taken += 1;
        if position == run.choices.len() {
            run.choices.push((0, T::count(&run.sizes)));
        }
        T::nth(&run.sizes, run.choices[position].0)
    })
}

pub(super) fn assume(holds: bool) {
    if !holds {
        panic::resume_unwind(Box::new(End::Assumed));
    }
}

pub(super) fn assert(holds: bool, claim: &'static str) {
    if !holds {
        panic::resume_unwind(Box::new(End::Failed(claim)));
    }
}

/// Runs a harness with every combination of values.
pub(super) fn run(sizes: &[u64], harness: impl Fn()) -> Result<(), (&'static str, Vec<u64>)> {
    RUN.set(Run { sizes: sizes.to_vec(), choices: Vec::new(), taken: 0 });
    loop {
        RUN.with_borrow_mut(|run| run.taken = 0);
        if let Err(payload) = panic::catch_unwind(AssertUnwindSafe(&harness)) {
            match payload.downcast().map(|end| *end) {
                Ok(End::Assumed) => {}
                Ok(End::Failed(claim)) => return Err((claim, RUN.with_borrow(Run::values))),
                Err(panic) => panic::resume_unwind(panic),
            }
        }
        if !RUN.with_borrow_mut(Run::advance) {
            return Ok(());
        }
    }
}

impl Run {
    fn values(&self) -> Vec<u64> {
        self.choices.iter().map(|(position, _)| u64::nth(&self.sizes, *position)).collect()
    }

    /// Goes to the next combination, if there is one.
    fn advance(&mut self) -> bool {
        while let Some((position, count)) = self.choices.pop() {
            if position + 1 < count {
                self.choices.push((position + 1, count));
                return true;
            }
        }
        false
    }
}
