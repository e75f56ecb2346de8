//! A schedule: all choices of one execution.
//!
//! Its numbers are, for each thread, parents first: how many threads it spawns, how many events it has, how many choices
//! follow, and these (see [`Followed`]). The fingerprint behind them makes that the schedule of an execution that has the
//! same choices but other operations is another.

use super::cast::Cast;
use super::event::{Kind, Operation};
use super::execution_graph::ExecutionGraph;
use super::guide::{Followed, Guide};
use super::names::Names;
use super::trace::trace;
use crate::engine::{ReplayError, bytes};
use crate::trace::fingerprint;

const VERSION: u8 = 2;

/// The schedule of a graph.
pub(super) fn encode(graph: &ExecutionGraph, names: &Names) -> String {
    let cast = Cast::new(graph, names);
    let mut numbers = Vec::new();
    for &thread in &cast.threads {
        let events = || graph.thread(thread).iter().map(|&id| (id, graph.event(id)));
        let choices = events().filter_map(|(id, event)| match (event.kind, event.place) {
            (Kind::Read, _) => Some(cast.code(graph, event.source)),
            (Kind::Write, Some(place)) => Some(graph.position(place, id) as u64 - 1),
            _ => None,
        });
        let choices: Vec<u64> = choices.collect();
        let spawns = events().filter(|(_, event)| matches!(event.step.operation, Operation::Spawn { .. }));
        let counts = [spawns.count(), graph.thread(thread).len(), choices.len()].map(|count| count as u64);
        numbers.extend(counts.into_iter().chain(choices));
    }
    bytes::write(VERSION, numbers, fingerprint(&trace(graph, names)))
}

/// What a schedule says.
pub(super) fn decode(schedule: &str) -> Result<Guide, ReplayError> {
    let read = bytes::read(VERSION, schedule)
        .and_then(|(numbers, _)| parse(&numbers).ok_or_else(|| "its numbers are not those of an execution".to_owned()));
    read.map_err(|why| ReplayError::new(schedule, why))
}

fn parse(numbers: &[u64]) -> Option<Guide> {
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
        threads.push(Followed::new(children, events, choices));
        announced += children;
        announced -= 1;
    }
    numbers.next().is_none().then(|| Guide::new(threads))
}
