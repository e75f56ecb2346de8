//! The axiom for seq_cst: the *partial SC order* (psc) has no cycle.
//!
//! In the words of the paper, with `;` for "then", `?` for "or nothing", and E, F for seq_cst events and fences:
//!
//! ```text
//!   scb      = po | po_neqloc ; hb ; po_neqloc | hb_loc | mo | rb
//!   psc_base = ([E] | [F] ; hb?) ; scb ; ([E] | hb? ; [F])
//!   psc_F    = [F] ; (hb | hb ; eco ; hb) ; [F]
//!   psc      = psc_base | psc_F
//! ```
//!
//! `po` is program order, `po_neqloc` and `hb_loc` relate events of different places and accesses of the same place,
//! `mo` is the order of a place's writes, `rb` leads from a read to the writes behind its source, and `eco` is
//! reads-from, `mo` and `rb`, any number of them.
//!
//! An event that was added reading the latest write, or in the last position, has no successor in any of these
//! relations; so a cycle can only arise where another source or position was chosen, and only then is this asked.

use super::clocks::covers;
use super::event::{Event, Id, Kind, ThreadId};
use super::execution_graph::ExecutionGraph;

impl ExecutionGraph {
    /// Whether the seq_cst events can be ordered.
    pub(crate) fn seq_cst_consistent(&self) -> bool {
        if !self.has_seq_cst_pair() {
            return true;
        }
        let nodes: Vec<Id> = (0..self.len() as Id).filter(|&id| self.event(id).seq_cst).collect();
        let successors: Vec<Vec<usize>> = nodes.iter().map(|&id| self.psc_successors(id, &nodes)).collect();
        acyclic(&successors)
    }

    /// The events of `nodes`, by index, that psc puts directly behind the seq_cst event `id`.
    fn psc_successors(&self, id: Id, nodes: &[Id]) -> Vec<usize> {
        let mut after = Set::new(self.len());
        self.add_scb(id, &mut after);
        let mut fences_after = Set::new(self.len());
        if self.event(id).kind == Kind::Fence {
            for later in self.happening_after(id) {
                self.add_scb(later, &mut after);
                self.add_eco(later, &mut fences_after);
                // The fence itself is reached by `hb` alone.
                if self.event(later).kind == Kind::Fence {
                    fences_after.add(later);
                }
            }
        }
        let reaches = |set: &Set, fence: Id| set.iter().any(|id| self.happens_before(id, fence));
        let is_successor = |&node: &Id| {
            after.contains(node)
                || self.event(node).kind == Kind::Fence
                    && (reaches(&after, node) || fences_after.contains(node) || reaches(&fences_after, node))
        };
        (0..nodes.len()).filter(|&index| is_successor(&nodes[index])).collect()
    }

    /// Adds the scb successors of an event.
    fn add_scb(&self, id: Id, set: &mut Set) {
        let event = self.event(id);
        let later = &self.thread(event.thread())[event.index as usize + 1..];
        set.extend(later.iter().copied());
        if let Some(place) = event.place {
            set.extend(self.writes_behind(id).iter().copied());
            set.extend(self.happening_after(id).filter(|&after| self.event(after).place == Some(place)));
        }
        // The earliest event of another place has all others' hb successors.
        if let Some(&other) = later.iter().find(|&&later| self.event(later).place != event.place) {
            self.add_hb_then_other_place(other, set);
        }
    }

    /// Adds what `hb ; po_neqloc` leads to.
    fn add_hb_then_other_place(&self, id: Id, set: &mut Set) {
        let event = self.event(id);
        for thread in 0..self.threads() as ThreadId {
            let events = self.thread(thread);
            // The beginning of a thread is no event of the graph. It has no place, so everything in the thread is behind
            // it, the first event too.
            if self.spawn_of(thread).is_some_and(|spawn| spawn == id || self.happens_before(id, spawn)) {
                set.extend(events.iter().copied());
                continue;
            }
            // What happens after `id` is a final piece of each thread.
            let after = events.partition_point(|&other| other == id || !covers(self.happened_before(other), event));
            let after = &events[after..];
            let Some((&first, rest)) = after.split_first() else { continue };
            let place = self.event(first).place;
            let mut mixed = false;
            for &other in rest {
                if mixed || self.event(other).place != place {
                    set.add(other);
                    mixed = true;
                }
            }
        }
    }

    /// Adds the eco successors of an event.
    fn add_eco(&self, id: Id, set: &mut Set) {
        let event = self.event(id);
        let Some(place) = event.place else { return };
        if event.is_write() {
            set.extend(self.readers(place, id));
        }
        for &write in self.writes_behind(id) {
            set.add(write);
            set.extend(self.readers(place, write));
        }
    }

    /// The writes that `mo` or `rb` puts behind a write or read.
    fn writes_behind(&self, id: Id) -> &[Id] {
        let event = self.event(id);
        let Some(place) = event.place else { return &[] };
        &self.writes(place)[self.position(place, if event.is_read() { event.source } else { id })..]
    }

    fn happening_after(&self, id: Id) -> impl Iterator<Item = Id> {
        (0..self.len() as Id).filter(move |&other| self.happens_before(id, other))
    }

    /// Whether event `id` happens before event `other`.
    pub(crate) fn happens_before(&self, id: Id, other: Id) -> bool {
        let event: &Event = self.event(id);
        id != other && covers(self.happened_before(other), event)
    }
}

/// Whether a graph, given by the successors of each node, has no cycle.
fn acyclic(successors: &[Vec<usize>]) -> bool {
    let mut predecessors = vec![0; successors.len()];
    successors.iter().flatten().for_each(|&node| predecessors[node] += 1);
    let mut free: Vec<usize> = (0..successors.len()).filter(|&node| predecessors[node] == 0).collect();
    let mut sorted = 0;
    while let Some(node) = free.pop() {
        sorted += 1;
        for &successor in &successors[node] {
            predecessors[successor] -= 1;
            if predecessors[successor] == 0 {
                free.push(successor);
            }
        }
    }
    sorted == successors.len()
}

/// A set of events.
struct Set(Vec<u64>);

impl Set {
    fn new(events: usize) -> Self {
        Self(vec![0; events.div_ceil(64)])
    }

    fn add(&mut self, id: Id) {
        self.0[id as usize / 64] |= 1 << (id % 64);
    }

    fn extend(&mut self, ids: impl Iterator<Item = Id>) {
        ids.for_each(|id| self.add(id));
    }

    fn contains(&self, id: Id) -> bool {
        self.0[id as usize / 64] & 1 << (id % 64) != 0
    }

    fn iter(&self) -> impl Iterator<Item = Id> {
        (0..self.0.len() as Id * 64).filter(|&id| self.contains(id))
    }
}
