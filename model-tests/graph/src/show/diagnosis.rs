//! A fault in words.

use super::numbering::Numbering;
use crate::model::event::{Operation, Step};
use crate::model::execution_graph::ExecutionGraph;
use crate::run::names::Names;
use crate::run::step::fault::{Awaited, Fault, Panic, Waiting};
use crate::verdict::{Claim, Violation};

/// What a fault violates, in the execution of this graph.
pub(crate) fn violation(fault: &Fault, graph: &ExecutionGraph, names: &Names) -> Violation {
    let words = Words { numbering: Numbering::new(graph, names), names };
    let (claim, claimed, seen) = match fault {
        Fault::Panicked(panic) => (Claim::NoPanic, "no thread panics", words.panic(panic)),
        Fault::Deadlock(waiting) => {
            let waiting: Vec<_> = waiting.iter().map(|waiting| words.waiting(waiting)).collect();
            (Claim::NoDeadlock, "every thread comes to its end", waiting.join("; "))
        }
        Fault::SecondWriter { read, write } => {
            let seen = format!("{}; {}; in no order", words.step(*read), words.step(*write));
            let claimed = "a cell that is read as its owner's is written by no other thread at the same time";
            (Claim::SingleWriter, claimed, seen)
        }
        Fault::OtherStep { recorded, replayed } => {
            let replayed = match replayed {
                Some(replayed) => words.step(*replayed),
                None => "nothing, stopped by an assumption that does not hold".to_owned(),
            };
            let seen = format!("{}; when the same execution is replayed, {replayed}", words.step(*recorded));
            (Claim::Deterministic, SAME, seen)
        }
        Fault::OtherInitial { place, known, made } => {
            let cell = words.numbering.label(*place, names);
            let seen = format!("cell {cell} is made with {known}; when the same execution is replayed, with {made}");
            (Claim::Deterministic, SAME, seen)
        }
        Fault::Stuck => {
            let seen = "when an execution is replayed, its threads wait for what they did not wait for".to_owned();
            (Claim::Deterministic, SAME, seen)
        }
        Fault::Foreign => {
            let seen = "it uses a cell or a mutex that was not made in this execution".to_owned();
            (Claim::Deterministic, "the program makes all its shared state itself", seen)
        }
    };
    Violation { claim, claimed: claimed.to_owned(), seen }
}

const SAME: &str = "the program does the same when it reads the same";

/// Words for what is in a graph.
struct Words<'a> {
    numbering: Numbering,
    names: &'a Names,
}

impl Words<'_> {
    fn panic(&self, panic: &Panic) -> String {
        let Panic { thread, at, message } = panic;
        match (thread.map(|thread| self.numbering.number(thread)), at) {
            (Some(number), Some(at)) => format!("thread {number} panicked at {at}: {message}"),
            (Some(number), None) => format!("thread {number} panicked: {message}"),
            (None, _) => message.clone(),
        }
    }

    fn waiting(&self, waiting: &Waiting) -> String {
        let number = self.numbering.number(waiting.thread);
        match waiting.awaited {
            Awaited::End(child) => {
                format!("thread {number} waits for the end of thread {}", self.numbering.number(child))
            }
            Awaited::Mutex { lock, held } => {
                let holder = self.numbering.number(held.thread);
                format!("thread {number} waits at {} for a mutex that thread {holder} locked at {}", lock.at, held.at)
            }
        }
    }

    fn step(&self, step: Step) -> String {
        let number = self.numbering.number(step.thread);
        let what = format!("thread {number}: {}", self.numbering.describe(step.operation, self.names));
        match step.operation {
            // It has no line of its own.
            Operation::End => what,
            _ => format!("{what} at {}", step.at),
        }
    }
}
