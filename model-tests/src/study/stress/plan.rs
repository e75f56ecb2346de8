//! How long a layout is stressed, and what comes of it.

use std::time::Duration;

use serde::Serialize;

/// How long a layout is stressed.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// When it is enough. Two generations are run in any case.
    pub until: Until,
    /// For how long there may be no progress.
    pub stall: Duration,
}

/// When it is enough.
#[derive(Clone, Copy, Debug)]
pub enum Until {
    /// When so much time has passed.
    Elapsed(Duration),
    /// When so many threads have recorded, and so many events.
    Reached {
        /// Threads that ever lived.
        threads: u64,
        /// Events recorded.
        events: u64,
    },
}

/// What a layout was seen to do.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Row {
    /// The layout.
    pub layout: &'static str,
    /// How many generations of threads lived.
    pub generations: u64,
    /// The threads that recorded, all together.
    pub threads: u64,
    /// The events that they recorded.
    pub events: u64,
    /// The snapshots that were taken and judged.
    pub snapshots: u64,
    /// Events recorded and not counted, with all threads joined.
    pub lost: u64,
    /// Events counted and not recorded, with all threads joined.
    pub doubled: u64,
    /// Snapshots that were somewhere smaller than one that happened before them.
    pub backwards: u64,
    /// Snapshots of threads that record, which counted less than had happened before them.
    pub short: u64,
    /// Snapshots with more frees than allocs in a class.
    pub negative: u64,
    /// By how many bytes the heap in use has grown since the first generation.
    pub memory_growth: i64,
    /// Whether that is more than is allowed.
    pub memory_grows: bool,
    /// What was seen first, for each column that is not as it should be.
    pub faults: Vec<Fault>,
}

/// What was seen first of a fault.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// The column.
    pub column: &'static str,
    /// What was seen.
    pub seen: String,
}

/// Why a stress has no result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "why", rename_all = "lowercase")]
pub enum Ending {
    /// There was no progress for too long.
    Hung {
        /// Where.
        place: String,
    },
    /// A thread panicked.
    Panicked {
        /// Where.
        place: String,
        /// With which words.
        what: String,
    },
    /// The global allocator is not [`CountedHeap`](super::CountedHeap).
    Unmeasured,
}

impl Row {
    /// Whether everything is as it should be.
    pub fn is_clean(&self) -> bool {
        let Self { lost, doubled, backwards, short, negative, memory_grows, .. } = *self;
        [lost, doubled, backwards, short, negative] == [0; 5] && !memory_grows
    }

    /// Notes what was seen, if it is the first in its column.
    pub(super) fn fault(&mut self, column: &'static str, seen: impl FnOnce() -> String) {
        if self.faults.iter().all(|fault| fault.column != column) {
            self.faults.push(Fault { column, seen: seen() });
        }
    }
}

/// The report.
#[derive(Debug, Default, Serialize)]
pub struct Report {
    /// A row for each layout.
    pub rows: Vec<Row>,
    /// The layout that had no result, and why.
    pub ended: Option<Ended>,
    /// The layouts that would have come after it: what hangs cannot be ended, so they were not stressed.
    pub skipped: Vec<&'static str>,
}

/// A layout without a result.
#[derive(Debug, Serialize)]
pub struct Ended {
    /// The layout.
    pub layout: &'static str,
    /// Why it has none.
    #[serde(flatten)]
    pub ending: Ending,
}

impl Report {
    /// Whether every layout has a result, and everything is as it should be.
    pub fn is_clean(&self) -> bool {
        self.ended.is_none() && self.rows.iter().all(Row::is_clean)
    }
}
