//! The differences between an engine and the graph engine whose cause is known.

use crate::engine::EngineName;
use crate::scenario::Cell;
use crate::subject::mutant::catalog::mutant_entries;

/// A difference whose cause is known. It must be there: one that is no longer is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// The layout's name.
    pub layout: &'static str,
    /// The scenarios' names: in each of them it shows at some size.
    pub scenarios: &'static [&'static str],
    /// The engine.
    pub engine: EngineName,
    /// What differs.
    pub difference: Difference,
    /// Why.
    pub cause: &'static str,
    /// Where that is known from.
    pub source: &'static str,
}

/// How an engine differs from the graph engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Difference {
    /// It lacks an outcome, and says that it reached all. That makes its verdict worthless, so a known cause is named and
    /// excuses nothing, unless it is known of a mutant: that is broken anyhow, and nobody relies on a verdict about it.
    Lacks,
    /// It has an outcome that cannot happen: a false alarm.
    Invents,
    /// It refuses the cell, because it would have such an outcome.
    Refuses,
}

/// All of them.
pub const KNOWN: &[Known] = &[
    Known {
        layout: "mutant:plain_owner_load",
        scenarios: &[
            "snapshot_while_recording",
            "monotonic_across_threads",
            "records_of_one_snapshot_add_up",
            "drain_by_difference",
            "register_while_snapshot",
            "reentrant_register",
            "exit_while_snapshot",
            "double_exit",
            "snapshot_while_adopting",
            "late_record",
            "free_on_another_thread/alloc_in_overflow",
            "free_on_another_thread/fresh_slot",
        ],
        engine: EngineName::Loom,
        difference: Difference::Lacks,
        cause: "the owner reads its cell by a plain load, which hides its races with the reader; make it `load_owned`",
        source: "tokio-rs/loom #166",
    },
    Known {
        layout: "mutant:claim_by_swap",
        scenarios: &["record_then_join", "adopt_after_exit", "free_on_another_thread/adopted_slot"],
        engine: EngineName::Loom,
        difference: Difference::Refuses,
        cause: "loom lets a swap read past a store beside it, which would be a false alarm; `graph` judges it",
        source: "tokio-rs/loom #254, #389",
    },
    Known {
        layout: "mutant:read_then_zero",
        scenarios: &["drain_by_difference"],
        engine: EngineName::Loom,
        difference: Difference::Refuses,
        cause: "a cell is set to zero by a store beside the records' `fetch_add`; `graph` judges it",
        source: "tokio-rs/loom #254, #389",
    },
    Known {
        layout: "mutant:overflow_stored",
        scenarios: &["slots_exhausted"],
        engine: EngineName::Loom,
        difference: Difference::Lacks,
        cause: "everybody's cell is read by a plain load and then stored to, which hides its races with the reader",
        source: "tokio-rs/loom #166",
    },
];

impl Known {
    /// What is known of a difference in a cell. The cause of a lack is named in every scenario; it is excused, if at all,
    /// only in those that are listed.
    pub fn of(cell: &Cell, difference: Difference) -> Option<&'static Self> {
        KNOWN.iter().find(|known| {
            known.difference == difference
                && known.is_about(cell)
                && (difference == Difference::Lacks || known.scenarios.contains(&cell.scenario.name))
        })
    }

    /// Whether it is no failure in a cell.
    pub fn is_excused(&self, cell: &Cell) -> bool {
        let is_mutant = || mutant_entries().iter().any(|mutant| mutant.layout.name == self.layout);
        self.scenarios.contains(&cell.scenario.name) && (self.difference != Difference::Lacks || is_mutant())
    }

    /// Whether it is about this cell's layout and engine.
    pub fn is_about(&self, cell: &Cell) -> bool {
        self.layout == cell.layout.name && self.engine == cell.engine
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::scenarios;
    use crate::subject::layouts::all_layouts;

    #[test]
    fn every_name_is_that_of_something() {
        let (layouts, scenarios) = (all_layouts(), scenarios());
        for known in KNOWN {
            assert!(layouts.iter().any(|layout| layout.name == known.layout), "{known:?}");
            for name in known.scenarios {
                assert!(scenarios.iter().any(|scenario| scenario.name == *name), "{name}");
            }
        }
    }
}
