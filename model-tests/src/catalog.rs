//! What there is to verify: the layouts, the mutants and the scenarios, by name.

mod mutants;

pub use mutants::{MutantEntry, mutant_entries, mutants};

use std::sync::Arc;

use countersign::{Claims, Folding, Layout, Padded, Sharded, Shared, Slots};

use crate::blind_spot::{ClaimBySwap, OneSlot, PlainOwnerLoad};
use crate::engine::rewriting::Rewriting;
use crate::engine::{Dfs, EngineName, Graph, Instrumented, Loom, Pct, PerEngine, Random, RealThreads, Shuttle};
use crate::scenario::{
    AdoptAfterExit, AllocInFreshSlot, AllocInOverflow, ClaimRace, DoubleExit, DrainByDifference, ExitWhileExit,
    ExitWhileSnapshot, FreeFromAdoptedSlot, FreeInOverflow, FreeThroughSlots, FreeWithoutRecorder, LateRecord,
    MonotonicAcrossThreads, ReadYourOwnRecords, RecordThenJoin, RecordsOfOneSnapshotAddUp, ReentrantRegister,
    RegisterWhileSnapshot, Required, Scenario, ScopeExit, Size, SlotsExhausted, SnapshotAfterHandoff,
    SnapshotWhileAdopting, SnapshotWhileRecording, ThreadsComeAndGo,
};
use crate::subject::{MakeSubject, Subject, make};
use crate::verdict::{Outcome, Violation};

/// A layout to verify, in the instances that the scenarios ask for.
#[derive(Clone, Debug)]
pub struct LayoutEntry {
    /// Its name on the command line and in reports; `mutant:NAME` for a mutant.
    pub name: &'static str,
    /// What it promises.
    pub claims: Claims,
    instances: Vec<Instance>,
    /// What its operations are in place of those that are written, if anything.
    rewriting: Option<Arc<Rewriting>>,
}

/// A scenario, ready to be run on any engine.
#[derive(Clone, Copy, Debug)]
pub struct ScenarioEntry {
    /// Its name on the command line and in reports.
    pub name: &'static str,
    /// What it claims, in a line.
    pub claim: &'static str,
    /// See [`Scenario::sizes`].
    pub sizes: fn(EngineName) -> Vec<Size>,
    /// See [`Scenario::least`].
    pub least: fn() -> Size,
    /// See [`Scenario::required`].
    pub required: fn(Size) -> Vec<Required>,
    /// See [`Scenario::run`].
    pub run: PerEngine<Run>,
}

/// One execution of a scenario.
pub type Run = fn(Arc<dyn Subject>, Size) -> Result<Outcome, Violation>;

#[derive(Clone, Copy, Debug)]
struct Instance {
    classes: usize,
    /// `None` for a layout that has no slots.
    slots: Option<usize>,
    make: PerEngine<MakeSubject>,
}

/// The layouts of the core.
pub fn layouts() -> Vec<LayoutEntry> {
    vec![
        LayoutEntry::new::<Shared<1>>("shared").or::<Shared<2>>(),
        LayoutEntry::new::<Padded<1>>("padded").or::<Padded<2>>(),
        LayoutEntry::new::<Sharded<1, 2>>("sharded").or::<Sharded<2, 2>>(),
        LayoutEntry::new::<Folding<1>>("folding").or::<Folding<2>>(),
        LayoutEntry::with_slots::<Slots<1, 1>>("slots", 1)
            .or_with_slots::<Slots<1, 2>>(2)
            .or_with_slots::<Slots<1, 3>>(3)
            .or_with_slots::<Slots<2, 2>>(2),
    ]
}

/// The layouts that are correct, and about which an engine's own verdict would be wrong.
pub fn blind_spots() -> Vec<LayoutEntry> {
    vec![
        LayoutEntry::new::<OneSlot<1, PlainOwnerLoad>>("mutant:plain_owner_load").or::<OneSlot<2, PlainOwnerLoad>>(),
        LayoutEntry::new::<OneSlot<1, ClaimBySwap>>("mutant:claim_by_swap").or::<OneSlot<2, ClaimBySwap>>(),
    ]
}

/// Every layout that can be named.
pub fn all_layouts() -> Vec<LayoutEntry> {
    layouts().into_iter().chain(mutants()).chain(blind_spots()).collect()
}

/// The scenarios.
pub fn scenarios() -> Vec<ScenarioEntry> {
    vec![
        ScenarioEntry::new::<RecordThenJoin>(),
        ScenarioEntry::new::<SnapshotWhileRecording>(),
        ScenarioEntry::new::<SnapshotAfterHandoff>(),
        ScenarioEntry::new::<MonotonicAcrossThreads>(),
        ScenarioEntry::new::<ReadYourOwnRecords>(),
        ScenarioEntry::new::<RecordsOfOneSnapshotAddUp>(),
        ScenarioEntry::new::<DrainByDifference>(),
        ScenarioEntry::new::<RegisterWhileSnapshot>(),
        ScenarioEntry::new::<ReentrantRegister>(),
        ScenarioEntry::new::<ExitWhileSnapshot>(),
        ScenarioEntry::new::<ExitWhileExit>(),
        ScenarioEntry::new::<DoubleExit>(),
        ScenarioEntry::new::<ScopeExit>(),
        ScenarioEntry::new::<AdoptAfterExit>(),
        ScenarioEntry::new::<SnapshotWhileAdopting>(),
        ScenarioEntry::new::<ClaimRace>(),
        ScenarioEntry::new::<SlotsExhausted>(),
        ScenarioEntry::new::<LateRecord>(),
        ScenarioEntry::new::<FreeThroughSlots>(),
        ScenarioEntry::new::<AllocInOverflow>(),
        ScenarioEntry::new::<FreeInOverflow>(),
        ScenarioEntry::new::<AllocInFreshSlot>(),
        ScenarioEntry::new::<FreeWithoutRecorder>(),
        ScenarioEntry::new::<FreeFromAdoptedSlot>(),
        ScenarioEntry::new::<ThreadsComeAndGo>(),
    ]
}

impl LayoutEntry {
    /// A layout without slots.
    pub fn new<L: Layout>(name: &'static str) -> Self {
        Self { name, claims: L::CLAIMS, instances: Vec::new(), rewriting: None }.or::<L>()
    }

    /// A layout with a number of slots.
    pub fn with_slots<L: Layout>(name: &'static str, slots: usize) -> Self {
        Self { name, claims: L::CLAIMS, instances: Vec::new(), rewriting: None }.or_with_slots::<L>(slots)
    }

    /// The same layout with another number of classes.
    #[must_use]
    pub fn or<L: Layout>(self) -> Self {
        self.with(Instance { classes: L::CLASSES, slots: None, make: make_per_engine::<L>() })
    }

    /// The same layout with another number of classes or slots.
    #[must_use]
    pub fn or_with_slots<L: Layout>(self, slots: usize) -> Self {
        self.with(Instance { classes: L::CLASSES, slots: Some(slots), make: make_per_engine::<L>() })
    }

    /// The same layout with its operations rewritten. Real threads run it as it is written.
    #[must_use]
    pub fn rewritten(&self, rewriting: &Arc<Rewriting>) -> Self {
        Self { rewriting: Some(Arc::clone(rewriting)), ..self.clone() }
    }

    /// What its operations are in place of those that are written.
    pub(crate) fn rewriting(&self) -> Option<Arc<Rewriting>> {
        self.rewriting.clone()
    }

    /// Makes the instance for a size, that with the fewest classes that suffice, or `None` if there is none.
    pub fn make(&self, size: Size) -> Option<PerEngine<MakeSubject>> {
        let fits = |instance: &&Instance| {
            instance.classes >= size.classes && instance.slots.is_none_or(|slots| slots == size.slots)
        };
        self.instances.iter().filter(fits).min_by_key(|instance| instance.classes).map(|instance| instance.make)
    }

    /// What [`make`](Self::make) would need for a size, where there is no instance.
    pub(crate) fn lacks(&self, size: Size) -> Option<String> {
        if self.make(size).is_some() {
            return None;
        }
        let number = |number: usize, one, many| format!("{number} {}", if number == 1 { one } else { many });
        let classes = number(size.classes, "class", "classes");
        let has_slots = self.instances.iter().any(|instance| instance.slots.is_some());
        Some(if has_slots { format!("{classes} and {}", number(size.slots, "slot", "slots")) } else { classes })
    }

    /// The claims that the layout does not make, by name.
    pub fn withheld(&self) -> Vec<&'static str> {
        use crate::verdict::Claim;
        let Claims { exact, bounded, monotonic, folded_once, in_use_never_negative, bounded_memory } = self.claims;
        [
            (exact, Claim::Exact),
            (bounded, Claim::Bounded),
            (monotonic, Claim::Monotonic),
            (folded_once, Claim::FoldedOnce),
            (in_use_never_negative, Claim::InUseNeverNegative),
            (bounded_memory, Claim::BoundedMemory),
        ]
        .into_iter()
        .filter(|(claimed, _)| !claimed)
        .map(|(_, claim)| claim.as_str())
        .collect()
    }

    fn with(mut self, instance: Instance) -> Self {
        self.instances.push(instance);
        self
    }
}

impl ScenarioEntry {
    /// The entry of a scenario.
    pub const fn new<S: Scenario>() -> Self {
        Self {
            name: S::NAME,
            claim: S::CLAIM,
            sizes: S::sizes,
            least: S::least,
            required: S::required,
            run: PerEngine {
                std: S::run::<RealThreads>,
                loom: S::run::<Loom>,
                shuttle_random: S::run::<Shuttle<Random>>,
                shuttle_pct: S::run::<Shuttle<Pct>>,
                shuttle_dfs: S::run::<Shuttle<Dfs>>,
                graph: S::run::<Graph>,
            },
        }
    }
}

fn make_per_engine<L: Layout>() -> PerEngine<MakeSubject> {
    PerEngine {
        std: make::<L::On<Instrumented<RealThreads>>>,
        loom: make::<L::On<Instrumented<Loom>>>,
        shuttle_random: make::<L::On<Instrumented<Shuttle<Random>>>>,
        shuttle_pct: make::<L::On<Instrumented<Shuttle<Pct>>>>,
        shuttle_dfs: make::<L::On<Instrumented<Shuttle<Dfs>>>>,
        graph: make::<L::On<Instrumented<Graph>>>,
    }
}
