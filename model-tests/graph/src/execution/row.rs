//! The rows of an execution.

use std::fmt;
use std::panic::Location;
use std::sync::atomic::Ordering;

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

/// An execution: what happened in it, and how to repeat exactly it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Execution {
    /// What the threads did, in an order in which they could have run. (Under weak memory there is no order of time
    /// that explains every read; and real threads do not say in which order they ran.)
    pub trace: Vec<Row>,
    /// What the engine needs to repeat it, as text for a URL or a command line; see
    /// [`replay`](crate::replay()). `None` where nobody can: on real threads.
    pub schedule: Option<String>,
}

/// One operation of one thread.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct Row {
    /// The thread: 0 is the main thread; parents come before their children, and these in the order of their spawning.
    pub thread: usize,
    /// What it did.
    pub action: Action,
    /// Where it read or wrote.
    pub place: Option<Place>,
    /// What the source calls that place, if it says so.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub name: Option<String>,
    /// The ordering; of a compare-exchange the one that applied.
    #[cfg_attr(feature = "serde", serde(with = "ordering"))]
    pub order: Option<Ordering>,
    /// The value it read.
    pub read: Option<u64>,
    /// The write that it read from, where the engine knows.
    pub source: Option<Source>,
    /// The value it wrote.
    pub written: Option<u64>,
    /// Which write of its place it is in modification order, where 0 is the initial value and the engine knows.
    pub position: Option<usize>,
    /// The line of source; of an unlock, that of its lock.
    pub at: Line,
}

/// What an operation does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub enum Action {
    /// A load.
    Load,
    /// The owner's load of a cell that only it writes.
    LoadOwned,
    /// A store.
    Store,
    /// A swap.
    Swap,
    /// An addition of this much.
    FetchAdd(u64),
    /// A raise to this much.
    FetchMax(u64),
    /// A compare-exchange.
    CompareExchange {
        /// The value that was hoped for.
        current: u64,
        /// The value to be written then.
        new: u64,
    },
    /// A lock of a mutex. It read 0 and wrote 1; or it read 1, and is blocked.
    Lock,
    /// An unlock of a mutex.
    Unlock,
    /// A fence.
    Fence,
    /// A spawn of this thread.
    Spawn(usize),
    /// A join with this thread.
    Join(usize),
}

/// A cell or a mutex: the `number`-th that the thread `creator` made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct Place {
    /// The thread that made it.
    pub creator: usize,
    /// How many it had made before.
    pub number: usize,
}

/// What a read reads from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub enum Source {
    /// The value that the place was made with.
    Initial,
    /// The write of this row.
    Row(usize),
}

/// A position in the source code.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct Line {
    /// The file, as the compiler was given it.
    pub file: String,
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

/// A number that tells the executions of one program apart, and stays the same where only its lines have moved, or its
/// places are called otherwise.
pub fn fingerprint(trace: &[Row]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    for Row { thread, action, place, order, read, source, written, position, name: _, at: _ } in trace {
        let row = format!("{thread} {action:?} {place:?} {order:?} {read:?} {source:?} {written:?} {position:?}\n");
        hasher.update(row.as_bytes());
    }
    hasher.finalize()
}

impl Row {
    /// The operation and its values: `load 1`, `fetch_add 1 -> 2`.
    pub fn operation(&self) -> String {
        let name = match self.action {
            Action::Load => "load",
            Action::LoadOwned => "load_owned",
            Action::Store => "store",
            Action::Swap => "swap",
            Action::FetchAdd(_) => "fetch_add",
            Action::FetchMax(_) => "fetch_max",
            Action::CompareExchange { .. } => "cas",
            Action::Lock if self.written.is_none() => return "waits to lock".to_owned(),
            Action::Lock => return "lock".to_owned(),
            Action::Unlock => return "unlock".to_owned(),
            Action::Fence => return "fence".to_owned(),
            Action::Spawn(thread) => return format!("spawn {thread}"),
            Action::Join(thread) => return format!("join {thread}"),
        };
        match (self.read, self.written) {
            (Some(read), Some(written)) => format!("{name} {read} -> {written}"),
            (Some(read), None) => match self.action {
                Action::CompareExchange { current, .. } => format!("{name} {read}, not {current}"),
                _ => format!("{name} {read}"),
            },
            (None, Some(written)) => format!("{name} {written}"),
            // The engine did not let it come to its end.
            (None, None) => format!("{name} fails"),
        }
    }
}

impl From<&Location<'_>> for Line {
    fn from(at: &Location<'_>) -> Self {
        Self { file: at.file().to_owned(), line: at.line(), column: at.column() }
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, .. } = self;
        write!(f, "{file}:{line}")
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { creator, number } = self;
        write!(f, "{creator}.{number}")
    }
}

/// Orderings by their names.
#[cfg(feature = "serde")]
mod ordering {
    use std::sync::atomic::Ordering::{self, AcqRel, Acquire, Relaxed, Release, SeqCst};

    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    const ALL: [Ordering; 5] = [Relaxed, Acquire, Release, AcqRel, SeqCst];

    #[expect(clippy::ref_option, reason = "serde calls it with a reference to the field")]
    pub(super) fn serialize<S: Serializer>(order: &Option<Ordering>, serializer: S) -> Result<S::Ok, S::Error> {
        order.map(|order| format!("{order:?}")).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Ordering>, D::Error> {
        let Some(name) = Option::<String>::deserialize(deserializer)? else { return Ok(None) };
        let known = ALL.into_iter().find(|order| format!("{order:?}") == name);
        known.map(Some).ok_or_else(|| D::Error::custom(format!("there is no ordering `{name}`")))
    }
}

#[cfg(test)]
impl Row {
    /// An operation of the main thread on a place of its own.
    pub(super) fn example(action: Action, read: Option<u64>, written: Option<u64>) -> Self {
        let at = Line { file: "a.rs".to_owned(), line: 7, column: 1 };
        let place = Some(Place { creator: 0, number: 3 });
        let (name, order, source, position) = Default::default();
        Self { thread: 0, action, place, name, order, read, source, written, position, at }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_blocked_or_fails_says_so() {
        let cas = Action::CompareExchange { current: 0, new: 1 };
        assert_eq!(Row::example(cas, Some(1), None).operation(), "cas 1, not 0");
        assert_eq!(Row::example(cas, Some(0), Some(1)).operation(), "cas 0 -> 1");
        assert_eq!(Row::example(Action::Lock, Some(1), None).operation(), "waits to lock");
        assert_eq!(Row::example(Action::LoadOwned, None, None).operation(), "load_owned fails");
    }
}
