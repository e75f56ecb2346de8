//! A mutant, and what is to become of it.

use countersign::Std;

use crate::engine::EngineName::{self, Graph, Loom, ShuttleDfs, ShuttlePct, ShuttleRandom};
use crate::subject::LayoutEntry;
use crate::subject::mutant::reading::{Late, OneLate};
use crate::subject::mutant::template::{
    FoldingFault, FoldingWith, Mutant, SharedFault, SharedWith, SlotsFault, SlotsWith,
};
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
pub(super) use own;

/// Which engines must catch a mutant, and which cannot.
#[derive(Clone, Copy)]
pub(super) struct Engines {
    caught_by: &'static [EngineName],
    not_by: &'static [(EngineName, &'static str)],
}

/// Some interleaving shows it.
pub(super) const INTERLEAVING: Engines =
    Engines { caught_by: &[Graph, Loom, ShuttleRandom, ShuttlePct, ShuttleDfs], not_by: &[] };

/// It shows although the threads live one after another.
pub(super) const ONE_AFTER_ANOTHER: Engines = Engines {
    caught_by: &[Graph, Loom, ShuttleRandom, ShuttleDfs],
    not_by: &[(ShuttlePct, "the threads live one after another, so there is no priority to change")],
};

/// Only weak memory shows it. Real threads may, if the machine's memory is weak.
pub(super) const WEAK_MEMORY: Engines = Engines {
    caught_by: &[Graph, Loom],
    not_by: &[
        (ShuttleRandom, SEQUENTIALLY_CONSISTENT),
        (ShuttlePct, SEQUENTIALLY_CONSISTENT),
        (ShuttleDfs, SEQUENTIALLY_CONSISTENT),
    ],
};

/// Some interleaving shows it, and loom is refused the layout: it stores beside a read-modify-write.
pub(super) const STORED_BESIDE_UPDATES: Engines = Engines {
    caught_by: &[Graph, ShuttleRandom, ShuttleDfs],
    not_by: &[(Loom, "the engine refuses it: loom may report there what cannot happen")],
};

/// Some interleaving shows it, and real threads hang in it.
pub(super) const HANGS: Engines = Engines {
    caught_by: &[Graph, Loom, ShuttleRandom, ShuttlePct, ShuttleDfs],
    not_by: &[(EngineName::Std, "real threads hang, and report nothing")],
};

const SEQUENTIALLY_CONSISTENT: &str = "it takes every ordering for SeqCst";

impl MutantEntry {
    /// Whether the violation of this claim is a kill. What every program must keep, that it neither panics nor hangs and
    /// does the same when it reads the same, is none, unless it is the very claim that the mutant breaks: the mutant's code
    /// would be at fault, and not what it stands for.
    pub fn is_killed_by(&self, claim: Claim) -> bool {
        claim == self.claim || !matches!(claim, Claim::NoPanic | Claim::NoDeadlock | Claim::Deterministic)
    }

    /// Whether it is run on an engine. Where real threads cannot catch one, it is because they would hang.
    pub fn is_run_on(&self, engine: EngineName) -> bool {
        engine != EngineName::Std || self.not_by.iter().all(|(other, _)| *other != engine)
    }

    pub(super) const fn new(
        layout: LayoutEntry,
        source: &'static str,
        claim: Claim,
        scenario: &'static str,
        Engines { caught_by, not_by }: Engines,
    ) -> Self {
        Self { layout, source, claim, scenario, caught_by, not_by }
    }
}

pub(super) fn late<K: Late>(name: &'static str) -> LayoutEntry {
    LayoutEntry::new::<Mutant<1, OneLate<1, K, Std>>>(name).or::<Mutant<2, OneLate<2, K, Std>>>()
}

pub(super) fn folding<F: FoldingFault>(name: &'static str) -> LayoutEntry {
    LayoutEntry::new::<Mutant<1, FoldingWith<1, F, Std>>>(name).or::<Mutant<2, FoldingWith<2, F, Std>>>()
}

pub(super) fn shared<F: SharedFault>(name: &'static str) -> LayoutEntry {
    LayoutEntry::new::<Mutant<1, SharedWith<1, F, Std>>>(name).or::<Mutant<2, SharedWith<2, F, Std>>>()
}

pub(super) fn slots<F: SlotsFault>(name: &'static str) -> LayoutEntry {
    LayoutEntry::with_slots::<Mutant<1, SlotsWith<1, 1, F, Std>>>(name, 1)
        .or_with_slots::<Mutant<1, SlotsWith<1, 2, F, Std>>>(2)
        .or_with_slots::<Mutant<1, SlotsWith<1, 3, F, Std>>>(3)
        .or_with_slots::<Mutant<2, SlotsWith<2, 2, F, Std>>>(2)
}
