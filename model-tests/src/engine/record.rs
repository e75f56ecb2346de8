//! What the threads of an execution did, written down as they do it, for the engines whose libraries do not tell.
//!
//! A record belongs to an OS thread. loom and shuttle run all threads of a program on one, so theirs is in the order in
//! which the operations were done; of real threads each has a record of its own, which goes to whoever joins it. So
//! recording shares nothing between threads and orders nothing. It is always on: it costs little beside what an engine
//! does for an operation, and the record of a failed execution is then at hand, however the failure came about.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::{Deref, DerefMut};
use std::panic::Location;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use countersign::{Atomic, Lock, Locks, Std};

use super::sources;
use crate::trace::{Action, Line, Place, Row};

/// What was recorded of one execution, by numbers of threads in the order in which they were spawned.
#[derive(Debug, Default)]
pub(crate) struct Record {
    steps: Vec<Step>,
    initial: HashMap<Place, u64>,
    /// How many places each thread has made.
    made: Vec<usize>,
    /// The thread that is running.
    current: usize,
    /// How many threads there are, on all OS threads together.
    threads: Arc<AtomicUsize>,
    /// Whether an execution is going on.
    begun: bool,
    /// Whether there was more than is recorded.
    full: bool,
}

/// How the steps of a record stand to what really happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Memory {
    /// They are in the order in which they took effect, and each read reads from the last write.
    Sequential,
    /// They are in the order in which they were done, but a read may read from an older write.
    Weak,
    /// They are in the order of each thread, and nothing more is known.
    Real,
}

/// An operation of a thread. Others may run on the same OS thread until it is dropped.
#[derive(Debug)]
pub(crate) struct Turn {
    thread: usize,
}

/// An atomic whose operations are recorded.
pub struct Recorded<A> {
    atomic: A,
    place: Place,
}

/// The mutex of real threads, with its critical sections recorded.
pub struct RecordedMutex<T: Send + 'static> {
    place: Place,
    /// How many critical sections there were, beside the data. The mutex itself protects the number, so no order comes
    /// from it that is not there anyway.
    mutex: <Std as Locks>::Mutex<(usize, T)>,
}

/// Access to the data of a [`RecordedMutex`].
pub struct RecordedGuard<'a, T: Send + 'static> {
    guard: <<Std as Locks>::Mutex<(usize, T)> as Lock<(usize, T)>>::Guard<'a>,
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
    pub(crate) fn into_trace(self, memory: Memory) -> Option<Vec<Row>> {
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
        }
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
        Self { thread: with(|record| record.current).unwrap_or_default() }
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

    /// The operation was a lock.
    pub(crate) fn lock(&self, place: Place, position: Option<usize>, at: &'static Location<'static>) {
        let step = self.step(Action::Lock, at);
        let (place, order) = (Some(place), Some(Ordering::Acquire));
        self.push(Step { place, order, read: Some(0), written: Some(1), position, ..step });
    }

    /// The operation is an unlock.
    pub(crate) fn unlock(&self, place: Place, position: Option<usize>, at: &'static Location<'static>) {
        let step = self.step(Action::Unlock, at);
        let (place, order) = (Some(place), Some(Ordering::Release));
        self.push(Step { place, order, written: Some(0), position, ..step });
    }

    fn access(
        &self,
        action: Action,
        place: Place,
        order: Ordering,
        [read, written]: [Option<u64>; 2],
        at: &'static Location<'static>,
    ) {
        let step = self.step(action, at);
        self.push(Step { place: Some(place), order: Some(order), read, written, ..step });
    }

    fn note(&self, action: Action, at: &'static Location<'static>) {
        self.push(self.step(action, at));
    }

    fn step(&self, action: Action, at: &'static Location<'static>) -> Step {
        let thread = self.thread;
        Step { thread, action, place: None, order: None, read: None, written: None, position: None, at }
    }

    fn push(&self, step: Step) {
        with(|record| record.push(step));
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        with(|record| record.current = self.thread);
    }
}

/// Names the place that the running thread makes.
pub(crate) fn make_place(initial: u64) -> Place {
    let place = with(|record| {
        let creator = record.current;
        if record.made.len() <= creator {
            record.made.resize(creator + 1, 0);
        }
        let place = Place { creator, number: record.made[creator] };
        record.made[creator] += 1;
        if record.begun {
            record.initial.insert(place, initial);
        }
        place
    });
    place.unwrap_or(Place { creator: 0, number: 0 })
}

impl<A: Atomic> Atomic for Recorded<A> {
    fn new(value: u64) -> Self {
        Self { atomic: A::new(value), place: make_place(value) }
    }

    fn load(&self, order: Ordering) -> u64 {
        let turn = Turn::begin();
        let value = self.atomic.load(order);
        turn.access(Action::Load, self.place, order, [Some(value), None], Location::caller());
        value
    }

    fn load_owned(&self) -> u64 {
        let turn = Turn::begin();
        let value = self.atomic.load_owned();
        turn.access(Action::LoadOwned, self.place, Ordering::Relaxed, [Some(value), None], Location::caller());
        value
    }

    fn store(&self, value: u64, order: Ordering) {
        let turn = Turn::begin();
        self.atomic.store(value, order);
        turn.access(Action::Store, self.place, order, [None, Some(value)], Location::caller());
    }

    fn swap(&self, value: u64, order: Ordering) -> u64 {
        let turn = Turn::begin();
        let old = self.atomic.swap(value, order);
        turn.access(Action::Swap, self.place, order, [Some(old), Some(value)], Location::caller());
        old
    }

    fn fetch_add(&self, value: u64, order: Ordering) -> u64 {
        let turn = Turn::begin();
        let old = self.atomic.fetch_add(value, order);
        let values = [Some(old), Some(old.wrapping_add(value))];
        turn.access(Action::FetchAdd(value), self.place, order, values, Location::caller());
        old
    }

    fn fetch_max(&self, value: u64, order: Ordering) -> u64 {
        let turn = Turn::begin();
        let old = self.atomic.fetch_max(value, order);
        let values = [Some(old), Some(old.max(value))];
        turn.access(Action::FetchMax(value), self.place, order, values, Location::caller());
        old
    }

    fn compare_exchange(&self, current: u64, new: u64, success: Ordering, failure: Ordering) -> Result<u64, u64> {
        let turn = Turn::begin();
        let result = self.atomic.compare_exchange(current, new, success, failure);
        let (order, values) = match result {
            Ok(read) => (success, [Some(read), Some(new)]),
            Err(read) => (failure, [Some(read), None]),
        };
        turn.access(Action::CompareExchange { current, new }, self.place, order, values, Location::caller());
        result
    }
}

impl<T: Send + 'static> Lock<T> for RecordedMutex<T> {
    type Guard<'a> = RecordedGuard<'a, T>;

    fn new(value: T) -> Self {
        Self { place: make_place(0), mutex: Lock::new((0, value)) }
    }

    fn lock(&self) -> RecordedGuard<'_, T> {
        let (turn, at) = (Turn::begin(), Location::caller());
        let mut guard = Lock::lock(&self.mutex);
        guard.0 += 1;
        turn.lock(self.place, Some(2 * guard.0 - 1), at);
        RecordedGuard { guard, place: self.place, at }
    }
}

impl<T: Send + 'static> Deref for RecordedGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.guard.1
    }
}

impl<T: Send + 'static> DerefMut for RecordedGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.guard.1
    }
}

impl<T: Send + 'static> Drop for RecordedGuard<'_, T> {
    fn drop(&mut self) {
        Turn::begin().unlock(self.place, Some(2 * self.guard.0), self.at);
    }
}
