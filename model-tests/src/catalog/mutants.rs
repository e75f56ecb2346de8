//! The mutants, and what is to become of each.

mod claim;
mod exit;
mod locks;
mod reading;

use countersign::Std;

use super::{LayoutEntry, ScenarioEntry, scenarios};
use crate::cell::Cell;
use crate::engine::EngineName::{self, Graph, Loom, ShuttleDfs, ShuttlePct, ShuttleRandom};
use crate::mutant::reading::{AllocsBeforeFrees, Late, OneLate};
use crate::mutant::{FoldingFault, FoldingWith, Mutant, SharedFault, SharedWith, SlotsFault, SlotsWith, Sound};
use crate::verdict::Claim;

/// A broken layout, and how it must be caught.
#[derive(Clone, Debug)]
pub struct MutantEntry {
    /// The layout. Its name is `mutant:NAME`.
    pub layout: LayoutEntry,
    /// The real bug that it restates.
    pub source: &'static str,
    /// The claim that it breaks. Another one may be broken too, and be the first that an engine reports:
    /// [`Claim::SingleWriter`] where the engine checks who writes a cell, or one that fails later in the execution.
    pub claim: Claim,
    /// The scenario that shows it. Others may do so too.
    pub scenario: &'static str,
    /// The engines that must catch it in that scenario. One that is in neither list may or may not.
    pub caught_by: &'static [EngineName],
    /// The engines that cannot catch it, and why.
    pub not_by: &'static [(EngineName, &'static str)],
}

/// A mutant that is a protocol of its own.
macro_rules! own {
    ($mutant:ident::$name:ident, $as:literal) => {
        LayoutEntry::new::<Mutant<1, $mutant::$name<1, Std>>>($as).or::<Mutant<2, $mutant::$name<2, Std>>>()
    };
}
use own;

/// Which engines must catch a mutant, and which cannot.
#[derive(Clone, Copy)]
struct Engines {
    caught_by: &'static [EngineName],
    not_by: &'static [(EngineName, &'static str)],
}

/// Some interleaving shows it.
const INTERLEAVING: Engines = Engines { caught_by: &[Graph, Loom, ShuttleRandom, ShuttlePct, ShuttleDfs], not_by: &[] };

/// It shows although the threads live one after another.
const ONE_AFTER_ANOTHER: Engines = Engines {
    caught_by: &[Graph, Loom, ShuttleRandom, ShuttleDfs],
    not_by: &[(ShuttlePct, "the threads live one after another, so there is no priority to change")],
};

/// Only weak memory shows it. Real threads may, if the machine's memory is weak.
const WEAK_MEMORY: Engines = Engines {
    caught_by: &[Graph, Loom],
    not_by: &[
        (ShuttleRandom, SEQUENTIALLY_CONSISTENT),
        (ShuttlePct, SEQUENTIALLY_CONSISTENT),
        (ShuttleDfs, SEQUENTIALLY_CONSISTENT),
    ],
};

/// Some interleaving shows it, and loom is refused the layout: it stores beside a read-modify-write.
const STORED_BESIDE_UPDATES: Engines = Engines {
    caught_by: &[Graph, ShuttleRandom, ShuttleDfs],
    not_by: &[(Loom, "the engine refuses it: loom may report there what cannot happen")],
};

/// Some interleaving shows it, and real threads hang in it.
const HANGS: Engines = Engines {
    caught_by: &[Graph, Loom, ShuttleRandom, ShuttlePct, ShuttleDfs],
    not_by: &[(EngineName::Std, "real threads hang, and report nothing")],
};

const SEQUENTIALLY_CONSISTENT: &str = "it takes every ordering for SeqCst";

/// The mutants, each of which must be caught.
pub fn mutant_entries() -> Vec<MutantEntry> {
    [exit::entries(), claim::entries(), reading::entries(), locks::entries()].concat()
}

/// Every layout of the mutants' making, by which it can be chosen: the mutants, the parts they are made of, without a
/// fault, and one that does not claim what it breaks. These last must be found correct.
pub fn mutants() -> Vec<LayoutEntry> {
    let sound = [
        slots::<Sound>("mutant:sound_slots"),
        folding::<Sound>("mutant:sound_folding"),
        shared::<Sound>("mutant:sound_shared"),
        shared::<AllocsBeforeFrees<true>>("mutant:allocs_before_frees_withheld"),
    ];
    mutant_entries().into_iter().map(|entry| entry.layout).chain(sound).collect()
}

impl MutantEntry {
    /// Whether the violation of this claim is a kill. What every program must keep, that it neither panics nor hangs and
    /// does the same when it reads the same, is none, unless it is the very claim that the mutant breaks: the mutant's code
    /// would be at fault, and not what it stands for.
    pub fn is_killed_by(&self, claim: Claim) -> bool {
        claim == self.claim || !matches!(claim, Claim::NoPanic | Claim::NoDeadlock | Claim::Deterministic)
    }

    /// The cells in which an engine may catch it: those of its scenario, smallest first.
    pub fn cells(&self, engine: EngineName) -> Vec<Cell> {
        self.scenario_entry().map_or_else(Vec::new, |scenario| Cell::all(&self.layout, &scenario, engine))
    }

    /// The scenario that shows it.
    pub fn scenario_entry(&self) -> Option<ScenarioEntry> {
        scenarios().into_iter().find(|scenario| scenario.name == self.scenario)
    }

    /// Whether it is run on an engine. Where real threads cannot catch one, it is because they would hang.
    pub fn is_run_on(&self, engine: EngineName) -> bool {
        engine != EngineName::Std || self.not_by.iter().all(|(other, _)| *other != engine)
    }

    const fn new(
        layout: LayoutEntry,
        source: &'static str,
        claim: Claim,
        scenario: &'static str,
        Engines { caught_by, not_by }: Engines,
    ) -> Self {
        Self { layout, source, claim, scenario, caught_by, not_by }
    }
}

fn late<K: Late>(name: &'static str) -> LayoutEntry {
    LayoutEntry::new::<Mutant<1, OneLate<1, K, Std>>>(name).or::<Mutant<2, OneLate<2, K, Std>>>()
}

fn folding<F: FoldingFault>(name: &'static str) -> LayoutEntry {
    LayoutEntry::new::<Mutant<1, FoldingWith<1, F, Std>>>(name).or::<Mutant<2, FoldingWith<2, F, Std>>>()
}

fn shared<F: SharedFault>(name: &'static str) -> LayoutEntry {
    LayoutEntry::new::<Mutant<1, SharedWith<1, F, Std>>>(name).or::<Mutant<2, SharedWith<2, F, Std>>>()
}

fn slots<F: SlotsFault>(name: &'static str) -> LayoutEntry {
    LayoutEntry::with_slots::<Mutant<1, SlotsWith<1, 1, F, Std>>>(name, 1)
        .or_with_slots::<Mutant<1, SlotsWith<1, 2, F, Std>>>(2)
        .or_with_slots::<Mutant<1, SlotsWith<1, 3, F, Std>>>(3)
        .or_with_slots::<Mutant<2, SlotsWith<2, 2, F, Std>>>(2)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::catalog::layouts;

    #[test]
    fn every_mutant_has_a_name_of_its_own() {
        let names: Vec<_> = mutants().iter().map(|layout| layout.name).collect();
        assert!(names.iter().all(|name| name.starts_with("mutant:")), "{names:?}");
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len(), "{names:?}");
    }

    #[test]
    fn every_engine_that_must_catch_a_mutant_has_cells_for_it() {
        for mutant in mutant_entries() {
            let MutantEntry { layout, scenario, caught_by, not_by, .. } = &mutant;
            assert!(!caught_by.is_empty(), "nobody must catch {}", layout.name);
            for engine in *caught_by {
                assert!(!mutant.cells(*engine).is_empty(), "{}: no cell of {scenario} on {engine}", layout.name);
                assert!(
                    not_by.iter().all(|(other, _)| other != engine),
                    "{}: {engine} both must and cannot",
                    layout.name
                );
            }
        }
    }

    #[test]
    fn every_scenario_finds_an_instance_of_every_layout() {
        for layout in layouts().into_iter().chain(mutants()) {
            for scenario in scenarios() {
                for size in EngineName::ALL.into_iter().flat_map(scenario.sizes) {
                    assert!(
                        layout.make(size).is_some(),
                        "{} has no instance for {} {size:?}",
                        layout.name,
                        scenario.name
                    );
                }
            }
        }
    }
}
