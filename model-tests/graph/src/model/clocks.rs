//! Two clocks for each event: what happened before it, and what it depends on.
//!
//! A clock has one counter for each thread. That of an event says how many of each thread's events stand before it,
//! itself included; so whether one event stands before another is one comparison. The relations are
//!
//! - *happens-before*: program order, spawn, join, and what an acquire learns from a release;
//! - *prefix* (porf in the literature): program order, spawn, join, and every read behind the write it reads from.

use super::event::{Event, Id};

/// The clocks of all events of a graph.
#[derive(Clone, Debug, Default)]
pub(crate) struct Clocks {
    /// How many threads a clock has room for.
    width: usize,
    /// For each event its happens-before clock, then its prefix clock.
    rows: Vec<u32>,
}

/// Which of the two clocks.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Order {
    HappensBefore,
    Prefix,
}

impl Clocks {
    pub(crate) fn clear(&mut self, width: usize) {
        self.width = width;
        self.rows.clear();
    }

    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// Makes room for `width` threads.
    pub(crate) fn widen(&mut self, width: usize) {
        if width <= self.width {
            return;
        }
        let mut rows = Vec::with_capacity(self.rows.len() / self.width.max(1) * width);
        for clock in self.rows.chunks_exact(self.width.max(1)) {
            rows.extend_from_slice(clock);
            rows.resize(rows.len() + width - self.width, 0);
        }
        *self = Self { width, rows };
    }

    pub(crate) fn truncate(&mut self, length: usize) {
        self.rows.truncate(length * 2 * self.width);
    }

    pub(crate) fn clock(&self, order: Order, id: Id) -> &[u32] {
        let start = self.start(order, id);
        &self.rows[start..start + self.width]
    }

    /// Adds the clocks of a further event of a thread, behind `previous` and nothing else yet.
    pub(crate) fn push(&mut self, previous: Option<Id>, thread: u32, index: u32) {
        let row = self.rows.len();
        match previous {
            Some(previous) => {
                let start = self.start(Order::HappensBefore, previous);
                self.rows.extend_from_within(start..start + 2 * self.width);
            }
            None => self.rows.resize(row + 2 * self.width, 0),
        }
        self.rows[row + thread as usize] = index + 1;
        self.rows[row + self.width + thread as usize] = index + 1;
    }

    /// Adds the clocks of event `id` of other clocks.
    pub(crate) fn push_from(&mut self, other: &Self, id: Id) {
        self.rows.extend_from_slice(other.clock(Order::HappensBefore, id));
        self.rows.extend_from_slice(other.clock(Order::Prefix, id));
    }

    /// Puts event `later` behind all that event `earlier` is behind, and behind `earlier` itself.
    pub(crate) fn join(&mut self, order: Order, later: Id, earlier: Id) {
        let (into, from) = (self.start(order, later), self.start(order, earlier));
        for thread in 0..self.width {
            self.rows[into + thread] = self.rows[into + thread].max(self.rows[from + thread]);
        }
    }

    fn start(&self, order: Order, id: Id) -> usize {
        let offset = match order {
            Order::HappensBefore => 0,
            Order::Prefix => self.width,
        };
        id as usize * 2 * self.width + offset
    }
}

/// Whether the event stands before the one that has this clock, or is that one. An empty clock is behind nothing.
pub(crate) fn covers(clock: &[u32], event: &Event) -> bool {
    clock.get(event.thread() as usize).is_some_and(|&count| count > event.index)
}
