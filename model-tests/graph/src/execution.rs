//! An execution as a list of what its threads did, for those who want to read it: the same form for every engine.

use std::collections::BTreeMap;
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

/// What a place held at the end of an execution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastValue {
    /// The place.
    pub place: Place,
    /// What it is called; see [`labels`].
    pub label: String,
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
    let labels = labels(trace);
    let known = |row: &Option<usize>| row.and_then(|row| trace[row].position);
    for (index, row) in trace.iter().enumerate() {
        let Some(place) = row.place else { continue };
        let (value, by) = match (row.written, row.read) {
            (Some(value), _) => (value, Some(index)),
            (None, Some(value)) if row.source == Some(Source::Initial) => (value, None),
            _ => continue,
        };
        let mutex = matches!(row.action, Action::Lock | Action::Unlock);
        let now = LastValue { place, label: labels[&place].clone(), mutex, value, row: by };
        match last.iter_mut().find(|last| last.place == place) {
            None => last.push(now),
            Some(last) if now.row.is_some() && known(&last.row) <= row.position => *last = now,
            Some(_) => {}
        }
    }
    last.sort_by_key(|last| last.place);
    last
}

/// What the places of an execution are called: the name that the source gives, with the place's numbers behind it where another
/// place has the same name; or the numbers alone where it gives none.
pub fn labels(trace: &[Row]) -> BTreeMap<Place, String> {
    let mut names: BTreeMap<Place, Option<&str>> = BTreeMap::new();
    for row in trace {
        if let Some(place) = row.place {
            let name = names.entry(place).or_default();
            *name = name.or(row.name.as_deref());
        }
    }
    let label = |(&place, &name): (&Place, &Option<&str>)| {
        let shared = || names.values().filter(|other| **other == name).count() > 1;
        let label = match name {
            Some(name) if shared() => format!("{name} {place}"),
            Some(name) => name.to_owned(),
            None => place.to_string(),
        };
        (place, label)
    };
    names.iter().map(label).collect()
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

/// A line for each operation: its number, its thread, what it does, where, with which ordering and at which line of source, and
/// which row a read reads from.
impl fmt::Display for Execution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let labels = labels(&self.trace);
        let lines: Vec<[String; 7]> =
            self.trace.iter().enumerate().map(|(index, row)| line(index, row, &labels)).collect();
        let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or_default();
        let widths: [usize; 7] = std::array::from_fn(width);
        for line in &lines {
            let cells = line.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}"));
            writeln!(f, "{}", cells.collect::<Vec<_>>().join("  ").trim_end())?;
        }
        Ok(())
    }
}

fn line(index: usize, row: &Row, labels: &BTreeMap<Place, String>) -> [String; 7] {
    let source = match row.source {
        Some(Source::Initial) => "reads the initial value".to_owned(),
        Some(Source::Row(source)) => format!("reads row {}", source + 1),
        None => String::new(),
    };
    [
        (index + 1).to_string(),
        format!("thread {}", row.thread),
        row.operation(),
        row.place.map(|place| labels[&place].clone()).unwrap_or_default(),
        row.order.map(|order| format!("{order:?}")).unwrap_or_default(),
        source,
        row.at.to_string(),
    ]
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
mod tests {
    use super::*;

    fn row(action: Action, read: Option<u64>, written: Option<u64>) -> Row {
        let at = Line { file: "a.rs".to_owned(), line: 7, column: 1 };
        let place = Some(Place { creator: 0, number: 3 });
        let (name, order, source, position) = Default::default();
        Row { thread: 0, action, place, name, order, read, source, written, position, at }
    }

    #[test]
    fn what_is_blocked_or_fails_says_so() {
        let cas = Action::CompareExchange { current: 0, new: 1 };
        assert_eq!(row(cas, Some(1), None).operation(), "cas 1, not 0");
        assert_eq!(row(cas, Some(0), Some(1)).operation(), "cas 0 -> 1");
        assert_eq!(row(Action::Lock, Some(1), None).operation(), "waits to lock");
        assert_eq!(row(Action::LoadOwned, None, None).operation(), "load_owned fails");
    }

    #[test]
    fn a_name_that_two_places_have_is_told_apart_by_their_numbers() {
        let named = |number, name: Option<&str>| {
            let place = Some(Place { creator: 1, number });
            Row { place, name: name.map(str::to_owned), ..row(Action::Load, Some(0), None) }
        };
        let trace = [named(0, Some("mark")), named(1, Some("node")), named(2, Some("node")), named(3, None)];
        assert_eq!(labels(&trace).into_values().collect::<Vec<_>>(), ["mark", "node 1.1", "node 1.2", "1.3"]);
    }

    #[test]
    fn an_execution_is_a_line_for_each_operation() {
        let load =
            Row { source: Some(Source::Row(0)), name: Some("flag".to_owned()), ..row(Action::Load, Some(1), None) };
        let store = Row { name: Some("flag".to_owned()), ..row(Action::Store, None, Some(1)) };
        let text = Execution { trace: vec![store, load], schedule: None }.to_string();
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines[0], "1  thread 0  store 1  flag                 a.rs:7");
        assert_eq!(lines[1], "2  thread 0  load 1   flag    reads row 1  a.rs:7");
    }
}
