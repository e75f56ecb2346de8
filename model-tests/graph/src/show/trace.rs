//! A graph as a list of what its threads did.

use std::hash::{DefaultHasher, Hash, Hasher};

use super::numbering::Numbering;
use crate::execution::{Action, Line, Place, Row, Source};
use crate::model::event::{Change, Event, INITIAL, Id, Kind, Operation, PlaceId, ThreadId};
use crate::model::execution_graph::ExecutionGraph;
use crate::run::names::Names;

/// The rows of a graph, in an order in which its threads could have run: each read stands behind the write it reads
/// from.
pub(crate) fn trace(graph: &ExecutionGraph, names: &Names) -> Vec<Row> {
    let numbering = Numbering::new(graph, names);
    let events = replay_order(graph, &numbering);
    // The row of each event; both halves of a read-modify-write have the same.
    let mut rows = vec![0; graph.len()];
    let mut next = 0;
    for &id in &events {
        let half = graph.event(id).kind == Kind::UpdateWrite;
        rows[id as usize] = if half { next - 1 } else { next };
        next += usize::from(!half && graph.event(id).step.operation != Operation::End);
    }
    let halves = |id: &&Id| graph.event(**id).kind != Kind::UpdateWrite;
    events.iter().filter(halves).filter_map(|&id| row(graph, names, &numbering, &rows, id)).collect()
}

/// A number that tells complete graphs apart, and means the same however a graph was reached.
pub(crate) fn fingerprint(graph: &ExecutionGraph, names: &Names) -> u64 {
    let numbering = Numbering::new(graph, names);
    let mut hasher = DefaultHasher::new();
    for &thread in &numbering.threads {
        graph.thread(thread).len().hash(&mut hasher);
        for &id in graph.thread(thread) {
            let event = graph.event(id);
            numbering.describe(event.step.operation, names).hash(&mut hasher);
            event.value.hash(&mut hasher);
            numbering.code(graph, event.source).hash(&mut hasher);
        }
    }
    let mut places: Vec<PlaceId> = (0..graph.places() as PlaceId).collect();
    places.retain(|&place| !graph.writes(place).is_empty());
    places.sort_by_key(|&place| numbering.place(names, place));
    for place in places {
        numbering.place(names, place).hash(&mut hasher);
        graph.writes(place).iter().for_each(|&write| numbering.code(graph, write).hash(&mut hasher));
    }
    hasher.finish()
}

/// The events in an order in which they could have been replayed.
fn replay_order(graph: &ExecutionGraph, numbering: &Numbering) -> Vec<Id> {
    let mut order: Vec<Id> = Vec::with_capacity(graph.len());
    let mut there = vec![false; graph.len()];
    let mut cursors = vec![0; numbering.threads.len()];
    let mut progress = true;
    while progress {
        progress = false;
        for (&thread, cursor) in numbering.threads.iter().zip(&mut cursors) {
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

fn row(graph: &ExecutionGraph, names: &Names, numbering: &Numbering, rows: &[usize], id: Id) -> Option<Row> {
    let event = graph.event(id);
    let operation = event.step.operation;
    let thread: ThreadId = event.thread();
    let write = if event.is_read() {
        graph.thread(thread).get(event.index as usize + 1).copied().filter(|_| operation.updates(event.value).is_some())
    } else {
        Some(id).filter(|_| event.is_write())
    };
    Some(Row {
        thread: numbering.number(thread),
        action: action(operation, numbering)?,
        place: operation.place().map(|place| {
            let (creator, number) = numbering.place(names, place);
            Place { creator, number }
        }),
        name: operation.place().and_then(|place| names.label_of(place)).map(str::to_owned),
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
fn action(operation: Operation, numbering: &Numbering) -> Option<Action> {
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
        Operation::Spawn { child } => Action::Spawn(numbering.number(child)),
        Operation::Join { child } => Action::Join(numbering.number(child)),
        Operation::End => return None,
    })
}
