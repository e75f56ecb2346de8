//! What the threads of an execution did, written down as they do it, for the engines whose libraries do not tell.
//!
//! A record belongs to an OS thread. loom and shuttle run all threads of a program on one, so theirs is in the order in
//! which the operations were done; of real threads each has a record of its own, which goes to whoever joins it. So
//! recording shares nothing between threads and orders nothing. It is always on: it costs little beside what an engine
//! does for an operation, and the record of a failed execution is then at hand, however the failure came about.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt::{self, Write};
use std::panic::Location;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::engine::wrap::sources::{self, Memory};
use crate::verdict::{Action, Line, Place, Row};

/// What was recorded of one execution, by numbers of threads in the order in which they were spawned.
#[derive(Debug, Default)]
pub(crate) struct Record {
    steps: Vec<Step>,
    initial: HashMap<Place, u64>,
    /// What the source calls the places; empty where it does not say.
    names: HashMap<Place, String>,
    /// How many places each thread has made.
    made: Vec<usize>,
    /// What each thread has begun to do and not done.
    attempts: Vec<Option<Attempt>>,
    /// The thread that is running.
    current: usize,
    /// How many threads there are, on all OS threads together.
    threads: Arc<AtomicUsize>,
    /// Whether an execution is going on.
    begun: bool,
    /// Whether there was more than is recorded.
    full: bool,
}

/// An operation of a thread. Others may run on the same OS thread until it is dropped.
#[derive(Debug)]
pub(crate) struct Turn {
    thread: usize,
    attempt: Option<Attempt>,
}

/// An operation on a place, whether or not it comes to its end: its engine may find a claim broken in it.
#[derive(Clone, Copy, Debug)]
struct Attempt {
    action: Action,
    place: Place,
    at: &'static Location<'static>,
}

#[derive(Clone, Copy, Debug)]
struct Step {
    thread: usize,
    action: Action,
    place: Option<Place>,
    order: Option<Ordering>,
    read: Option<u64>,
    written: Option<u64>,
    position: Option<usize>,
    at: &'static Location<'static>,
}

/// What a lock reads and writes.
pub(crate) const LOCK: [Option<u64>; 2] = [Some(0), Some(1)];

/// What an unlock reads and writes.
pub(crate) const UNLOCK: [Option<u64>; 2] = [None, Some(0)];

/// The most steps that are recorded of an execution: more than anyone reads.
const MAX_STEPS: usize = 10_000;

thread_local! {
    static RECORD: RefCell<Record> = RefCell::default();
}

/// Begins the record of an execution whose main thread runs on this OS thread.
pub(crate) fn begin() {
    with(|record| {
        record.steps.clear();
        record.initial.clear();
        record.made.clear();
        record.attempts.clear();
        record.current = 0;
        record.threads = Arc::new(AtomicUsize::new(1));
        record.begun = true;
        record.full = false;
    });
}

/// Ends the record of this OS thread, and gives it.
pub(crate) fn end() -> Record {
    with(std::mem::take).unwrap_or_default()
}

/// Goes on with the record as the thread of this number, on the same OS thread as its spawner.
pub(crate) fn enter(thread: usize) {
    with(|record| record.current = thread);
}

/// What a thread needs that records on an OS thread of its own.
pub(crate) fn apart(thread: usize) -> Record {
    let of_spawner = with(|record| (Arc::clone(&record.threads), record.begun));
    let (threads, begun) = of_spawner.unwrap_or_default();
    Record { current: thread, threads, begun, ..Record::default() }
}

/// Begins the record of this OS thread with `record`.
pub(crate) fn enter_apart(record: Record) {
    with(|current| *current = record);
}

/// Adds what another OS thread recorded.
pub(crate) fn add(other: Record) {
    with(|record| record.add(other));
}

fn with<R>(work: impl FnOnce(&mut Record) -> R) -> Option<R> {
    // The thread-local is gone only while its OS thread ends, and nobody asks for that record any more.
    RECORD.try_with(|record| record.try_borrow_mut().ok().map(|mut record| work(&mut record))).ok().flatten()
}

impl Record {
    /// The record as rows; `None` if there is nothing, or not all.
    pub(crate) fn into_trace(mut self, memory: Memory) -> Option<Vec<Row>> {
        let unfinished = self.unfinished();
        self.steps.extend(unfinished);
        if self.full || self.steps.is_empty() {
            return None;
        }
        let numbers = self.numbers();
        let number = |thread: usize| numbers.get(&thread).copied().unwrap_or(thread);
        let place = |Place { creator, number: made }| Place { creator: number(creator), number: made };
        let rows = self.steps.iter().map(|step| Row {
            thread: number(step.thread),
            action: match step.action {
                Action::Spawn(child) => Action::Spawn(number(child)),
                Action::Join(child) => Action::Join(number(child)),
                other => other,
            },
            place: step.place.map(place),
            name: step.place.and_then(|at| self.names.get(&at)).filter(|name| !name.is_empty()).cloned(),
            order: step.order,
            read: step.read,
            source: None,
            written: step.written,
            position: step.position,
            at: Line::from(step.at),
        });
        let initial = self.initial.iter().map(|(&at, &value)| (place(at), value)).collect();
        Some(sources::find(rows.collect(), &initial, memory))
    }

    /// Adds what another OS thread recorded.
    pub(crate) fn add(&mut self, other: Self) {
        self.full |= other.full || self.steps.len() + other.steps.len() > MAX_STEPS;
        if !self.full {
            self.steps.extend(other.steps);
            self.initial.extend(other.initial);
            self.names.extend(other.names);
        }
    }

    /// What was begun and did not come to its end: the last operation of all, and the locks of mutexes that are held.
    fn unfinished(&self) -> Vec<Step> {
        let attempts = self.attempts.iter().enumerate().filter_map(|(thread, attempt)| Some((thread, (*attempt)?)));
        let step = |(thread, attempt): (usize, Attempt)| {
            let last = self.steps.iter().rfind(|step| step.place == Some(attempt.place));
            let held = attempt.action == Action::Lock && last.is_some_and(|step| step.action == Action::Lock);
            let step = attempt.step(thread);
            (held || thread == self.current).then(|| Step { read: held.then_some(1), ..step })
        };
        attempts.filter_map(step).collect()
    }

    /// The numbers by which threads are shown: parents first, siblings in the order of their spawning.
    fn numbers(&self) -> HashMap<usize, usize> {
        let mut numbers = HashMap::new();
        let mut open = vec![0];
        while let Some(thread) = open.pop() {
            numbers.insert(thread, numbers.len());
            let spawned = |step: &Step| match step.action {
                Action::Spawn(child) if step.thread == thread => Some(child),
                _ => None,
            };
            open.extend(self.steps.iter().rev().filter_map(spawned));
        }
        numbers
    }

    fn push(&mut self, step: Step) {
        if self.steps.len() >= MAX_STEPS {
            self.full = true;
        } else if self.begun && !thread::panicking() {
            self.steps.push(step);
        }
    }
}

impl Turn {
    /// The running thread begins an operation.
    pub(crate) fn begin() -> Self {
        Self { thread: with(|record| record.current).unwrap_or_default(), attempt: None }
    }

    /// The running thread begins an operation on a place.
    pub(crate) fn attempt(action: Action, place: Place, at: &'static Location<'static>) -> Self {
        let attempt = Some(Attempt { action, place, at });
        let thread = with(|record| {
            // While a panic unwinds, what matters is what was attempted before.
            if record.begun && !thread::panicking() {
                *slot(&mut record.attempts, record.current) = attempt;
            }
            record.current
        });
        Self { thread: thread.unwrap_or_default(), attempt }
    }

    /// The operation on a place is done, with this ordering, having read and written these values. The write is the
    /// one at `position`, if that is known.
    pub(crate) fn done(&self, order: Ordering, [read, written]: [Option<u64>; 2], position: Option<usize>) {
        let Some(attempt) = self.attempt else { return };
        let step = Step { order: Some(order), read, written, position, ..attempt.step(self.thread) };
        with(|record| {
            if !thread::panicking() {
                *slot(&mut record.attempts, self.thread) = None;
            }
            record.push(step);
        });
    }

    /// The operation is a spawn, of the thread whose number this gives.
    pub(crate) fn spawn(&self, at: &'static Location<'static>) -> usize {
        // Relaxed: the number need only be another for each thread.
        let child = with(|record| record.threads.fetch_add(1, Ordering::Relaxed)).unwrap_or_default();
        self.note(Action::Spawn(child), at);
        child
    }

    /// The operation was a join.
    pub(crate) fn join(&self, child: usize, at: &'static Location<'static>) {
        self.note(Action::Join(child), at);
    }

    fn note(&self, action: Action, at: &'static Location<'static>) {
        with(|record| record.push(Step::new(self.thread, action, None, at)));
    }
}

impl Attempt {
    fn step(self, thread: usize) -> Step {
        let Self { action, place, at } = self;
        Step::new(thread, action, Some(place), at)
    }
}

impl Step {
    fn new(thread: usize, action: Action, place: Option<Place>, at: &'static Location<'static>) -> Self {
        Self { thread, action, place, order: None, read: None, written: None, position: None, at }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        with(|record| record.current = self.thread);
    }
}

/// Names the place that the running thread makes, and notes what the source calls it.
pub(crate) fn make_place(initial: u64, name: Option<fmt::Arguments<'_>>) -> Place {
    let place = with(|record| {
        let creator = record.current;
        let made = slot(&mut record.made, creator);
        let place = Place { creator, number: *made };
        *made += 1;
        if record.begun {
            record.initial.insert(place, initial);
            // Kept from one execution to the next, for the memory of the text.
            let text = record.names.entry(place).or_default();
            text.clear();
            if let Some(name) = name {
                text.write_fmt(name).expect("a string can be written to");
            }
        }
        place
    });
    place.unwrap_or(Place { creator: 0, number: 0 })
}

/// The place of a thread in a list.
fn slot<T: Default>(of_threads: &mut Vec<T>, thread: usize) -> &mut T {
    if of_threads.len() <= thread {
        of_threads.resize_with(thread + 1, T::default);
    }
    &mut of_threads[thread]
}
