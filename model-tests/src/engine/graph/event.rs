//! What a thread does, and what stands in a graph for it.

use std::panic::Location;
use std::sync::atomic::Ordering;

/// An event of a graph: its number in the order in which the events were added.
pub(super) type Id = u32;

/// Stands for the write that gave a place its initial value, which is no event.
pub(super) const INITIAL: Id = Id::MAX;

/// A thread, by its number in [`Names`](super::names::Names).
pub(super) type ThreadId = u32;

/// A memory location, by its number in [`Names`](super::names::Names).
pub(super) type PlaceId = u32;

/// The value of a mutex that nobody holds: its initial value, and what an unlock writes.
pub(super) const FREE: u64 = 0;

/// The value of a mutex that somebody holds: what a lock writes.
pub(super) const HELD: u64 = 1;

/// An operation of the program under test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
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
pub(super) enum Change {
    Add(u64),
    Max(u64),
    Swap(u64),
}

/// An operation, by whom, and from which line of source.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) thread: ThreadId,
    pub(super) operation: Operation,
    pub(super) at: &'static Location<'static>,
}

/// An event: an operation, or one half of a read-modify-write.
#[derive(Clone, Copy, Debug)]
pub(super) struct Event {
    pub(super) step: Step,
    /// Which of its thread's events it is.
    pub(super) index: u32,
    pub(super) kind: Kind,
    /// The place it reads or writes.
    pub(super) place: Option<PlaceId>,
    /// What it reads or writes.
    pub(super) value: u64,
    /// Of a read: the write it reads from.
    pub(super) source: Id,
    /// Of a write: the latest read that reads from it; `INITIAL` for none.
    pub(super) reader: Id,
    /// Of a read: the next read of the same source; `INITIAL` for none.
    pub(super) next_reader: Id,
    pub(super) acquire: bool,
    pub(super) release: bool,
    pub(super) seq_cst: bool,
}

/// What kind of event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
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
    pub(super) fn apply(self, value: u64) -> u64 {
        match self {
            Self::Add(add) => value.wrapping_add(add),
            Self::Max(least) => value.max(least),
            Self::Swap(new) => new,
        }
    }
}

impl Operation {
    /// The place it reads or writes.
    pub(super) fn place(self) -> Option<PlaceId> {
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
    pub(super) fn kind(self) -> Kind {
        match self {
            Self::Load { .. } | Self::Update { .. } | Self::CompareExchange { .. } | Self::Lock { .. } => Kind::Read,
            Self::Store { .. } | Self::Unlock { .. } => Kind::Write,
            Self::Fence { .. } => Kind::Fence,
            Self::Spawn { .. } | Self::Join { .. } | Self::End => Kind::Thread,
        }
    }

    /// What a plain write writes.
    pub(super) fn stored(self) -> u64 {
        match self {
            Self::Store { value, .. } => value,
            _ => FREE,
        }
    }

    /// What the write half writes when the read half reads `read`; `None` if there is then no write half.
    pub(super) fn updates(self, read: u64) -> Option<u64> {
        match self {
            Self::Update { change, .. } => Some(change.apply(read)),
            Self::CompareExchange { current, new, .. } => (read == current).then_some(new),
            Self::Lock { .. } => (read == FREE).then_some(HELD),
            _ => None,
        }
    }

    /// The ordering, as written in the source; of a compare-exchange that read `read`, the one that applies.
    pub(super) fn order(self, read: u64) -> Option<Ordering> {
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
    pub(super) fn first(step: Step, index: u32, value: u64, source: Id) -> Self {
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
    pub(super) fn second(read: &Self, value: u64) -> Self {
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
    pub(super) fn reading(&self, value: u64, source: Id) -> Self {
        Self::first(self.step, self.index, value, source)
    }

    pub(super) fn thread(&self) -> ThreadId {
        self.step.thread
    }

    pub(super) fn is_read(&self) -> bool {
        self.kind == Kind::Read
    }

    pub(super) fn is_write(&self) -> bool {
        matches!(self.kind, Kind::Write | Kind::UpdateWrite)
    }
}

fn acquires(order: Ordering) -> bool {
    matches!(order, Ordering::Acquire | Ordering::AcqRel | Ordering::SeqCst)
}

fn releases(order: Ordering) -> bool {
    matches!(order, Ordering::Release | Ordering::AcqRel | Ordering::SeqCst)
}
