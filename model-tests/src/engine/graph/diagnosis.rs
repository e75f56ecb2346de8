//! What is said of a run that breaks a claim which every program must keep.

use super::cast::Cast;
use super::event::{Operation, PlaceId, Step};
use super::run::Run;
use super::threads::Waits;
use crate::verdict::{Claim, Violation};

impl Run {
    /// The threads of the graph at hand, numbered.
    pub(super) fn cast(&self) -> Cast {
        Cast::new(&self.explorer.graph, &self.names)
    }

    /// If the threads that are left wait for each other: the violation.
    ///
    /// A thread waits for a mutex in vain if the lock that it read is the last of all: its holder is one of the
    /// threads that wait, or is gone. If it read an earlier lock then the same thread goes on in another execution.
    pub(super) fn deadlock(&self) -> Option<Violation> {
        let graph = &self.explorer.graph;
        let cast = self.cast();
        let mut waiting = Vec::new();
        for (thread, waits) in self.waiting() {
            let number = cast.number(thread);
            waiting.push(match waits {
                Waits::InVain => return None,
                Waits::ForEnd(child) => format!("thread {number} waits for the end of thread {}", cast.number(child)),
                Waits::ForLock => {
                    let lock = graph.event(*graph.thread(thread).last()?);
                    if graph.writes(lock.place?).last() != Some(&lock.source) {
                        return None;
                    }
                    let held = graph.event(lock.source).step;
                    let holder = cast.number(held.thread);
                    format!(
                        "thread {number} waits at {} for a mutex that thread {holder} locked at {}",
                        lock.step.at, held.at
                    )
                }
            });
        }
        let claimed = "every thread comes to its end".to_owned();
        Some(Violation { claim: Claim::NoDeadlock, claimed, seen: waiting.join("; ") })
    }

    /// The violation of the owner's claim to a cell, if there is one in the graph at hand.
    pub(super) fn second_writer(&self) -> Option<Violation> {
        let (read, write) = self.explorer.graph.unordered_writer()?;
        let seen = format!("{}; {}; in no order", self.describe(read.step), self.describe(write.step));
        let claimed = "a cell that is read as its owner's is written by no other thread at the same time".to_owned();
        Some(Violation { claim: Claim::SingleWriter, claimed, seen })
    }

    /// The violation for a thread whose next event is `recorded` and who instead does `replayed`, or nothing at all.
    pub(super) fn nondeterministic(&self, recorded: Step, replayed: Option<Step>) -> Violation {
        let replayed = match replayed {
            Some(replayed) => self.describe(replayed),
            None => "nothing, stopped by an assumption that does not hold".to_owned(),
        };
        nondeterminism(format!("{}; when the same execution is replayed, {replayed}", self.describe(recorded)))
    }

    /// The violation for a place that is made with another value than its reads have read.
    pub(super) fn other_initial(&self, place: PlaceId, known: u64, made: u64) -> Violation {
        let (creator, number) = self.cast().place(&self.names, place);
        nondeterminism(format!(
            "cell {creator}.{number} is made with {known}; when the same execution is replayed, with {made}"
        ))
    }

    /// The violation for a replay in which no thread can go on though events are left.
    pub(super) fn stuck() -> Violation {
        nondeterminism("when an execution is replayed, its threads wait for what they did not wait for".to_owned())
    }

    fn describe(&self, step: Step) -> String {
        let cast = self.cast();
        let what = format!("thread {}: {}", cast.number(step.thread), cast.describe(step.operation, &self.names));
        match step.operation {
            // It has no line of its own.
            Operation::End => what,
            _ => format!("{what} at {}", step.at),
        }
    }
}

/// The violation for the use of a cell that another execution, or none, made.
pub(super) fn foreign_cell() -> Violation {
    let seen = "it uses a cell or a mutex that was not made in this execution".to_owned();
    Violation { claim: Claim::Deterministic, claimed: "the program makes all its shared state itself".to_owned(), seen }
}

/// The violation for a panic.
pub(super) fn panicked(message: &str) -> Violation {
    Violation { claim: Claim::NoPanic, claimed: "no thread panics".to_owned(), seen: message.to_owned() }
}

fn nondeterminism(seen: String) -> Violation {
    let claimed = "the program does the same when it reads the same".to_owned();
    Violation { claim: Claim::Deterministic, claimed, seen }
}
