//! The exploration: which choices an execution leaves open, and how each is taken up in its turn.
//!
//! This knows graphs and nothing of running programs. A run calls [`Explorer::extend`] for each new operation, which
//! goes on in the one way that is always allowed (read the latest write, write in the last position) and notes all
//! others. When the graph is complete, [`Explorer::advance`] takes up the latest of the noted choices, which gives
//! another graph, and the program is run again to extend that.

use super::clocks::covers;
use super::event::{Event, FREE, INITIAL, Id, Kind, Operation, PlaceId, Step};
use super::execution_graph::ExecutionGraph;

/// The graph at hand and the choices not yet taken up.
#[derive(Debug, Default)]
pub(crate) struct Explorer {
    pub(crate) graph: ExecutionGraph,
    /// Latest last. Each is a choice for the graph that is at hand once all behind it are done.
    pending: Vec<Pending>,
    /// Graphs that are done with, kept for their memory.
    spare: Vec<ExecutionGraph>,
}

#[derive(Debug)]
enum Pending {
    /// Cut the graph to `length`, then take up the choice.
    Choice { length: usize, choice: Choice },
    /// Go back to the graph that a revisit left.
    Return(ExecutionGraph),
}

#[derive(Clone, Copy, Debug)]
enum Choice {
    /// Let a further read read from another write.
    Source { step: Step, source: Id },
    /// Put the latest write at another position.
    Position { position: usize },
    /// Let an earlier read read from a further write.
    Revisit { write: Event, read: Id },
}

impl Explorer {
    /// Adds the events of a new operation, choosing the latest write and the last position. Gives the first event.
    pub(crate) fn extend(&mut self, step: Step) -> Id {
        let id = self.graph.len() as Id;
        match (step.operation.kind(), step.operation.place()) {
            (Kind::Read, Some(place)) => {
                let latest = self.offer_sources(step, place);
                let read = self.graph.push(self.graph.next_event(step, latest));
                let placed = self.write_update(read);
                debug_assert!(placed, "what reads the latest write can be placed behind it");
            }
            (Kind::Write, Some(place)) => {
                let write = self.graph.next_event(step, INITIAL);
                self.offer_revisits(&write, place);
                let write = self.graph.push(write);
                let floor = self.graph.floor(place, step.thread, self.graph.event(write).index);
                self.insert_last(write, place, floor);
            }
            _ => {
                self.graph.push(self.graph.next_event(step, INITIAL));
            }
        }
        id
    }

    /// Takes up the latest pending choice that gives a consistent graph. `false` if there is none: all is explored.
    pub(crate) fn advance(&mut self) -> bool {
        while let Some(pending) = self.pending.pop() {
            match pending {
                Pending::Return(graph) => {
                    let done = std::mem::replace(&mut self.graph, graph);
                    self.spare.push(done);
                }
                Pending::Choice { length, choice } => {
                    self.graph.cut(length);
                    if self.take_up(choice) {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// Makes the choice. `false` if the graph is not consistent with it.
    fn take_up(&mut self, choice: Choice) -> bool {
        match choice {
            Choice::Source { step, source } => {
                let read = self.graph.push(self.graph.next_event(step, source));
                self.graph.seq_cst_consistent() && self.write_update(read)
            }
            Choice::Position { position } => {
                let write = self.graph.len() as Id - 1;
                self.graph.reposition(write, position);
                self.graph.seq_cst_consistent() && self.write_updates_of(write)
            }
            Choice::Revisit { write, read } => self.revisit(write, read),
        }
    }

    /// Notes the writes that a further read may read from, except the latest, and gives that one.
    fn offer_sources(&mut self, step: Step, place: PlaceId) -> Id {
        let floor = self.graph.floor(place, step.thread, self.graph.thread(step.thread).len() as u32);
        let latest = self.graph.writes(place).len();
        for position in floor..latest {
            let source = self.graph.write_at(place, position);
            // A lock need not be added reading a lock that is released already: it would be blocked, and the
            // executions in which it is not are reached through the unlock. (One that becomes stale later must stay.)
            let released =
                matches!(step.operation, Operation::Lock { .. }) && self.graph.written(place, source) != FREE;
            if !released {
                self.offer(Choice::Source { step, source });
            }
        }
        self.graph.write_at(place, latest)
    }

    /// Notes the reads that a further write may be read by, though they were added before it.
    ///
    /// A revisit deletes what was added after the read, but for what the write depends on. The deleted events must
    /// be the ones that the exploration adds when it has no reason to choose otherwise; so of all graphs that differ
    /// in them one alone makes the revisit, and nothing is visited twice.
    fn offer_revisits(&mut self, write: &Event, place: PlaceId) {
        let prefix = self.graph.prefix_of_next(write.thread());
        let length = self.graph.len();
        for id in (0..length as Id).rev() {
            let event = self.graph.event(id);
            if covers(prefix, event) {
                continue;
            }
            if !self.graph.maximally_added(id, prefix) {
                break;
            }
            if event.is_read() && event.place == Some(place) {
                self.pending.push(Pending::Choice { length, choice: Choice::Revisit { write: *write, read: id } });
            }
        }
    }

    /// Puts the latest write last in its place's order and notes the other positions, from `floor` on.
    fn insert_last(&mut self, write: Id, place: PlaceId, floor: usize) {
        let last = self.graph.writes(place).len();
        self.graph.insert(write, last);
        for position in floor..last {
            if self.graph.may_follow(place, position) {
                self.offer(Choice::Position { position });
            }
        }
    }

    /// If `read` is the read half of a read-modify-write, adds the write half: the next event, before any other.
    /// `false` if the write cannot stand where it must; its revisits are noted all the same.
    fn write_update(&mut self, read: Id) -> bool {
        let event = *self.graph.event(read);
        let (Some(value), Some(place)) = (event.step.operation.updates(event.value), event.place) else { return true };
        let write = Event::second(&event, value);
        self.offer_revisits(&write, place);
        let position = self.graph.position(place, event.source);
        if !self.graph.may_follow(place, position) {
            return false;
        }
        let last = position == self.graph.writes(place).len();
        let write = self.graph.push(write);
        self.graph.insert(write, position);
        last || self.graph.seq_cst_consistent()
    }

    /// The same for the read that reads from `write`, if there is one.
    fn write_updates_of(&mut self, write: Id) -> bool {
        let reader = self.graph.event(write).reader;
        reader == INITIAL || self.write_update(reader)
    }

    /// Goes to the graph in which `read` reads from `write`, and what was added after the read without
    /// being needed for the write is deleted.
    fn revisit(&mut self, write: Event, read: Id) -> bool {
        let Some(place) = write.place else { return false };
        let mut graph = self.spare.pop().unwrap_or_default();
        let read = self.graph.without_deleted(read, write.thread(), &mut graph);
        let reading = *graph.event(read);
        // Nothing happens after either of them, so both bounds hold for the write.
        let floor = graph.floor(place, write.thread(), write.index);
        let floor = floor.max(graph.floor(place, reading.thread(), reading.index));

        let update = write.kind == Kind::UpdateWrite;
        let last = graph.writes(place).len();
        let position = graph.source_of_update(&write).map_or(last, |source| graph.position(place, source));
        if update && (position < floor || !graph.may_follow(place, position)) {
            self.spare.push(graph);
            return false;
        }
        let id = graph.push(write);
        graph.read_latest(read);

        let left = std::mem::replace(&mut self.graph, graph);
        if matches!(self.pending.last(), None | Some(Pending::Return(_))) {
            // Nothing is left to be done there.
            self.spare.push(left);
        } else {
            self.pending.push(Pending::Return(left));
        }
        if update {
            self.graph.insert(id, position);
        } else {
            self.insert_last(id, place, floor);
        }
        (position == last || self.graph.seq_cst_consistent()) && self.write_update(read)
    }

    fn offer(&mut self, choice: Choice) {
        self.pending.push(Pending::Choice { length: self.graph.len(), choice });
    }
}
