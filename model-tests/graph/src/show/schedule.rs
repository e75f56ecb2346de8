//! A schedule as text.
//!
//! Its numbers are, for each thread, parents first: how many threads it spawns, how many events it has, how many choices
//! follow, and these (see [`ThreadSchedule`]). The fingerprint behind them makes that the schedule of an execution that has the
//! same choices but other operations is another.

use super::encoding;
use super::numbering::Numbering;
use super::trace::trace;
use crate::execution::fingerprint;
use crate::model::event::{Kind, Operation};
use crate::model::execution_graph::ExecutionGraph;
use crate::replay::ReplayError;
use crate::run::names::Names;
use crate::run::step::schedule::{Schedule, ThreadSchedule};

const VERSION: u8 = 2;

/// The schedule of a graph.
pub(crate) fn encode(graph: &ExecutionGraph, names: &Names) -> String {
    let numbering = Numbering::new(graph, names);
    let mut numbers = Vec::new();
    for &thread in &numbering.threads {
        let events = || graph.thread(thread).iter().map(|&id| (id, graph.event(id)));
        let choices = events().filter_map(|(id, event)| match (event.kind, event.place) {
            (Kind::Read, _) => Some(numbering.code(graph, event.source)),
            (Kind::Write, Some(place)) => Some(graph.position(place, id) as u64 - 1),
            _ => None,
        });
        let choices: Vec<u64> = choices.collect();
        let spawns = events().filter(|(_, event)| matches!(event.step.operation, Operation::Spawn { .. }));
        let counts = [spawns.count(), graph.thread(thread).len(), choices.len()].map(|count| count as u64);
        numbers.extend(counts.into_iter().chain(choices));
    }
    encoding::write(VERSION, numbers, fingerprint(&trace(graph, names)))
}

/// What a schedule says.
pub(crate) fn decode(schedule: &str) -> Result<Schedule, ReplayError> {
    let read = encoding::read(VERSION, schedule)
        .and_then(|(numbers, _)| parse(&numbers).ok_or_else(|| "its numbers are not those of an execution".to_owned()));
    read.map_err(|why| ReplayError::new(schedule, why))
}

fn parse(numbers: &[u64]) -> Option<Schedule> {
    let most = numbers.len() as u64;
    let mut numbers = numbers.iter().copied();
    let mut threads = Vec::new();
    // How many threads are announced and have not come.
    let mut announced: u64 = 1;
    while announced > 0 {
        let mut next = || numbers.next();
        let (children, events, choices) = (next()?, next()?, next()?);
        // What claims more than there is must not cost memory.
        if choices > most || children > most {
            return None;
        }
        let choices = (0..choices).map(|_| next()).collect::<Option<_>>()?;
        threads.push(ThreadSchedule::new(children, events, choices));
        announced += children;
        announced -= 1;
    }
    numbers.next().is_none().then(|| Schedule::new(threads))
}
