//! Names of threads and places that mean the same in every execution.
//!
//! A thread is the n-th that its parent spawned, a place the n-th that its creator made: neither depends on the order
//! in which an engine happens to run the threads, as an address or a running number would. Names are handed out once
//! and kept for the whole exploration, so there are as many as the largest executions have threads and places.

use std::fmt::{self, Write};

use crate::model::event::{PlaceId, ThreadId};

/// The main thread.
pub(crate) const MAIN: ThreadId = 0;

/// All names in use.
#[derive(Debug)]
pub(crate) struct Names {
    threads: Vec<ThreadName>,
    places: Vec<PlaceName>,
    /// By place: what the source calls it in the run at hand; empty where it does not say.
    labels: Vec<String>,
    /// The threads, parents first and siblings in the order of their spawning.
    canonical: Vec<ThreadId>,
}

/// A place: who made it, and how many that thread had made before.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlaceName {
    pub(crate) creator: ThreadId,
    pub(crate) number: u32,
}

#[derive(Debug, Default)]
struct ThreadName {
    /// Which child of its parent, of its grandparent, and so on, from the main thread down.
    path: Vec<u32>,
    children: Vec<ThreadId>,
    places: Vec<PlaceId>,
}

impl Names {
    pub(crate) fn new() -> Self {
        Self { threads: vec![ThreadName::default()], places: Vec::new(), labels: Vec::new(), canonical: vec![MAIN] }
    }

    /// How many threads have a name.
    pub(crate) fn threads(&self) -> usize {
        self.threads.len()
    }

    /// The threads in the order of their paths: a thread stands before its children, and they before its later
    /// siblings. "The lowest-numbered thread" is the first in this order.
    pub(crate) fn canonical(&self) -> &[ThreadId] {
        &self.canonical
    }

    /// The name of the `number`-th thread that `parent` spawns.
    pub(crate) fn child(&mut self, parent: ThreadId, number: u32) -> ThreadId {
        if let Some(&child) = self.threads[parent as usize].children.get(number as usize) {
            return child;
        }
        let child = self.threads.len() as ThreadId;
        let mut path = self.threads[parent as usize].path.clone();
        path.push(number);
        self.threads.push(ThreadName { path, ..ThreadName::default() });
        self.threads[parent as usize].children.push(child);
        self.canonical.push(child);
        self.canonical.sort_by(|&one, &other| self.threads[one as usize].path.cmp(&self.threads[other as usize].path));
        child
    }

    /// The name of the `number`-th place that `creator` makes.
    pub(crate) fn place(&mut self, creator: ThreadId, number: u32) -> PlaceId {
        let places = &mut self.threads[creator as usize].places;
        if let Some(&place) = places.get(number as usize) {
            return place;
        }
        let place = self.places.len() as PlaceId;
        places.push(place);
        self.places.push(PlaceName { creator, number });
        self.labels.push(String::new());
        place
    }

    /// Says what the source calls a place.
    pub(crate) fn label(&mut self, place: PlaceId, name: Option<fmt::Arguments<'_>>) {
        // The text of the run before is overwritten: that costs no memory.
        let label = &mut self.labels[place as usize];
        label.clear();
        if let Some(name) = name {
            label.write_fmt(name).expect("a string can be written to");
        }
    }

    /// What the source calls a place.
    pub(crate) fn label_of(&self, place: PlaceId) -> Option<&str> {
        Some(self.labels[place as usize].as_str()).filter(|label| !label.is_empty())
    }

    pub(crate) fn place_name(&self, place: PlaceId) -> PlaceName {
        self.places[place as usize]
    }
}
