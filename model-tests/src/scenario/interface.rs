//! What a scenario is.

use std::fmt;
use std::sync::Arc;

use crate::engine::{Engine, EngineName};
use crate::subject::Subject;
use crate::verdict::{Outcome, Violation};

/// A small concurrent program that races one thing.
pub trait Scenario: 'static {
    /// The scenario's name: that of its module, with `/form` behind it where there are several forms.
    const NAME: &'static str;

    /// What is claimed, in a line.
    const CLAIM: &'static str;

    /// The sizes to explore on an engine, smallest first.
    fn sizes(engine: EngineName) -> Vec<Size>;

    /// The least of each number that makes sense, whether or not any engine explores such a size: a failure is made no
    /// smaller. Unless a scenario knows better, it is the least that any engine explores.
    fn least() -> Size {
        let sizes = EngineName::ALL.into_iter().flat_map(Self::sizes);
        sizes.reduce(Size::least).unwrap_or(Size { threads: 0, events: 0, snapshots: 0, classes: 1, slots: 1 })
    }

    /// The outcomes that a complete engine must reach at this size, whatever the (correct) layout.
    fn required(size: Size) -> Vec<Required>;

    /// One execution.
    fn run<E: Engine>(layout: Arc<dyn Subject>, size: Size) -> Result<Outcome, Violation>;
}

/// How large a scenario is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size {
    /// Threads that record, register or retire concurrently; the reader is not among them.
    pub threads: usize,
    /// Events that each thread records.
    pub events: usize,
    /// Concurrent snapshots.
    pub snapshots: usize,
    /// Classes of the layout.
    pub classes: usize,
    /// Slots of a layout that has slots. Others ignore it.
    pub slots: usize,
}

impl Size {
    /// The lesser of each number.
    fn least(self, other: Self) -> Self {
        Self {
            threads: self.threads.min(other.threads),
            events: self.events.min(other.events),
            snapshots: self.snapshots.min(other.snapshots),
            classes: self.classes.min(other.classes),
            slots: self.slots.min(other.slots),
        }
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            (self.threads, "thread", "threads"),
            (self.events, "event each", "events each"),
            (self.snapshots, "snapshot", "snapshots"),
            (self.classes, "class", "classes"),
            (self.slots, "slot", "slots"),
        ];
        for (index, (number, one, many)) in parts.into_iter().enumerate() {
            let separator = if index == 0 { "" } else { ", " };
            write!(f, "{separator}{number} {}", if number == 1 { one } else { many })?;
        }
        Ok(())
    }
}

/// An outcome that must be reachable.
#[derive(Clone, Copy, Debug)]
pub struct Required {
    /// What it is, in words.
    pub what: &'static str,
    /// Whether some interleaving has it, or only weak memory.
    pub under: Memory,
    /// Whether an outcome is it.
    pub is_met_by: fn(&Outcome) -> bool,
}

/// The memory model under which an outcome is reachable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// Sequential consistency already has it: every complete engine must reach it.
    SequentiallyConsistent,
    /// Only a weak model has it: not asked of shuttle.
    Weak,
}

impl Required {
    pub(crate) const fn sc(what: &'static str, is_met_by: fn(&Outcome) -> bool) -> Self {
        Self { what, under: Memory::SequentiallyConsistent, is_met_by }
    }

    pub(crate) const fn weak(what: &'static str, is_met_by: fn(&Outcome) -> bool) -> Self {
        Self { what, under: Memory::Weak, is_met_by }
    }
}
