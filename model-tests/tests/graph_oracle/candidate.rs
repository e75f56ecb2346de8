//! Candidate executions: what the threads did, what each read reads from, and the order of each variable's writes.

use countersign_models::study::litmus::Order;

/// An event, by thread and place in the thread. Thread 0 is the initialisation: its events are the initial writes, one
/// for each variable, in the variables' order. The program's threads follow.
pub(crate) type Id = (usize, usize);

/// An event.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Event {
    pub(crate) action: Action,
    pub(crate) order: Order,
}

/// What an event does.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Action {
    Read {
        variable: usize,
        source: Id,
    },
    /// `modifies`: whether it is the write of a read-modify-write, whose read is the event before it.
    Write {
        variable: usize,
        value: i64,
        modifies: bool,
    },
    Fence,
}

/// A candidate execution, or the part of one that was built so far.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Candidate {
    /// The events by thread.
    pub(crate) events: Vec<Vec<Event>>,
    /// For each variable its writes in modification order, the initial one first.
    pub(crate) modification: Vec<Vec<Id>>,
}

impl Candidate {
    /// The initial writes alone.
    pub(crate) fn new(initial: &[i64], threads: usize) -> Self {
        let write = |(variable, &value)| Event {
            action: Action::Write { variable, value, modifies: false },
            order: Order::Plain,
        };
        let mut events = vec![initial.iter().enumerate().map(write).collect()];
        events.resize(threads + 1, Vec::new());
        Self { events, modification: (0..initial.len()).map(|variable| vec![(0, variable)]).collect() }
    }

    /// How many events there are.
    pub(crate) fn size(&self) -> usize {
        self.events.iter().map(Vec::len).sum()
    }

    /// The value that a write writes.
    pub(crate) fn value(&self, (thread, index): Id) -> i64 {
        match self.events[thread][index].action {
            Action::Write { value, .. } => value,
            Action::Read { .. } | Action::Fence => unreachable!("only writes have values"),
        }
    }

    /// The last value of each variable.
    pub(crate) fn last_values(&self) -> Vec<i64> {
        self.modification.iter().map(|writes| self.value(writes[writes.len() - 1])).collect()
    }
}

impl Event {
    pub(crate) const fn variable(&self) -> Option<usize> {
        match self.action {
            Action::Read { variable, .. } | Action::Write { variable, .. } => Some(variable),
            Action::Fence => None,
        }
    }
}
