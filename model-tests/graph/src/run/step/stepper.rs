//! One run of the program under test: which of its operations are replayed from the graph, which extend it, and which
//! thread goes on.
//!
//! A run first *replays*: each operation must be the one that the graph has, and gets the value that the graph has.
//! A read waits for the write it reads from, a join for the end that it joins, so the order of the replay is one in
//! which the program could really have run, also where an exploration has turned a read to a later write; data that
//! the program passes outside of the engine (what a mutex protects, results of threads) is then passed in that order
//! too. When all events are replayed the run is *live*: the first thread that has an operation adds it.

use std::fmt;
use std::panic::Location;

use super::fault::{Fault, Panic};
use super::reply::{Reply, Stop};
use super::schedule::{Next, Schedule};
use super::status::{Status, Thread};
use crate::model::event::{FREE, INITIAL, Id, Operation, PlaceId, Step, ThreadId};
use crate::model::explore::Explorer;
use crate::run::names::{MAIN, Names};
use crate::verdict::{Outcome, Violation};

/// What a run works on. The explorer and the names stay from run to run.
pub(crate) struct Run {
    pub(crate) explorer: Explorer,
    pub(crate) names: Names,
    /// Which execution to follow, where one is re-run.
    pub(crate) schedule: Option<Schedule>,
    /// The most events of an execution.
    pub(crate) max_events: usize,
    /// Whether every operation is done as if its ordering were `SeqCst`.
    pub(crate) sequentially_consistent: bool,
    /// Which run this is, counted over the whole process: cells of another run are told apart by it.
    pub(crate) number: u64,
    pub(super) threads: Vec<Thread>,
    /// The thread that is running; `None` while the scheduler is.
    pub(crate) current: Option<ThreadId>,
    /// How many events of the graph are still to be replayed.
    pub(super) unreplayed: usize,
    live: bool,
    /// Set when the run will not go on: no operation has an effect, and the threads are unwound.
    pub(crate) abandoned: bool,
    /// Why the run is given up, if it was not complete.
    pub(super) stop: Option<Stop>,
    /// Operations without an event, of which there must be an end.
    idle: usize,
    pub(crate) result: Option<Result<Outcome, Violation>>,
}

impl Run {
    pub(crate) fn new(max_events: usize, schedule: Option<Schedule>) -> Self {
        let mut names = Names::new();
        if let Some(schedule) = &schedule {
            schedule.name_threads(&mut names);
        }
        Self {
            explorer: Explorer::default(),
            names,
            schedule,
            max_events,
            sequentially_consistent: false,
            number: 0,
            threads: Vec::new(),
            current: None,
            unreplayed: 0,
            live: false,
            abandoned: false,
            stop: None,
            idle: 0,
            result: None,
        }
    }

    /// Begins a run for the graph at hand, with the main thread alone.
    pub(crate) fn begin(&mut self, number: u64) {
        self.number = number;
        self.threads.clear();
        self.threads.resize_with(self.names.threads(), Thread::default);
        self.threads[MAIN as usize].status = Status::Ready;
        self.current = None;
        self.unreplayed = self.explorer.graph.len();
        self.live = false;
        self.abandoned = false;
        self.stop = None;
        self.idle = 0;
        self.result = None;
    }

    /// Does, or does not yet do, the running thread's next operation.
    pub(crate) fn step(&mut self, operation: Operation, at: &'static Location<'static>) -> Reply {
        let Some(thread) = self.current else { return Reply::NoEffect };
        if self.abandoned || std::thread::panicking() {
            return self.step_abandoned();
        }
        let operation = if self.sequentially_consistent { operation.strengthened() } else { operation };
        let step = Step { thread, operation, at };
        let reply = match self.explorer.graph.thread(thread).get(self.thread(thread).cursor as usize) {
            Some(&id) => self.replay(id, step),
            None => self.extend(step),
        };
        if reply == Reply::Done(0) && operation == Operation::End {
            self.thread_mut(thread).status = Status::Ended;
        }
        reply
    }

    /// An assumption of the running thread does not hold: it has no further event.
    pub(crate) fn block(&mut self) -> Reply {
        let Some(thread) = self.current else { return Reply::NoEffect };
        if self.abandoned || std::thread::panicking() {
            return self.step_abandoned();
        }
        if let Some(&next) = self.explorer.graph.thread(thread).get(self.thread(thread).cursor as usize) {
            let next = self.explorer.graph.event(next).step;
            return self.stop(Stop::Fault(Fault::OtherStep { recorded: next, replayed: None }));
        }
        self.wait(thread, Status::Assumes)
    }

    /// Counts a step that leaves no event.
    pub(crate) fn idle(&mut self) -> Reply {
        if self.abandoned || self.current.is_none() {
            return Reply::NoEffect;
        }
        self.idle += 1;
        if self.idle > self.max_events {
            return self.stop(Stop::Truncated(format!("an execution yields more than {} times", self.max_events)));
        }
        Reply::Done(0)
    }

    /// Names the next thread that the running one spawns; `None` when nothing is spawned any more.
    pub(crate) fn name_child(&mut self) -> Option<ThreadId> {
        let parent = self.current.filter(|_| !self.abandoned)?;
        let number = self.thread(parent).spawned;
        self.thread_mut(parent).spawned += 1;
        let child = self.names.child(parent, number);
        self.threads.resize_with(self.names.threads(), Thread::default);
        Some(child)
    }

    /// Makes a spawned thread ready to run.
    pub(crate) fn start(&mut self, child: ThreadId) {
        self.thread_mut(child).status = Status::Ready;
    }

    /// Names the next place that the running thread makes, and notes what the source calls it; `None` when operations have
    /// no effect.
    pub(crate) fn make_place(&mut self, initial: u64, name: Option<fmt::Arguments<'_>>) -> Option<PlaceId> {
        let creator = self.current.filter(|_| !self.abandoned)?;
        let number = self.thread(creator).made;
        self.thread_mut(creator).made += 1;
        let place = self.names.place(creator, number);
        self.names.label(place, name);
        if let Err(known) = self.explorer.graph.make_place(place, initial) {
            self.stop(Stop::Fault(Fault::OtherInitial { place, known, made: initial }));
        }
        Some(place)
    }

    /// Holds a thread back that has just spawned another and, in the execution that is followed, has no further event:
    /// it may fail now, and the others do what they do first.
    pub(crate) fn hold_back(&mut self) -> Reply {
        match (self.current, &self.schedule) {
            (Some(thread), Some(schedule)) if !self.abandoned && schedule.is_last(&self.explorer.graph, thread) => {
                if schedule.is_at_end(&self.explorer.graph) {
                    Reply::Done(0)
                } else {
                    self.wait(thread, Status::Follows)
                }
            }
            _ => Reply::Done(0),
        }
    }

    /// Gives the run up.
    pub(crate) fn stop(&mut self, stop: Stop) -> Reply {
        self.abandoned = true;
        self.stop.get_or_insert(stop);
        Reply::Unwind
    }

    /// The thread to go on with; `None` when no thread can.
    pub(crate) fn schedule(&mut self) -> Option<ThreadId> {
        if self.abandoned {
            return None;
        }
        if self.unreplayed == 0 {
            self.live = true;
        }
        let mut threads = self.names.canonical().iter().copied();
        threads.find(|&thread| thread < self.threads.len() as ThreadId && self.can_go_on(thread))
    }

    pub(super) fn thread(&self, thread: ThreadId) -> &Thread {
        &self.threads[thread as usize]
    }

    fn thread_mut(&mut self, thread: ThreadId) -> &mut Thread {
        &mut self.threads[thread as usize]
    }

    fn wait(&mut self, thread: ThreadId, status: Status) -> Reply {
        self.thread_mut(thread).status = status;
        Reply::Wait
    }

    /// A destructor that runs while its thread is unwound does nothing; but it must come to an end.
    fn step_abandoned(&mut self) -> Reply {
        if !std::thread::panicking() {
            return Reply::Unwind;
        }
        if !self.abandoned {
            // A panic that no hook saw: the program resumed one.
            let panic = Panic { thread: None, at: None, message: "a panic was resumed".to_owned() };
            self.stop(Stop::Fault(Fault::Panicked(panic)));
        }
        self.idle += 1;
        if self.idle > self.max_events { Reply::Hang } else { Reply::NoEffect }
    }

    fn replay(&mut self, id: Id, step: Step) -> Reply {
        let event = *self.explorer.graph.event(id);
        if event.step.operation != step.operation || !same_line(event.step.at, step.at) {
            return self.stop(Stop::Fault(Fault::OtherStep { recorded: event.step, replayed: Some(step) }));
        }
        let awaited = match step.operation {
            Operation::Join { child } => self.explorer.graph.end_of(child),
            _ => Some(event.source).filter(|&source| event.is_read() && source != INITIAL),
        };
        if let Some(awaited) = awaited {
            let awaited = self.explorer.graph.event(awaited);
            let (thread, index) = (awaited.thread(), awaited.index);
            if self.thread(thread).cursor <= index {
                return self.wait(step.thread, Status::Awaits { thread, index });
            }
        }
        let events = 1 + u32::from(event.is_read() && step.operation.updates(event.value).is_some());
        self.thread_mut(step.thread).cursor += events;
        self.unreplayed -= events as usize;
        self.done(step, event.value)
    }

    fn extend(&mut self, step: Step) -> Reply {
        if !self.live {
            return self.wait(step.thread, Status::Frontier);
        }
        if let Some(held) = self.thread_mut(step.thread).held.take() {
            return Reply::Done(held);
        }
        if let Operation::Join { child } = step.operation
            && self.explorer.graph.end_of(child).is_none()
        {
            return self.wait(step.thread, Status::Joins(child));
        }
        if self.explorer.graph.len() >= self.max_events {
            let why = format!("an execution has more than {} events: does a loop wait for a value?", self.max_events);
            return self.stop(Stop::Truncated(why));
        }
        let id = match &mut self.schedule {
            None => self.explorer.extend(step),
            Some(schedule) => match schedule.follow(&mut self.explorer.graph, step) {
                Ok(Next::Added(id)) => id,
                Ok(Next::Awaits { thread, index }) => {
                    return self.wait(step.thread, Status::Awaits { thread, index });
                }
                Ok(Next::AtEnd) => return self.wait(step.thread, Status::Assumes),
                Err(mismatch) => return self.stop(Stop::Mismatch(mismatch)),
            },
        };
        self.thread_mut(step.thread).cursor = self.explorer.graph.thread(step.thread).len() as u32;
        let reply = self.done(step, self.explorer.graph.event(id).value);
        match (reply, &self.schedule) {
            // The thread may fail right behind its last event; the others do theirs first.
            (Reply::Done(value), Some(schedule))
                if !matches!(step.operation, Operation::End | Operation::Spawn { .. })
                    && schedule.is_last(&self.explorer.graph, step.thread) =>
            {
                self.thread_mut(step.thread).held = Some(value);
                self.wait(step.thread, Status::Follows)
            }
            _ => reply,
        }
    }

    fn done(&mut self, step: Step, value: u64) -> Reply {
        if matches!(step.operation, Operation::Lock { .. }) && value != FREE {
            return self.wait(step.thread, Status::Locks);
        }
        Reply::Done(value)
    }

    fn can_go_on(&self, thread: ThreadId) -> bool {
        match self.thread(thread).status {
            Status::Ready => true,
            Status::Awaits { thread, index } => self.thread(thread).cursor > index,
            Status::Frontier => self.live,
            Status::Joins(child) => self.thread(child).status == Status::Ended,
            Status::Follows => self.schedule.as_ref().is_none_or(|schedule| schedule.is_at_end(&self.explorer.graph)),
            Status::Absent | Status::Locks | Status::Assumes | Status::Ended => false,
        }
    }
}

/// Whether two places of the source are the same; mostly they are the same object too.
fn same_line(one: &'static Location<'static>, other: &'static Location<'static>) -> bool {
    std::ptr::eq(one, other) || one == other
}
