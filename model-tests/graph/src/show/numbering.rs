//! The threads of one execution, numbered as they are shown: parents first, siblings in the order of their spawning.

use crate::model::event::{Change, Event, INITIAL, Id, Operation, PlaceId, ThreadId};
use crate::model::execution_graph::ExecutionGraph;
use crate::run::names::{MAIN, Names};

/// The threads of a graph. Names of threads that it does not have leave no gap in the numbers.
#[derive(Clone, Debug)]
pub(crate) struct Numbering {
    pub(crate) threads: Vec<ThreadId>,
}

impl Numbering {
    pub(crate) fn new(graph: &ExecutionGraph, names: &Names) -> Self {
        let present = |thread: &ThreadId| *thread == MAIN || graph.spawn_of(*thread).is_some();
        Self { threads: names.canonical().iter().copied().filter(present).collect() }
    }

    pub(crate) fn number(&self, thread: ThreadId) -> usize {
        self.threads.iter().position(|&other| other == thread).unwrap_or(self.threads.len())
    }

    /// A number for an event, or for the initial write (0), that means the same however the graph was reached.
    pub(crate) fn code(&self, graph: &ExecutionGraph, id: Id) -> u64 {
        if id == INITIAL {
            return 0;
        }
        let event: &Event = graph.event(id);
        1 + self.number(event.thread()) as u64 + self.threads.len() as u64 * u64::from(event.index)
    }

    /// A place's name: its creator's number, and how many that had made before.
    pub(crate) fn place(&self, names: &Names, place: PlaceId) -> (usize, usize) {
        let name = names.place_name(place);
        (self.number(name.creator), name.number as usize)
    }

    /// What a place is called: by the source if it says so, else by its numbers.
    pub(crate) fn label(&self, place: PlaceId, names: &Names) -> String {
        let (creator, number) = self.place(names, place);
        names.label_of(place).map_or_else(|| format!("{creator}.{number}"), str::to_owned)
    }

    /// An operation in words.
    pub(crate) fn describe(&self, operation: Operation, names: &Names) -> String {
        let place = operation.place().map(|place| self.label(place, names)).unwrap_or_default();
        match operation {
            Operation::Load { order, owned: false, .. } => format!("load of cell {place}, {order:?}"),
            Operation::Load { owned: true, .. } => format!("owner's load of cell {place}"),
            Operation::Store { value, order, .. } => format!("store of {value} to cell {place}, {order:?}"),
            Operation::Update { change: Change::Add(value), order, .. } => {
                format!("fetch_add of {value} to cell {place}, {order:?}")
            }
            Operation::Update { change: Change::Max(value), order, .. } => {
                format!("fetch_max of {value} to cell {place}, {order:?}")
            }
            Operation::Update { change: Change::Swap(value), order, .. } => {
                format!("swap of {value} into cell {place}, {order:?}")
            }
            Operation::CompareExchange { current, new, success, failure, .. } => {
                format!("compare_exchange of {current} to {new} in cell {place}, {success:?}, {failure:?}")
            }
            Operation::Lock { .. } => format!("lock of mutex {place}"),
            Operation::Unlock { .. } => format!("unlock of mutex {place}"),
            Operation::Fence { order } => format!("fence, {order:?}"),
            Operation::Spawn { child } => format!("spawn of thread {}", self.number(child)),
            Operation::Join { child } => format!("join of thread {}", self.number(child)),
            Operation::End => "the end of the thread".to_owned(),
        }
    }
}
