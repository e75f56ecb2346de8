//! What each step of a layout costs, in operations on shared memory, as an engine counts them.
//!
//! The graph engine runs a program of one thread up to a step and with it; the difference is the step's cost. So the
//! numbers are those of the source that runs in production, and nobody's estimate.

use std::fmt;
use std::sync::Arc;

use countersign::{Event, Recorder};
use serde::Serialize;

use crate::engine::{complete, search};
use crate::subject::{LayoutEntry, Subject};
use crate::verdict::{Action, Outcome, Row};

/// The costs of a layout's steps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LayoutCost {
    /// The layout's name.
    pub layout: String,
    /// An event, through a recorder.
    pub record: Operations,
    /// An event, without a recorder.
    pub record_without: Operations,
    /// A thread registers, where a fresh cell or slot is at hand.
    pub register: Operations,
    /// A recorder is dropped.
    pub retire: Operations,
    /// A snapshot of one class while one thread is registered.
    pub snapshot: Operations,
    /// What a second registered thread adds to that.
    pub snapshot_per_thread: Operations,
}

/// How many operations of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Operations {
    /// Read-modify-writes: what a processor does with a lock on the cache line.
    pub read_modify_writes: usize,
    /// Plain loads, those of an owner among them.
    pub loads: usize,
    /// Plain stores.
    pub stores: usize,
    /// Critical sections of a mutex.
    pub locked_sections: usize,
}

/// Counts a layout. The error says what the engine found instead.
///
/// An alloc and a free are recorded by the same kinds of operations, which is checked.
pub fn cost(layout: &LayoutEntry) -> Result<LayoutCost, String> {
    let count = |steps: &[Step]| count(layout, steps);
    let step = |before: &[Step], step: Step| {
        let with = count(&[before, &[step]].concat())?;
        Ok::<_, String>(with.minus(count(before)?))
    };
    let event = |event: fn(Event) -> Step, before: &[Step]| {
        let [alloc, free] = [step(before, event(Event::Alloc))?, step(before, event(Event::Free))?];
        if alloc == free { Ok(alloc) } else { Err(format!("an alloc takes {alloc}, but a free {free}")) }
    };
    let snapshot = step(&[Step::Register], Step::Snapshot)?;
    Ok(LayoutCost {
        layout: layout.name.to_owned(),
        record: event(Step::Record, &[Step::Register])?,
        record_without: event(Step::RecordWithout, &[])?,
        register: step(&[], Step::Register)?,
        retire: step(&[Step::Register], Step::Retire)?,
        snapshot,
        snapshot_per_thread: step(&[Step::Register, Step::Register], Step::Snapshot)?.minus(snapshot),
    })
}

/// A step of the program.
#[derive(Clone, Copy)]
enum Step {
    Register,
    Record(Event),
    RecordWithout(Event),
    Retire,
    Snapshot,
}

/// Of the instance that is counted.
const CLASSES: usize = 1;
const SLOTS: usize = 2;

/// The operations of a thread that does these steps.
fn count(layout: &LayoutEntry, steps: &[Step]) -> Result<Operations, String> {
    let make = layout.make(CLASSES, SLOTS);
    let make = make
        .ok_or_else(|| format!("there is no instance of `{}` with {CLASSES} class and {SLOTS} slots", layout.name))?;
    let steps = steps.to_vec();
    let program = Arc::new(move || {
        run((make.graph)(), &steps);
        Ok(Outcome::default())
    });
    let mut trace = None;
    let exploration = complete(search(program).run_with(|complete| trace = Some(complete.execution().trace)));
    let verdict = || format!("{}: {}", exploration.verdict.name(), exploration.verdict.why().unwrap_or_default());
    match trace {
        Some(trace) if exploration.executions == 1 => Ok(trace.iter().fold(Operations::default(), Operations::and)),
        _ => Err(format!("a thread alone has {} executions: {}", exploration.executions, verdict())),
    }
}

fn run(layout: Arc<dyn Subject>, steps: &[Step]) {
    let mut recorders: Vec<Box<dyn Recorder + Send>> = Vec::new();
    for step in steps {
        match step {
            Step::Register => recorders.push(Arc::clone(&layout).register()),
            Step::Record(event) => recorders.iter().for_each(|recorder| recorder.record(*event, 0)),
            Step::RecordWithout(event) => layout.record(*event, 0),
            Step::Retire => recorders.clear(),
            Step::Snapshot => drop(layout.snapshot()),
        }
    }
    // A recorder that is left would retire here, and be counted.
    recorders.into_iter().for_each(std::mem::forget);
}

impl Operations {
    fn and(self, row: &Row) -> Self {
        match row.action {
            Action::Load | Action::LoadOwned => Self { loads: self.loads + 1, ..self },
            Action::Store => Self { stores: self.stores + 1, ..self },
            Action::Swap | Action::FetchAdd(_) | Action::FetchMax(_) | Action::CompareExchange { .. } => {
                Self { read_modify_writes: self.read_modify_writes + 1, ..self }
            }
            Action::Lock => Self { locked_sections: self.locked_sections + 1, ..self },
            Action::Unlock | Action::Fence | Action::Spawn(_) | Action::Join(_) => self,
        }
    }

    const fn minus(self, other: Self) -> Self {
        Self {
            read_modify_writes: self.read_modify_writes.saturating_sub(other.read_modify_writes),
            loads: self.loads.saturating_sub(other.loads),
            stores: self.stores.saturating_sub(other.stores),
            locked_sections: self.locked_sections.saturating_sub(other.locked_sections),
        }
    }
}

impl fmt::Display for Operations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds = [
            (self.locked_sections, "locked section", "locked sections"),
            (self.read_modify_writes, "RMW", "RMWs"),
            (self.loads, "load", "loads"),
            (self.stores, "store", "stores"),
        ];
        let kinds = kinds.into_iter().filter(|(number, _, _)| *number > 0);
        let words: Vec<_> =
            kinds.map(|(number, one, many)| format!("{number} {}", if number == 1 { one } else { many })).collect();
        f.pad(&if words.is_empty() { "-".to_owned() } else { words.join(", ") })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subject::layouts;

    /// What `Slots` is for: a record is a load and a store, and a retirement one store.
    #[test]
    fn slots_record_without_a_read_modify_write() {
        let cost = cost(&layouts::find("slots").unwrap()).unwrap();
        let plain = Operations { loads: 1, stores: 1, ..Operations::default() };
        assert_eq!((cost.record, cost.retire), (plain, Operations { stores: 1, ..Operations::default() }));
        let locked = Operations { read_modify_writes: 1, ..Operations::default() };
        assert_eq!(cost.record_without, locked);
    }

    #[test]
    fn what_is_counted_is_said_in_words() {
        let all = Operations { read_modify_writes: 2, loads: 1, stores: 3, locked_sections: 1 };
        assert_eq!(all.to_string(), "1 locked section, 2 RMWs, 1 load, 3 stores");
        assert_eq!(Operations::default().to_string(), "-");
    }
}
