//! What the memory model allows: happens-before, coherence, atomicity, and which events are maximally added.
//!
//! The model is RC11 (Lahav, Vafeiadis, Kang, Hur and Dreyer, "Repairing Sequential Consistency in C/C++11", PLDI
//! 2017) without load buffering, and with the release sequences of C++20. Its axiom for seq_cst is in
//! [`psc`](super::psc).
//!
//! No relation is ever built. An event is only ever added where nothing happens after it yet, so what coherence
//! forbids can be told from the clock of the event that precedes it and a scan of the place's writes from the back:
//! the scan stops at the first write that may not be passed.

use super::clocks::covers;
use super::event::{Event, INITIAL, Id, Kind, Operation, PlaceId, ThreadId};
use super::execution_graph::ExecutionGraph;

impl ExecutionGraph {
    /// Lets the newly added event `id` learn what it synchronises with: an acquire read from its source, an acquire
    /// fence from the sources of all reads before it.
    pub(crate) fn synchronize(&mut self, id: Id) {
        let event = *self.event(id);
        match event.kind {
            Kind::Read if event.acquire => self.learn_released(id, event.source),
            Kind::Fence if event.acquire => {
                for index in 0..event.index {
                    let earlier = self.event(self.thread(event.thread())[index as usize]);
                    if earlier.is_read() {
                        self.learn_released(id, earlier.source);
                    }
                }
            }
            _ => {}
        }
    }

    /// Lets event `id` learn what was released to those who read `write`: by the write itself, or by a release fence
    /// before it, or, if it updates another write, by that one too (a release sequence).
    fn learn_released(&mut self, id: Id, mut write: Id) {
        while write != INITIAL {
            let event = *self.event(write);
            let released = if event.release { Some(write) } else { self.release_fence_before(&event) };
            if let Some(released) = released {
                self.learn(id, released);
            }
            write = self.source_of_update(&event).unwrap_or(INITIAL);
        }
    }

    fn release_fence_before(&self, event: &Event) -> Option<Id> {
        if !self.has_fences() {
            return None;
        }
        let before = &self.thread(event.thread())[..event.index as usize];
        before.iter().rev().copied().find(|&id| self.event(id).kind == Kind::Fence && self.event(id).release)
    }

    /// What the read half of a read-modify-write reads from, given its write half; `None` for another event.
    pub(crate) fn source_of_update(&self, write: &Event) -> Option<Id> {
        let read = write.index.checked_sub(1).filter(|_| write.kind == Kind::UpdateWrite)?;
        Some(self.event(self.thread(write.thread())[read as usize]).source)
    }

    /// The first position in the order of `place` that a thread's `index`-th event may read from; and if it is a write
    /// it may stand behind this position or a later one.
    ///
    /// A write that happened before the event, and one that was read by a read that happened before it, may not be
    /// passed. These are the coherence axioms, of which there are four: whether the earlier and the later event read
    /// or write.
    pub(crate) fn floor(&self, place: PlaceId, thread: ThreadId, index: u32) -> usize {
        let before = self.happened_before_index(thread, index);
        let known = |id: Id| covers(before, self.event(id));
        let writes = self.writes(place);
        let last = writes.iter().rposition(|&write| known(write) || self.readers(place, write).any(known));
        last.map_or(0, |index| index + 1)
    }

    /// Whether a write may be put right behind `position`: not if there is already the write half of a
    /// read-modify-write, which must stay right behind what its read half reads.
    pub(crate) fn may_follow(&self, place: PlaceId, position: usize) -> bool {
        self.writes(place).get(position).is_none_or(|&next| self.event(next).kind != Kind::UpdateWrite)
    }

    /// Whether event `id` is *maximally added* with respect to a write that depends on `prefix`: whether it is what
    /// the exploration would have added, given the events that were there and those in `prefix`, had it always chosen
    /// the latest write and the last position.
    pub(crate) fn maximally_added(&self, id: Id, prefix: &[u32]) -> bool {
        let event = self.event(id);
        let Some(place) = event.place else { return true };
        let there = |other: &Id| *other <= id || covers(prefix, self.event(*other));
        let write = if event.is_read() { event.source } else { id };
        let later = &self.writes(place)[self.position(place, write)..];
        !later.iter().any(there) && (event.is_read() || !self.readers(place, id).any(|read| there(&read)))
    }

    /// An owner's read of a cell and another thread's write to it of which neither happens before the other.
    pub(crate) fn unordered_writer(&self) -> Option<(&Event, &Event)> {
        let owned = |id: &Id| matches!(self.event(*id).step.operation, Operation::Load { owned: true, .. });
        (0..self.len() as Id).filter(owned).find_map(|read| {
            let writes = self.event(read).place.map_or(&[][..], |place| self.writes(place));
            let mut unordered =
                writes.iter().filter(|&&write| !self.happens_before(write, read) && !self.happens_before(read, write));
            unordered.next().map(|&write| (self.event(read), self.event(write)))
        })
    }
}
