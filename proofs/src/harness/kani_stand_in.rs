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
    /// What each `any` gives, in turn.
    choices: Vec<Choice>,
    taken: usize,
}

/// One of the values that an `any` may give.
struct Choice {
    position: usize,
    count: usize,
    value: u64,
}

/// How an execution ends before its harness does.
enum End {
    /// An assumption does not hold, so the execution says nothing.
    Assumed,
    Failed(&'static str),
}

/// A type of which there are chosen values.
pub(super) trait Chosen: Copy {
    fn count(sizes: &[u64]) -> usize;
    fn nth(sizes: &[u64], position: usize) -> Self;
    fn word(self) -> u64;
}

impl Chosen for u64 {
    fn count(sizes: &[u64]) -> usize {
        sizes.len()
    }

    fn nth(sizes: &[u64], position: usize) -> Self {
        sizes[position]
    }

    fn word(self) -> u64 {
        self
    }
}

impl Chosen for usize {
    fn count(_: &[u64]) -> usize {
        RuntimeTable::MAX_CLASSES
    }

    fn nth(_: &[u64], position: usize) -> Self {
        position
    }

    fn word(self) -> u64 {
        self as u64
    }
}

pub(super) fn any<T: Chosen>() -> T {
    RUN.with_borrow_mut(|run| {
        let taken = run.taken;
        run.taken += 1;
        if taken == run.choices.len() {
            run.choices.push(Choice { position: 0, count: T::count(&run.sizes), value: 0 });
        }
        let choice = &mut run.choices[taken];
        let value = T::nth(&run.sizes, choice.position);
        choice.value = value.word();
        value
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

/// Runs a harness on chosen values: those of `sizes` in place of each `u64`, and the classes of any table in place of each
/// `usize`, in every combination. The error has the claim that does not hold, and the values; or it says that no value met
/// the assumptions.
pub fn run(sizes: &[u64], harness: impl Fn()) -> Result<(), (&'static str, Vec<u64>)> {
    RUN.set(Run { sizes: sizes.to_vec(), choices: Vec::new(), taken: 0 });
    let mut came_to_its_end = false;
    loop {
        RUN.with_borrow_mut(|run| run.taken = 0);
        match panic::catch_unwind(AssertUnwindSafe(&harness)).map_err(|payload| payload.downcast().map(|end| *end)) {
            Ok(()) => came_to_its_end = true,
            Err(Ok(End::Assumed)) => {}
            Err(Ok(End::Failed(claim))) => return Err((claim, RUN.with_borrow(Run::values))),
            Err(Err(panic)) => panic::resume_unwind(panic),
        }
        if !RUN.with_borrow_mut(Run::advance) {
            return if came_to_its_end { Ok(()) } else { Err(("some values meet the assumptions", Vec::new())) };
        }
    }
}

impl Run {
    fn values(&self) -> Vec<u64> {
        self.choices.iter().map(|choice| choice.value).collect()
    }

    /// Goes to the next combination, if there is one.
    fn advance(&mut self) -> bool {
        while let Some(last) = self.choices.pop() {
            if last.position + 1 < last.count {
                self.choices.push(Choice { position: last.position + 1, ..last });
                return true;
            }
        }
        false
    }
}
