//! What a thread does, and what stands in a graph for it.

use std::panic::Location;
use std::sync::atomic::Ordering;

/// An event of a graph: its number in the order in which the events were added.
pub(crate) type Id = u32;

/// Stands for the write that gave a place its initial value, which is no event.
pub(crate) const INITIAL: Id = Id::MAX;

/// A thread, by its number in [`Names`](crate::run::names::Names).
pub(crate) type ThreadId = u32;

/// A memory location, by its number in [`Names`](crate::run::names::Names).
pub(crate) type PlaceId = u32;

/// The value of a mutex that nobody holds: its initial value, and what an unlock writes.
pub(crate) const FREE: u64 = 0;

/// The value of a mutex that somebody holds: what a lock writes.
pub(crate) const HELD: u64 = 1;

/// An operation of the program under test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    Load { place: PlaceId, order: Ordering, owned: bool },
    Store { place: PlaceId, value: u64, order: Ordering },
    Update { place: PlaceId, change: Change, order: Ordering },
    CompareExchange { place: PlaceId, current: u64, new: u64, success: Ordering, failure: Ordering },
    Lock { place: PlaceId },
    Unlock { place: PlaceId },
    Fence { order: Ordering },
    Spawn { child: ThreadId },
    Join { child: ThreadId },
    End,
}

/// What an unconditional read-modify-write makes of the value it reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    Add(u64),
    Max(u64),
    Swap(u64),
}

/// An operation, by whom, and from which line of source.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) thread: ThreadId,
    pub(crate) operation: Operation,
    pub(crate) at: &'static Location<'static>,
}

/// An event: an operation, or one half of a read-modify-write.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Event {
    pub(crate) step: Step,
    /// Which of its thread's events it is.
    pub(crate) index: u32,
    pub(crate) kind: Kind,
    /// The place it reads or writes.
    pub(crate) place: Option<PlaceId>,
    /// What it reads or writes.
    pub(crate) value: u64,
    /// Of a read: the write it reads from.
    pub(crate) source: Id,
    /// Of a write: the latest read that reads from it; `INITIAL` for none.
    pub(crate) reader: Id,
    /// Of a read: the next read of the same source; `INITIAL` for none.
    pub(crate) next_reader: Id,
    pub(crate) acquire: bool,
    pub(crate) release: bool,
    pub(crate) seq_cst: bool,
}

/// What kind of event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Read,
    /// A write of its own.
    Write,
    /// The write half of a read-modify-write: it stands in its place's order right behind what the read half reads.
    UpdateWrite,
    Fence,
    /// Spawn, join or end.
    Thread,
}

impl Change {
    pub(crate) fn apply(self, value: u64) -> u64 {
        match self {
            Self::Add(add) => value.wrapping_add(add),
            Self::Max(least) => value.max(least),
            Self::Swap(new) => new,
        }
    }
}

impl Operation {
    /// The place it reads or writes.
    pub(crate) fn place(self) -> Option<PlaceId> {
        match self {
            Self::Load { place, .. }
            | Self::Store { place, .. }
            | Self::Update { place, .. }
            | Self::CompareExchange { place, .. }
            | Self::Lock { place }
            | Self::Unlock { place } => Some(place),
            Self::Fence { .. } | Self::Spawn { .. } | Self::Join { .. } | Self::End => None,
        }
    }

    /// The kind of its event, or of the first of its two.
    pub(crate) fn kind(self) -> Kind {
        match self {
            Self::Load { .. } | Self::Update { .. } | Self::CompareExchange { .. } | Self::Lock { .. } => Kind::Read,
            Self::Store { .. } | Self::Unlock { .. } => Kind::Write,
            Self::Fence { .. } => Kind::Fence,
            Self::Spawn { .. } | Self::Join { .. } | Self::End => Kind::Thread,
        }
    }

    /// What a plain write writes.
    pub(crate) fn stored(self) -> u64 {
        match self {
            Self::Store { value, .. } => value,
            _ => FREE,
        }
    }

    /// What the write half writes when the read half reads `read`; `None` if there is then no write half.
    pub(crate) fn updates(self, read: u64) -> Option<u64> {
        match self {
            Self::Update { change, .. } => Some(change.apply(read)),
            Self::CompareExchange { current, new, .. } => (read == current).then_some(new),
            Self::Lock { .. } => (read == FREE).then_some(HELD),
            _ => None,
        }
    }

    /// The same with every ordering made sequentially consistent.
    pub(crate) fn strengthened(self) -> Self {
        const SC: Ordering = Ordering::SeqCst;
        match self {
            Self::Load { place, owned, .. } => Self::Load { place, owned, order: SC },
            Self::Store { place, value, .. } => Self::Store { place, value, order: SC },
            Self::Update { place, change, .. } => Self::Update { place, change, order: SC },
            Self::CompareExchange { place, current, new, .. } => {
                Self::CompareExchange { place, current, new, success: SC, failure: SC }
            }
            Self::Fence { .. } => Self::Fence { order: SC },
            Self::Lock { .. } | Self::Unlock { .. } | Self::Spawn { .. } | Self::Join { .. } | Self::End => self,
        }
    }

    /// The ordering, as written in the source; of a compare-exchange that read `read`, the one that applies.
    pub(crate) fn order(self, read: u64) -> Option<Ordering> {
        match self {
            Self::Load { order, .. }
            | Self::Store { order, .. }
            | Self::Update { order, .. }
            | Self::Fence { order } => Some(order),
            Self::CompareExchange { current, success, failure, .. } => {
                Some(if read == current { success } else { failure })
            }
            Self::Lock { .. } => Some(Ordering::Acquire),
            Self::Unlock { .. } => Some(Ordering::Release),
            Self::Spawn { .. } | Self::Join { .. } | Self::End => None,
        }
    }
}

impl Event {
    /// The event of a step, or the first of its two. `value` and `source` are those of a read or write.
    pub(crate) fn first(step: Step, index: u32, value: u64, source: Id) -> Self {
        let kind = step.operation.kind();
        let order = step.operation.order(value);
        Self {
            step,
            index,
            kind,
            place: step.operation.place(),
            value,
            source,
            reader: INITIAL,
            next_reader: INITIAL,
            acquire: kind != Kind::Write && order.is_some_and(acquires),
            release: kind != Kind::Read && order.is_some_and(releases),
            seq_cst: order == Some(Ordering::SeqCst),
        }
    }

    /// The write half that belongs to the read half `read`, writing `value`.
    pub(crate) fn second(read: &Self, value: u64) -> Self {
        let release = read.step.operation.order(read.value).is_some_and(releases);
        Self {
            index: read.index + 1,
            kind: Kind::UpdateWrite,
            value,
            source: INITIAL,
            reader: INITIAL,
            next_reader: INITIAL,
            acquire: false,
            release,
            ..*read
        }
    }

    /// The event with what it reads replaced.
    pub(crate) fn reading(&self, value: u64, source: Id) -> Self {
        Self::first(self.step, self.index, value, source)
    }

    pub(crate) fn thread(&self) -> ThreadId {
        self.step.thread
    }

    pub(crate) fn is_read(&self) -> bool {
        self.kind == Kind::Read
    }

    pub(crate) fn is_write(&self) -> bool {
        matches!(self.kind, Kind::Write | Kind::UpdateWrite)
    }
}

fn acquires(order: Ordering) -> bool {
    matches!(order, Ordering::Acquire | Ordering::AcqRel | Ordering::SeqCst)
}

fn releases(order: Ordering) -> bool {
    matches!(order, Ordering::Release | Ordering::AcqRel | Ordering::SeqCst)
}
