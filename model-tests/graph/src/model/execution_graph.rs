//! An execution graph: the events of one execution, complete or not, and how they hang together.
//!
//! Beside the events in the order in which they were added it holds, for each read, the write that it reads from (in
//! the event) and, for each place, the order of its writes. All of it can be taken back, latest event first
//! ([`cut`](ExecutionGraph::cut)), and a part of it can be carried into a new graph
//! ([`without_deleted`](ExecutionGraph::without_deleted)).

use super::clocks::{Clocks, Order, covers};
use super::event::{Event, INITIAL, Id, Kind, Operation, PlaceId, Step, ThreadId};

/// An execution graph.
#[derive(Clone, Debug, Default)]
pub(crate) struct ExecutionGraph {
    events: Vec<Event>,
    clocks: Clocks,
    /// Each thread's events, in program order.
    threads: Vec<Thread>,
    places: Vec<Place>,
    /// How many events are fences, and how many are seq_cst: some work is only needed where there are any.
    fences: usize,
    seq_cst: usize,
}

#[derive(Clone, Debug)]
struct Thread {
    /// The event that spawned it; `INITIAL` for the main thread, and for a thread that is not in the graph.
    spawn: Id,
    events: Vec<Id>,
}

/// What a graph says of a place.
#[derive(Clone, Debug)]
struct Place {
    initial: u64,
    /// Its writes in modification order, the initial one left out.
    writes: Vec<Id>,
    /// The latest read of the initial value; `INITIAL` for none.
    initial_reader: Id,
}

impl ExecutionGraph {
    pub(crate) fn len(&self) -> usize {
        self.events.len()
    }

    pub(crate) fn event(&self, id: Id) -> &Event {
        &self.events[id as usize]
    }

    /// The events of a thread, in program order.
    pub(crate) fn thread(&self, thread: ThreadId) -> &[Id] {
        self.threads.get(thread as usize).map_or(&[], |thread| &thread.events)
    }

    /// The event that spawned a thread.
    pub(crate) fn spawn_of(&self, thread: ThreadId) -> Option<Id> {
        self.threads.get(thread as usize).map(|thread| thread.spawn).filter(|&spawn| spawn != INITIAL)
    }

    /// The writes of a place in modification order, without the initial one.
    pub(crate) fn writes(&self, place: PlaceId) -> &[Id] {
        &self.places[place as usize].writes
    }

    /// How many places are known.
    pub(crate) fn places(&self) -> usize {
        self.places.len()
    }

    /// How many threads are known.
    pub(crate) fn threads(&self) -> usize {
        self.threads.len()
    }

    pub(crate) fn has_fences(&self) -> bool {
        self.fences > 0
    }

    pub(crate) fn has_seq_cst_pair(&self) -> bool {
        self.seq_cst > 1
    }

    /// What happened before event `id`, itself included.
    pub(crate) fn happened_before(&self, id: Id) -> &[u32] {
        self.clocks.clock(Order::HappensBefore, id)
    }

    /// What event `id` depends on, itself included.
    pub(crate) fn prefix(&self, id: Id) -> &[u32] {
        self.clocks.clock(Order::Prefix, id)
    }

    /// The event that directly precedes a thread's `index`-th: the one before it, or the spawn of the thread.
    pub(crate) fn previous(&self, thread: ThreadId, index: u32) -> Option<Id> {
        let previous = match index.checked_sub(1) {
            Some(previous) => self.thread(thread)[previous as usize],
            None => self.threads.get(thread as usize)?.spawn,
        };
        (previous != INITIAL).then_some(previous)
    }

    /// What happened before a thread's `index`-th event, that event left out.
    pub(crate) fn happened_before_index(&self, thread: ThreadId, index: u32) -> &[u32] {
        self.previous(thread, index).map_or(&[], |previous| self.happened_before(previous))
    }

    /// What a further event of `thread` would depend on.
    pub(crate) fn prefix_of_next(&self, thread: ThreadId) -> &[u32] {
        self.previous(thread, self.thread(thread).len() as u32).map_or(&[], |previous| self.prefix(previous))
    }

    /// The last event of a thread that has ended.
    pub(crate) fn end_of(&self, thread: ThreadId) -> Option<Id> {
        self.thread(thread).last().copied().filter(|&last| self.event(last).step.operation == Operation::End)
    }

    /// Where a write (or the initial one) stands in its place's order: 0 for the initial one, then 1, 2, and so on.
    pub(crate) fn position(&self, place: PlaceId, write: Id) -> usize {
        if write == INITIAL {
            return 0;
        }
        let position = self.writes(place).iter().rposition(|&other| other == write);
        position.expect("a write stands in its place's order") + 1
    }

    /// The write at a position, the inverse of [`position`](Self::position).
    pub(crate) fn write_at(&self, place: PlaceId, position: usize) -> Id {
        position.checked_sub(1).map_or(INITIAL, |index| self.writes(place)[index])
    }

    /// The value of a write or of the initial one.
    pub(crate) fn written(&self, place: PlaceId, write: Id) -> u64 {
        if write == INITIAL { self.places[place as usize].initial } else { self.event(write).value }
    }

    /// The reads that read from `write` (or the initial one) of `place`.
    pub(crate) fn readers(&self, place: PlaceId, write: Id) -> impl Iterator<Item = Id> {
        let first =
            if write == INITIAL { self.places[place as usize].initial_reader } else { self.event(write).reader };
        let present = |id| (id != INITIAL).then_some(id);
        std::iter::successors(present(first), move |&id| present(self.event(id).next_reader))
    }

    /// Makes a place known, with its initial value. `Err` with the value that the graph's events have seen, if they
    /// have seen another.
    pub(crate) fn make_place(&mut self, place: PlaceId, initial: u64) -> Result<(), u64> {
        if place as usize >= self.places.len() {
            self.places.resize_with(place as usize + 1, Place::default);
        }
        let known = &mut self.places[place as usize];
        if known.initial != initial && known.initial_reader != INITIAL {
            return Err(known.initial);
        }
        known.initial = initial;
        Ok(())
    }

    /// The next event's step as an event, with what it reads or writes.
    pub(crate) fn next_event(&self, step: Step, source: Id) -> Event {
        let value = match (step.operation.kind(), step.operation.place()) {
            (Kind::Read, Some(place)) => self.written(place, source),
            _ => step.operation.stored(),
        };
        Event::first(step, self.thread(step.thread).len() as u32, value, source)
    }

    /// Adds an event; a write is not in its place's order yet.
    pub(crate) fn push(&mut self, event: Event) -> Id {
        let id = self.events.len() as Id;
        let thread = event.thread();
        self.widen(thread);
        self.clocks.push(self.previous(thread, event.index), thread, event.index);
        self.events.push(event);
        self.count(id);
        self.link(id);
        if let Operation::Join { child } = event.step.operation {
            let end = self.end_of(child).expect("a thread is joined after its end");
            self.clocks.join(Order::HappensBefore, id, end);
            self.clocks.join(Order::Prefix, id, end);
        }
        if event.is_read() && event.source != INITIAL {
            self.clocks.join(Order::Prefix, id, event.source);
        }
        self.synchronize(id);
        id
    }

    /// Puts a write into its place's order, right behind the write at `position`.
    pub(crate) fn insert(&mut self, write: Id, position: usize) {
        if let Some(place) = self.event(write).place {
            self.places[place as usize].writes.insert(position, write);
        }
    }

    /// Moves a write to another position; `position` is counted without it.
    pub(crate) fn reposition(&mut self, write: Id, position: usize) {
        self.take_out(write);
        self.insert(write, position);
    }

    /// Takes back every event from the `length`-th on.
    pub(crate) fn cut(&mut self, length: usize) {
        while self.events.len() > length {
            let id = self.events.len() as Id - 1;
            let event = self.events[id as usize];
            self.threads[event.thread() as usize].events.pop();
            self.fences -= usize::from(event.kind == Kind::Fence);
            self.seq_cst -= usize::from(event.seq_cst);
            if event.is_write() {
                self.take_out(id);
            } else if let (Kind::Read, Some(place)) = (event.kind, event.place) {
                // The latest read added is the first of its source's list.
                *self.first_reader(place, event.source) = event.next_reader;
            } else if let Operation::Spawn { child } = event.step.operation {
                self.threads[child as usize].spawn = INITIAL;
            }
            self.events.pop();
        }
        self.clocks.truncate(length);
    }

    /// Makes `target` the graph that remains when everything added after `read` is deleted but for what the next event
    /// of `writer` depends on. The read is there as if newly added, without a source. Gives its new id.
    pub(crate) fn without_deleted(&self, read: Id, writer: ThreadId, target: &mut Self) -> Id {
        let prefix = self.prefix_of_next(writer);
        let remains = |id: Id| id <= read || covers(prefix, self.event(id));
        let mut next = 0;
        // The new ids, `INITIAL` for what is deleted. Nothing that remains reads from or follows a deleted event.
        let moved: Vec<Id> =
            (0..self.events.len() as Id).map(|id| if remains(id) { (next, next += 1).0 } else { INITIAL }).collect();
        let moved = |id: Id| if id == INITIAL { INITIAL } else { moved[id as usize] };

        target.clear_like(self);
        for id in (0..self.events.len() as Id).filter(|&id| remains(id)) {
            let event = *self.event(id);
            let source = if id == read { INITIAL } else { moved(event.source) };
            target.events.push(Event { source, reader: INITIAL, next_reader: INITIAL, ..event });
            if id == read {
                let previous = self.previous(event.thread(), event.index).map(moved);
                target.clocks.push(previous, event.thread(), event.index);
            } else {
                target.clocks.push_from(&self.clocks, id);
            }
            target.count(moved(id));
        }
        for id in (0..target.events.len() as Id).filter(|&id| id != moved(read)) {
            target.link(id);
        }
        for (place, target) in self.places.iter().zip(&mut target.places) {
            target.writes.extend(place.writes.iter().map(|&write| moved(write)).filter(|&write| write != INITIAL));
        }
        moved(read)
    }

    /// Gives a read that has no source yet the latest event as its source.
    pub(crate) fn read_latest(&mut self, read: Id) {
        let source = self.events.len() as Id - 1;
        let event = self.event(read).reading(self.event(source).value, source);
        self.seq_cst -= usize::from(self.event(read).seq_cst);
        self.seq_cst += usize::from(event.seq_cst);
        self.events[read as usize] = event;
        self.link(read);
        self.clocks.join(Order::Prefix, read, source);
        self.synchronize(read);
    }

    /// Replaces the order of a place's writes.
    pub(crate) fn reorder(&mut self, place: PlaceId, writes: Vec<Id>) {
        self.places[place as usize].writes = writes;
    }

    /// Event `later` learns of everything that happened before event `earlier`.
    pub(crate) fn learn(&mut self, later: Id, earlier: Id) {
        self.clocks.join(Order::HappensBefore, later, earlier);
    }

    fn clear_like(&mut self, other: &Self) {
        self.events.clear();
        self.clocks.clear(other.clocks.width());
        self.threads.iter_mut().for_each(Thread::clear);
        self.threads.resize_with(other.threads.len(), Thread::default);
        self.places.resize_with(other.places.len(), Place::default);
        for (place, other) in self.places.iter_mut().zip(&other.places) {
            place.initial = other.initial;
            place.writes.clear();
            place.initial_reader = INITIAL;
        }
        (self.fences, self.seq_cst) = (0, 0);
    }

    /// Makes room for a thread.
    fn widen(&mut self, thread: ThreadId) {
        let threads = thread as usize + 1;
        if threads > self.threads.len() {
            self.threads.resize_with(threads, Thread::default);
        }
        self.clocks.widen(threads);
    }

    /// Enters an event in what is kept beside the events, the lists of readers excepted.
    fn count(&mut self, id: Id) {
        let event = self.events[id as usize];
        self.threads[event.thread() as usize].events.push(id);
        self.fences += usize::from(event.kind == Kind::Fence);
        self.seq_cst += usize::from(event.seq_cst);
        if let Operation::Spawn { child } = event.step.operation {
            self.widen(child);
            self.threads[child as usize].spawn = id;
        }
    }

    /// Enters a read in the list of its source's readers.
    fn link(&mut self, id: Id) {
        let event = self.events[id as usize];
        if let (Kind::Read, Some(place)) = (event.kind, event.place) {
            let first = self.first_reader(place, event.source);
            let next = std::mem::replace(first, id);
            self.events[id as usize].next_reader = next;
        }
    }

    fn first_reader(&mut self, place: PlaceId, write: Id) -> &mut Id {
        match write {
            INITIAL => &mut self.places[place as usize].initial_reader,
            write => &mut self.events[write as usize].reader,
        }
    }

    /// Takes a write out of its place's order, if it stands there.
    fn take_out(&mut self, write: Id) {
        if let Some(place) = self.event(write).place {
            let writes = &mut self.places[place as usize].writes;
            if let Some(index) = writes.iter().rposition(|&other| other == write) {
                writes.remove(index);
            }
        }
    }
}

impl Thread {
    fn clear(&mut self) {
        self.spawn = INITIAL;
        self.events.clear();
    }
}

impl Default for Thread {
    fn default() -> Self {
        Self { spawn: INITIAL, events: Vec::new() }
    }
}

impl Default for Place {
    fn default() -> Self {
        Self { initial: 0, writes: Vec::new(), initial_reader: INITIAL }
    }
}
