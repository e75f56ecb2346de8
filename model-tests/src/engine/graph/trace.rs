//! A graph as a list of what its threads did.

use std::hash::{DefaultHasher, Hash, Hasher};

use super::cast::Cast;
use super::event::{Change, Event, INITIAL, Id, Kind, Operation, PlaceId, ThreadId};
use super::execution_graph::ExecutionGraph;
use super::names::Names;
use crate::trace::{Action, Line, Place, Row, Source};

/// The rows of a graph, in an order in which its threads could have run: each read stands behind the write it reads
/// from.
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
        at: Line::from(event.step.at),
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
