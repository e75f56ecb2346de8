//! An execution as a list of what its threads did, for those who want to read it: the same form for every engine.

use std::fmt;
use std::panic::Location;
use std::sync::atomic::Ordering;

use serde::{Deserialize, Serialize};

/// An execution: what happened in it, and how to repeat exactly it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Execution {
    /// What the threads did, in an order in which they could have run. (Under weak memory there is no order of time
    /// that explains every read; and real threads do not say in which order they ran.)
    pub trace: Vec<Row>,
    /// What the engine needs to repeat it, as text for a URL or a command line; see
    /// [`replay`](crate::engine::replay()). `None` where nobody can: on real threads.
    pub schedule: Option<String>,
}

/// One operation of one thread.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row {
    /// The thread: 0 is the main thread; parents come before their children, and these in the order of their spawning.
    pub thread: usize,
    /// What it did.
    pub action: Action,
    /// Where it read or wrote.
    pub place: Option<Place>,
    /// The ordering; of a compare-exchange the one that applied.
    #[serde(with = "ordering")]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Place {
    /// The thread that made it.
    pub creator: usize,
    /// How many it had made before.
    pub number: usize,
}

/// What a read reads from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Source {
    /// The value that the place was made with.
    Initial,
    /// The write of this row.
    Row(usize),
}

/// A position in the source code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// The file, as the compiler was given it.
    pub file: String,
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

/// What a place held at the end of an execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LastValue {
    /// The place.
    pub place: Place,
    /// Whether it is a mutex: 0 means then that it is free, and 1 that it is held.
    pub mutex: bool,
    /// The value.
    pub value: u64,
    /// The row that wrote it; `None` if the place kept its initial value.
    pub row: Option<usize>,
}

/// What each place that was read or written held at the end, by place: the last write in modification order where the
/// engine knows it, and otherwise in the order of the rows.
pub fn last_values(trace: &[Row]) -> Vec<LastValue> {
    let mut last: Vec<LastValue> = Vec::new();
    let known = |row: &Option<usize>| row.and_then(|row| trace[row].position);
    for (index, row) in trace.iter().enumerate() {
        let Some(place) = row.place else { continue };
        let mutex = matches!(row.action, Action::Lock | Action::Unlock);
        let now = match (row.written, row.read) {
            (Some(value), _) => LastValue { place, mutex, value, row: Some(index) },
            (None, Some(value)) if row.source == Some(Source::Initial) => LastValue { place, mutex, value, row: None },
            _ => continue,
        };
        match last.iter_mut().find(|last| last.place == place) {
            None => last.push(now),
            Some(last) if now.row.is_some() && known(&last.row) <= row.position => *last = now,
            Some(_) => {}
        }
    }
    last.sort_by_key(|last| last.place);
    last
}

/// A number that tells the executions of one program apart, and stays the same where only its lines have moved.
pub(crate) fn fingerprint(trace: &[Row]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    for Row { thread, action, place, order, read, source, written, position, at: _ } in trace {
        let row = format!("{thread} {action:?} {place:?} {order:?} {read:?} {source:?} {written:?} {position:?}\n");
        hasher.update(row.as_bytes());
    }
    hasher.finalize()
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
