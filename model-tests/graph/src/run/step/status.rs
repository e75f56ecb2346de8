//! Where a thread stands in a run.

use crate::model::event::ThreadId;

/// A thread of a run.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Thread {
    pub(crate) status: Status,
    /// How many of its events are replayed or, when live, added.
    pub(crate) cursor: u32,
    /// How many threads it has spawned.
    pub(crate) spawned: u32,
    /// How many places it has made.
    pub(crate) made: u32,
    /// What an operation that is done gives, while its thread is held back.
    pub(crate) held: Option<u64>,
}

/// What a thread that is not running waits for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Status {
    /// Not spawned.
    #[default]
    Absent,
    /// Nothing.
    Ready,
    /// That another thread's event is replayed.
    Awaits {
        thread: ThreadId,
        index: u32,
    },
    /// That the run is live.
    Frontier,
    /// The end of another thread.
    Joins(ThreadId),
    /// A mutex that is held; for good, in this execution.
    Locks,
    /// Nothing that could come: an assumption did not hold.
    Assumes,
    /// That the execution that is followed is at its end.
    Follows,
    Ended,
}

/// What a thread that cannot go on waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Waits {
    /// The mutex of its last event, which reads that it is held.
    ForLock,
    /// The end of this thread.
    ForEnd(ThreadId),
    /// Nothing that could come.
    InVain,
}

impl Status {
    /// What the thread waits for when no thread can go on; `None` if it is not there or has ended.
    pub(crate) fn waits(self) -> Option<Waits> {
        match self {
            Self::Absent | Self::Ended => None,
            Self::Locks => Some(Waits::ForLock),
            Self::Joins(child) => Some(Waits::ForEnd(child)),
            Self::Ready | Self::Awaits { .. } | Self::Frontier | Self::Assumes | Self::Follows => Some(Waits::InVain),
        }
    }
}
