//! An execution as a list of what its threads did, for those who want to read it.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::panic::Location;
use std::sync::atomic::Ordering;

use super::cast::Cast;
use super::event::{Change, Event, INITIAL, Id, Kind, Operation, PlaceId, ThreadId};
use super::execution_graph::ExecutionGraph;
use super::names::Names;

/// An execution: what happened in it, and the token by which [`rerun`](super::rerun) repeats exactly it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Execution {
    /// What the threads did, in an order in which they could have run: each read stands behind the write it reads
    /// from. (Not in every respect an order of time: under weak memory there is none.)
    pub trace: Vec<Row>,
    /// The token.
    pub token: String,
}

/// One operation of one thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The thread: 0 is the main thread, and a thread's number is greater than its parent's.
    pub thread: usize,
    /// What it did.
    pub action: Action,
    /// Where it read or wrote.
    pub place: Option<Place>,
    /// The ordering; of a compare-exchange the one that applied.
    pub order: Option<Ordering>,
    /// The value it read.
    pub read: Option<u64>,
    /// The write that it read from.
    pub source: Option<Source>,
    /// The value it wrote.
    pub written: Option<u64>,
    /// Which write of its place it is in modification order, where 0 is the initial value.
    pub position: Option<usize>,
    /// The line of source; of an unlock, that of its lock.
    pub at: &'static Location<'static>,
}

/// What an operation does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
pub struct Place {
    /// The thread that made it.
    pub creator: usize,
    /// How many it had made before.
    pub number: usize,
}

/// What a read reads from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The value that the place was made with.
    Initial,
    /// The write of this row.
    Row(usize),
}

/// The rows of a graph.
pub(super) fn trace(graph: &ExecutionGraph, names: &Names) -> Vec<Row> {
    let cast = Cast::new(graph, names);
    let events = replay_order(graph, &cast);
    // The row of each event; both halves of a read-modify-write have the same.
    let mut rows = vec![0; graph.len()];
    let mut next = 0;
    for &id in &events {
        let half = graph.event(id).kind == Kind::UpdateWrite;
        rows[id as usize] = if half { next - 1 } else { next };
        next += usize::from(!half && graph.event(id).step.operation != Operation::End);
    }
    let halves = |id: &&Id| graph.event(**id).kind != Kind::UpdateWrite;
    events.iter().filter(halves).filter_map(|&id| row(graph, names, &cast, &rows, id)).collect()
}

/// A number that tells complete graphs apart, and means the same however a graph was reached.
pub(super) fn fingerprint(graph: &ExecutionGraph, names: &Names) -> u64 {
    let cast = Cast::new(graph, names);
    let mut hasher = DefaultHasher::new();
    for &thread in &cast.threads {
        graph.thread(thread).len().hash(&mut hasher);
        for &id in graph.thread(thread) {
            let event = graph.event(id);
            cast.describe(event.step.operation, names).hash(&mut hasher);
            event.value.hash(&mut hasher);
            cast.code(graph, event.source).hash(&mut hasher);
        }
    }
    let mut places: Vec<PlaceId> = (0..graph.places() as PlaceId).collect();
    places.retain(|&place| !graph.writes(place).is_empty());
    places.sort_by_key(|&place| cast.place(names, place));
    for place in places {
        cast.place(names, place).hash(&mut hasher);
        graph.writes(place).iter().for_each(|&write| cast.code(graph, write).hash(&mut hasher));
    }
    hasher.finish()
}

/// The events in an order in which they could have been replayed.
fn replay_order(graph: &ExecutionGraph, cast: &Cast) -> Vec<Id> {
    let mut order: Vec<Id> = Vec::with_capacity(graph.len());
    let mut there = vec![false; graph.len()];
    let mut cursors = vec![0; cast.threads.len()];
    let mut progress = true;
    while progress {
        progress = false;
        for (&thread, cursor) in cast.threads.iter().zip(&mut cursors) {
            while let Some(&id) = graph.thread(thread).get(*cursor)
                && needs(graph, id).into_iter().flatten().all(|need| there[need as usize])
            {
                there[id as usize] = true;
                order.push(id);
                *cursor += 1;
                progress = true;
            }
        }
    }
    order
}

/// What must stand before an event, besides what its thread did before.
fn needs(graph: &ExecutionGraph, id: Id) -> [Option<Id>; 2] {
    let event: &Event = graph.event(id);
    let spawn = if event.index == 0 { graph.spawn_of(event.thread()) } else { None };
    let other = match event.step.operation {
        Operation::Join { child } => graph.end_of(child),
        _ => Some(event.source).filter(|&source| source != INITIAL),
    };
    [spawn, other]
}

fn row(graph: &ExecutionGraph, names: &Names, cast: &Cast, rows: &[usize], id: Id) -> Option<Row> {
    let event = graph.event(id);
    let operation = event.step.operation;
    let thread: ThreadId = event.thread();
    let write = if event.is_read() {
        graph.thread(thread).get(event.index as usize + 1).copied().filter(|_| operation.updates(event.value).is_some())
    } else {
        Some(id).filter(|_| event.is_write())
    };
    Some(Row {
        thread: cast.number(thread),
        action: action(operation, cast)?,
        place: operation.place().map(|place| {
            let (creator, number) = cast.place(names, place);
            Place { creator, number }
        }),
        order: operation.order(event.value),
        read: event.is_read().then_some(event.value),
        source: event.is_read().then(|| match event.source {
            INITIAL => Source::Initial,
            source => Source::Row(rows[source as usize]),
        }),
        written: write.map(|write| graph.event(write).value),
        position: write.zip(event.place).map(|(write, place)| graph.position(place, write)),
        at: event.step.at,
    })
}

/// What an operation is shown as; the end of a thread is not shown.
fn action(operation: Operation, cast: &Cast) -> Option<Action> {
    Some(match operation {
        Operation::Load { owned: false, .. } => Action::Load,
        Operation::Load { owned: true, .. } => Action::LoadOwned,
        Operation::Store { .. } => Action::Store,
        Operation::Update { change: Change::Swap(_), .. } => Action::Swap,
        Operation::Update { change: Change::Add(value), .. } => Action::FetchAdd(value),
        Operation::Update { change: Change::Max(value), .. } => Action::FetchMax(value),
        Operation::CompareExchange { current, new, .. } => Action::CompareExchange { current, new },
        Operation::Lock { .. } => Action::Lock,
        Operation::Unlock { .. } => Action::Unlock,
        Operation::Fence { .. } => Action::Fence,
        Operation::Spawn { child } => Action::Spawn(cast.number(child)),
        Operation::Join { child } => Action::Join(cast.number(child)),
        Operation::End => return None,
    })
}
