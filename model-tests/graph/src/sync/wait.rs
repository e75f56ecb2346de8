//! Loops that wait, without their idle rounds.

use crate::run::driver::settle;
use crate::run::step::stepper::Run;
use crate::sync::atomic::{AtomicU64, Ordering};

/// Goes on only if `condition` holds. If not, the calling thread is blocked for good, and the execution counts as
/// blocked and not as one of the program's.
pub fn assume(condition: bool) {
    if !condition {
        settle(Run::block);
    }
}

/// Loads `cell` and goes on only with a value that satisfies `predicate`: a loop that waits for such a value, without
/// its idle rounds.
#[track_caller]
pub fn block_until(cell: &AtomicU64, order: Ordering, predicate: impl FnOnce(u64) -> bool) -> u64 {
    let value = cell.load(order);
    assume(predicate(value));
    value
}
