//! Makes a failure as small as it gets: no thread, event, snapshot or class can be left out without its disappearing.

use std::time::{Duration, Instant};

use crate::engine::{self, Budget, EngineName};
use crate::scenario::{Cell, Size};
use crate::verdict::{Exploration, Verdict};

/// A failure at the smallest size at which the engine finds one.
#[derive(Debug)]
pub struct Shrunk {
    /// The cell, at that size.
    pub cell: Cell,
    /// The exploration that found the failure.
    pub exploration: Exploration,
    /// Whether no smaller size was left out because the budget was used up.
    pub smallest: bool,
}

/// Goes from a `cell` whose exploration failed to ever smaller sizes, as long as they fail too. `held` are sizes of which
/// it is known that they do not.
pub fn shrink(cell: Cell, exploration: Exploration, held: &[Size], budget: &Budget) -> Shrunk {
    let deadline = Instant::now() + budget.time;
    let left = || Budget { time: deadline.saturating_duration_since(Instant::now()), ..*budget };
    let mut shrunk = Shrunk { cell, exploration, smallest: true };
    let mut held = held.to_vec();
    while let Some(size) = smaller(&shrunk.cell).into_iter().find(|size| !held.contains(size)) {
        let cell = Cell { size, ..shrunk.cell.clone() };
        let exploration = engine::explore(cell.engine, cell.program(), &left());
        match exploration.verdict {
            Verdict::Failed(_) => shrunk = Shrunk { cell, exploration, ..shrunk },
            Verdict::Truncated { .. } => {
                shrunk.smallest = false;
                held.push(size);
            }
            Verdict::Exhaustive | Verdict::Bounded { .. } | Verdict::Sampled => held.push(size),
        }
    }
    if shrunk.cell.engine == EngineName::Graph {
        shorten(&shrunk.cell, &mut shrunk.exploration, left().time);
    }
    shrunk
}

/// How many executions are tried in search of a shorter one, and for how long.
const MORE_EXECUTIONS: u64 = 20_000;
const MORE_TIME: Duration = Duration::from_secs(2);

/// Puts the failed execution with the fewest operations in place of the one that was met first.
fn shorten(cell: &Cell, exploration: &mut Exploration, time: Duration) {
    let found = engine::search(cell.program()).shortest_failure(MORE_EXECUTIONS, time.min(MORE_TIME));
    if let Some((violation, execution)) = found {
        exploration.verdict = Verdict::Failed(Box::new(violation.into()));
        exploration.failing = Some(Box::new(execution));
    }
}

/// The sizes that lack one thread, snapshot, event or class of the cell's, and still make sense.
fn smaller(cell: &Cell) -> Vec<Size> {
    let (size, least) = (cell.size, (cell.scenario.least)());
    let mut sizes = Vec::new();
    if size.threads > least.threads {
        sizes.push(Size { threads: size.threads - 1, ..size });
    }
    if size.snapshots > least.snapshots {
        sizes.push(Size { snapshots: size.snapshots - 1, ..size });
    }
    if size.events > least.events {
        sizes.push(Size { events: size.events - 1, ..size });
    }
    if size.classes > least.classes {
        sizes.push(Size { classes: size.classes - 1, ..size });
    }
    sizes.retain(|size| cell.layout.make(size.classes, size.slots).is_some());
    sizes
}
