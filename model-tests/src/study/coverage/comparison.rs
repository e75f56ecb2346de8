//! What an engine reaches beside what there is to reach.

use std::collections::BTreeSet;

use countersign_graph::{Execution, Search};

use crate::engine::{self, EngineName, complete};
use crate::scenario::{Cell, Size};
use crate::verdict::{Outcome, Verdict};

/// What an engine is compared at.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The outcomes of the reference.
    pub reference: BTreeSet<Outcome>,
    /// The outcomes that the engine reached.
    pub reached: BTreeSet<Outcome>,
    /// Whether the engine says that it reached all.
    pub claims_all: bool,
}

/// The cells to compare an engine in. An engine that samples is compared where one that enumerates is small enough.
pub fn cells(cell_of: impl Fn(Size) -> Cell, sizes: fn(EngineName) -> Vec<Size>, engine: EngineName) -> Vec<Cell> {
    let sizes = match engine {
        EngineName::Std => sizes(EngineName::Loom),
        EngineName::ShuttleRandom => sizes(EngineName::ShuttleDfs),
        // Schedules by priority need two threads that run at once, one of which may be the reader.
        EngineName::ShuttlePct if sizes(engine).is_empty() => Vec::new(),
        EngineName::ShuttlePct => {
            let at_once = |size: &Size| size.threads + size.snapshots.min(1) > 1;
            sizes(EngineName::ShuttleDfs).into_iter().filter(at_once).collect()
        }
        EngineName::Loom | EngineName::ShuttleDfs | EngineName::Graph => sizes(engine),
    };
    sizes.into_iter().map(cell_of).collect()
}

/// Everything that the model which `cell`'s engine explores allows the cell's program to see. The error is the graph
/// engine's verdict, if that is another than exhaustive.
pub fn reference(cell: &Cell) -> Result<BTreeSet<Outcome>, Verdict> {
    let exploration = complete(search(cell).run());
    match exploration.verdict {
        Verdict::Exhaustive => Ok(exploration.outcomes.into_keys().collect()),
        verdict => Err(verdict),
    }
}

/// An execution that ends in `outcome`.
pub fn execution(cell: &Cell, outcome: &Outcome) -> Option<Execution> {
    let mut found = None;
    let _ = search(cell).run_with(|complete| {
        if found.is_none() && complete.outcome() == outcome {
            found = Some(complete.execution());
        }
    });
    found
}

impl Comparison {
    /// Outcomes that the model allows, and that an engine which says that it reached all did not reach.
    pub fn missing(&self) -> Vec<&Outcome> {
        if self.claims_all { self.reference.difference(&self.reached).collect() } else { Vec::new() }
    }

    /// Outcomes that the engine reached, although the model does not allow them.
    pub fn invented(&self) -> Vec<&Outcome> {
        self.reached.difference(&self.reference).collect()
    }
}

fn search(cell: &Cell) -> Search {
    let on_graph = Cell { engine: EngineName::Graph, ..cell.clone() };
    let search = engine::search(on_graph.program());
    match cell.engine {
        EngineName::ShuttleRandom | EngineName::ShuttlePct | EngineName::ShuttleDfs => search.sequentially_consistent(),
        EngineName::Std | EngineName::Loom | EngineName::Graph => search,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn comparison(reached: &[u64], claims_all: bool) -> Comparison {
        let outcomes = |values: &[u64]| values.iter().map(|value| Outcome(vec![*value])).collect();
        Comparison { reference: outcomes(&[1, 2, 3]), reached: outcomes(reached), claims_all }
    }

    #[test]
    fn an_engine_that_claims_all_must_reach_all() {
        assert_eq!(comparison(&[1, 3], true).missing(), [&Outcome(vec![2])]);
        assert!(comparison(&[1, 2, 3], true).missing().is_empty());
        assert!(comparison(&[1], false).missing().is_empty());
    }

    #[test]
    fn no_engine_may_reach_more() {
        assert_eq!(comparison(&[1, 4], false).invented(), [&Outcome(vec![4])]);
        assert!(comparison(&[1, 2, 3], false).invented().is_empty());
    }
}
