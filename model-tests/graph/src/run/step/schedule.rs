//! A schedule: all choices of one execution, to be followed instead of made. Where each read reads from, and where each write
//! stands, is given beforehand.

use crate::model::event::{Event, INITIAL, Id, Kind, PlaceId, Step, ThreadId};
use crate::model::execution_graph::ExecutionGraph;
use crate::run::names::Names;

/// An execution to follow. Threads are numbered parents first, siblings in the order of their spawning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Schedule {
    threads: Vec<ThreadSchedule>,
    /// The writes met so far, with their positions.
    positions: Vec<(Id, u64)>,
}

/// What a thread does in the execution.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ThreadSchedule {
    /// How many threads it spawns.
    pub(crate) children: u64,
    /// How many events it has.
    pub(crate) events: u64,
    /// For each read its source (0 the initial write, else 1 + thread + threads * index), for each write that is not
    /// half of a read-modify-write its position, in program order.
    pub(crate) choices: Vec<u64>,
    /// How many of these have been made.
    made: usize,
}

/// What became of a step.
pub(crate) enum Next {
    Added(Id),
    /// It reads from an event that is not there yet.
    Awaits {
        thread: ThreadId,
        index: u32,
    },
    /// In the execution, the thread has no further event.
    AtEnd,
}

impl Schedule {
    pub(crate) fn new(threads: Vec<ThreadSchedule>) -> Self {
        Self { threads, positions: Vec::new() }
    }

    /// Gives the threads their numbers as names.
    pub(crate) fn name_threads(&self, names: &mut Names) {
        // The threads of which children are still to come, each with how many have come.
        let mut open: Vec<(ThreadId, u64)> = Vec::new();
        for thread in 0..self.threads.len() as ThreadId {
            if let Some((parent, children)) = open.last_mut() {
                names.child(*parent, *children as u32);
                *children += 1;
            }
            open.push((thread, 0));
            while open.last().is_some_and(|&(last, children)| self.threads[last as usize].children == children) {
                open.pop();
            }
        }
    }

    /// Adds the events of a thread's next operation, as they are in the execution. `Err` says how the program differs.
    pub(crate) fn follow(&mut self, graph: &mut ExecutionGraph, step: Step) -> Result<Next, String> {
        let threads = self.threads.len() as u64;
        let Some(expected) = self.threads.get_mut(step.thread as usize) else {
            return Err(format!("the program starts a thread at {} that the execution does not have", step.at));
        };
        if graph.thread(step.thread).len() as u64 >= expected.events {
            return Ok(Next::AtEnd);
        }
        let differs = |what: &str| Err(format!("the operation at {} {what}", step.at));
        let choice = expected.choices.get(expected.made).copied();
        match (step.operation.kind(), step.operation.place(), choice) {
            (Kind::Read | Kind::Write, _, None) => differs("has no counterpart in the execution"),
            (Kind::Read, Some(place), Some(choice)) => {
                let source = match choice.checked_sub(1) {
                    None => INITIAL,
                    Some(code) => {
                        let (thread, index) = ((code % threads) as ThreadId, code / threads);
                        match graph.thread(thread).get(index as usize) {
                            Some(&source) if is_write_of(graph.event(source), place) => source,
                            Some(_) => return differs("reads from something else than a write of its cell"),
                            None if index < self.threads[thread as usize].events => {
                                return Ok(Next::Awaits { thread, index: index as u32 });
                            }
                            None => return differs("reads from an event that the execution does not have"),
                        }
                    }
                };
                self.threads[step.thread as usize].made += 1;
                let read = graph.push(graph.next_event(step, source));
                let event = *graph.event(read);
                if let Some(value) = step.operation.updates(event.value) {
                    graph.push(Event::second(&event, value));
                }
                Ok(Next::Added(read))
            }
            (Kind::Write, _, Some(position)) => {
                expected.made += 1;
                let write = graph.push(graph.next_event(step, INITIAL));
                self.positions.push((write, position));
                Ok(Next::Added(write))
            }
            _ => Ok(Next::Added(graph.push(graph.next_event(step, INITIAL)))),
        }
    }

    /// Whether the thread has done all that it does in the execution.
    pub(crate) fn is_last(&self, graph: &ExecutionGraph, thread: ThreadId) -> bool {
        let expected = self.threads.get(thread as usize);
        expected.is_none_or(|expected| graph.thread(thread).len() as u64 >= expected.events)
    }

    /// Whether all threads have.
    pub(crate) fn is_at_end(&self, graph: &ExecutionGraph) -> bool {
        (0..self.threads.len() as ThreadId).all(|thread| self.is_last(graph, thread))
    }

    /// Puts the writes where they stand in the execution. `Err` if that is no order.
    pub(crate) fn place_writes(&self, graph: &mut ExecutionGraph) -> Result<(), String> {
        // By event; every source stands before what reads from it, so one pass does.
        let mut positions = vec![0; graph.len()];
        self.positions.iter().for_each(|&(write, position)| positions[write as usize] = position as usize);
        for place in 0..graph.places() as PlaceId {
            let of_place = |id: &Id| is_write_of(graph.event(*id), place);
            let mut writes: Vec<Id> = (0..graph.len() as Id).filter(of_place).collect();
            for &write in &writes {
                if let Some(source) = graph.source_of_update(graph.event(write)) {
                    positions[write as usize] = if source == INITIAL { 0 } else { positions[source as usize] + 1 };
                }
            }
            writes.sort_by_key(|&write| positions[write as usize]);
            if writes.iter().zip(0..).any(|(&write, position)| positions[write as usize] != position) {
                return Err("two writes would stand at one position".to_owned());
            }
            graph.reorder(place, writes);
        }
        Ok(())
    }
}

impl ThreadSchedule {
    pub(crate) fn new(children: u64, events: u64, choices: Vec<u64>) -> Self {
        Self { children, events, choices, made: 0 }
    }
}

fn is_write_of(event: &Event, place: PlaceId) -> bool {
    event.is_write() && event.place == Some(place)
}
