//! A profile is read in two passes: one counts the classes that have events, the other fills that many rows.
//!
//! Source: LLGo's `MemProfile`. Breaks: no panic. A class that gets its first event between the passes has no row: there,
//! the end of the buffer was overrun. Every engine can catch it.

use countersign::{ClassCounts, Primitives};

use crate::subject::mutant::template::{Cells, SharedFault, nothing};

/// See the [module](self).
pub(crate) enum TwoPasses {}

impl SharedFault for TwoPasses {
    fn read<const C: usize, P: Primitives>(cells: &Cells<C, P>) -> [ClassCounts; C] {
        let has_events = |counts: &ClassCounts| *counts != ClassCounts::default();
        let mut rows = vec![None; cells.read().iter().filter(|counts| has_events(counts)).count()];
        // The fault: these counts are others than those above.
        let second = cells.read().into_iter().enumerate().filter(|(_, counts)| has_events(counts));
        for (row, (class, counts)) in second.enumerate() {
            rows[row] = Some((class, counts));
        }
        let mut counts = nothing();
        for (class, row) in rows.into_iter().flatten() {
            counts[class] = row;
        }
        counts
    }
}
