//! A layout to verify, by name.

use std::sync::Arc;

use countersign::{Claims, Layout};

use super::erased::{MakeSubject, make};
use crate::engine::wrap::Instrumented;
use crate::engine::wrap::rewriting::Rewriting;
use crate::engine::{Dfs, Graph, Loom, PerEngine, RealThreads, Shuttle};
use crate::verdict::Claim;

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

#[derive(Clone, Copy, Debug)]
struct Instance {
    classes: usize,
    /// `None` for a layout that has no slots.
    slots: Option<usize>,
    make: PerEngine<MakeSubject>,
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
    pub fn rewriting(&self) -> Option<Arc<Rewriting>> {
        self.rewriting.clone()
    }

    /// Makes the instance with so many slots, if it has any, and the fewest classes that are not fewer than `classes`; `None` if
    /// there is none.
    pub fn make(&self, classes: usize, slots: usize) -> Option<PerEngine<MakeSubject>> {
        let fits = |instance: &&Instance| {
            instance.classes >= classes && instance.slots.is_none_or(|of_instance| of_instance == slots)
        };
        self.instances.iter().filter(fits).min_by_key(|instance| instance.classes).map(|instance| instance.make)
    }

    /// What [`make`](Self::make) lacks, in words, where there is no instance.
    pub fn lacks(&self, classes: usize, slots: usize) -> Option<String> {
        if self.make(classes, slots).is_some() {
            return None;
        }
        let number = |number: usize, one, many| format!("{number} {}", if number == 1 { one } else { many });
        let classes = number(classes, "class", "classes");
        let has_slots = self.instances.iter().any(|instance| instance.slots.is_some());
        Some(if has_slots { format!("{classes} and {}", number(slots, "slot", "slots")) } else { classes })
    }

    /// The claims that the layout does not make, by name.
    pub fn withheld(&self) -> Vec<&'static str> {
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

fn make_per_engine<L: Layout>() -> PerEngine<MakeSubject> {
    // The strategies of shuttle differ in how they choose a schedule, and not in their primitives: one instance does for all,
    // and the compiler has less to do.
    let shuttle = make::<L::On<Instrumented<Shuttle<Dfs>>>>;
    PerEngine {
        std: make::<L::On<Instrumented<RealThreads>>>,
        loom: make::<L::On<Instrumented<Loom>>>,
        shuttle_random: shuttle,
        shuttle_pct: shuttle,
        shuttle_dfs: shuttle,
        graph: make::<L::On<Instrumented<Graph>>>,
    }
}
