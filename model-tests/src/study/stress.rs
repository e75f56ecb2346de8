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
mod heap;
mod layout;
mod plan;
mod profile;
mod tally;
mod watchdog;

pub use catalog::{StressEntry, all, find, layouts};
pub use heap::CountedHeap;
pub use plan::{Ended, Ending, Fault, Plan, Report, Row, Until};
