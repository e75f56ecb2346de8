//! The stress: real threads hammer a profile of each layout, and every event is accounted for.
//!
//! The engines go through all executions of small programs; this runs a few large ones. Each layout has a static profile
//! made by `thread_profile!`, so the thread-locals, the warm handle, the guard's destructor and the way without a recorder
//! are those of a program. The work is done in *generations*:
//!
//! ```text
//!   generation   ┌ more threads than cores, which stay: allocate, free, hand blocks over to each other ┐
//!                ├ threads that come, record, exit and are joined, or are left to the end of a scope   ┤ joined, then
//!                │   (they record in destructors of thread-locals too, some of them nowhere else)       │ counted: exact?
//!                └ two readers, which take one snapshot after another                                  ┘
//! ```
//!
//! # The oracle
//!
//! Each thread counts its own events in plain integers and returns them when it is joined. What a late destructor records
//! is fixed beforehand, so the thread returns it in advance: it has happened when the join returns, since joining waits for
//! the thread itself, destructors included. A scope does not wait for those, so its threads record in their bodies only.
//!
//! # Edges
//!
//! What happens-before what is known from these edges, and there are no others that the stress adds on purpose:
//!
//! - starting and joining a thread, and the end of a scope. So a generation's events happen-before the next one's.
//! - the channel by which a block is handed over, from the thread that allocated it to the one that frees it;
//! - the channel by which one reader sends a snapshot to the other. No recording thread has a part in it, so between who
//!   records and who reads at the same time there is the layout's own synchronisation and nothing else.
//!
//! A snapshot of a thread that records counts at least what the thread knows of; those are its *own* snapshots. The flag
//! that stops the readers, the progress that the watchdog looks at, and the count of the heap are relaxed, and so no
//! edges. On x86 an addition to them is a locked instruction all the same, which empties the store buffer: they are added
//! to once in hundreds of events, and the heap's count where memory is allocated. In any case a missing Release or Acquire
//! is not what this finds, since on x86 every store releases and every load acquires: the graph engine is asked for those.
//!
//! # Memory
//!
//! [`CountedHeap`] counts the bytes of the heap in use. They are compared with all threads joined, after the first
//! generation and at the end: a growth of more than 4 KiB and 4 bytes for each thread that lived in between is a failure.
//! (The least that an allocator can leave behind for a thread is more.) As the last threads of a scope may still be about
//! to exit, what is too much is looked at again, for up to 2 seconds. Statics and the stacks of threads are not counted.
//!
//! # A hang
//!
//! The work of a generation is finite, so whatever hangs stops all progress sooner or later; when there was none for
//! [`Plan::stall`], the layout is given up. Its threads cannot be ended, and the process is expected to end.

mod catalog;
mod generation;
mod hand;
mod heap;
mod profile;
mod reader;
mod tally;
mod threads;
mod watchdog;

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use serde::Serialize;

pub use catalog::{StressEntry, all, layouts};
pub use heap::CountedHeap;

use generation::Size;
use profile::Profile;
use watchdog::{Progress, watch};

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
    /// The global allocator is not [`CountedHeap`].
    Unmeasured,
}

impl Row {
    /// Whether everything is as it should be.
    pub fn is_clean(&self) -> bool {
        let Self { lost, doubled, backwards, short, negative, memory_grows, .. } = *self;
        [lost, doubled, backwards, short, negative] == [0; 5] && !memory_grows
    }

    /// Notes what was seen, if it is the first in its column.
    fn fault(&mut self, column: &'static str, seen: impl FnOnce() -> String) {
        if self.faults.iter().all(|fault| fault.column != column) {
            self.faults.push(Fault { column, seen: seen() });
        }
    }
}

/// Stresses the profile `P`.
fn stress<P: Profile>(layout: &'static str, plan: Plan) -> Result<Row, Ending> {
    heap::begin();
    if !heap::is_counted() {
        return Err(Ending::Unmeasured);
    }
    watch(plan.stall, move |progress| generations::<P>(layout, plan.until, progress))
}

fn generations<P: Profile>(layout: &'static str, until: Until, progress: &Arc<Progress>) -> Row {
    let begun = Instant::now();
    let size = Size::for_this_machine();
    let mut row = Row { layout, ..Row::default() };
    // The profile may have been stressed before in this process.
    let mut counted = generation::run::<P>(size, P::snapshot(), progress, &mut row);
    let (in_use, threads) = (heap::in_use(), row.threads);
    loop {
        counted = generation::run::<P>(size, counted, progress, &mut row);
        let is_enough = match until {
            Until::Elapsed(time) => begun.elapsed() >= time,
            Until::Reached { threads, events } => row.threads >= threads && row.events >= events,
        };
        if is_enough {
            break;
        }
    }
    let allowed = GROWTH_ALLOWED + GROWTH_ALLOWED_PER_THREAD * (row.threads - threads) as i64;
    let growth = || heap::in_use() - in_use;
    row.memory_growth = growth();
    for _ in 0..LOOKS {
        if row.memory_growth <= allowed {
            break;
        }
        thread::sleep(SETTLING / LOOKS);
        row.memory_growth = growth();
    }
    row.memory_grows = row.memory_growth > allowed;
    if row.memory_grows {
        let (growth, threads) = (row.memory_growth, row.threads - threads);
        row.fault("memory growth", || {
            format!("the heap in use grew by {growth} bytes while {threads} threads lived; {allowed} are allowed")
        });
    }
    row
}

const GROWTH_ALLOWED: i64 = 4096;
const GROWTH_ALLOWED_PER_THREAD: i64 = 4;

/// For how long, and how often in it, a heap that is too large is looked at again.
const SETTLING: Duration = Duration::from_secs(2);
const LOOKS: u32 = 50;
