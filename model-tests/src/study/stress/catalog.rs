//! What can be stressed, by name.

use super::layout::stress;
use super::plan::{Ending, Plan, Row};
use super::profile::*;

/// A layout, or a mutant, that can be stressed.
#[derive(Clone, Copy, Debug)]
pub struct StressEntry {
    /// Its name on the command line; `mutant:NAME` for a mutant.
    pub name: &'static str,
    run: fn(&'static str, Plan) -> Result<Row, Ending>,
}

impl StressEntry {
    const fn new<P: Profile>(name: &'static str) -> Self {
        Self { name, run: stress::<P> }
    }

    /// Stresses it. One at a time in a process: the heap is that of all.
    ///
    /// # Errors
    ///
    /// If there is no result.
    pub fn run(&self, plan: Plan) -> Result<Row, Ending> {
        (self.run)(self.name, plan)
    }
}

/// The layouts of the core; `slots-4` is `Slots` with so few slots that most threads find none free.
pub fn layouts() -> Vec<StressEntry> {
    vec![
        StressEntry::new::<shared::HEAP>("shared"),
        StressEntry::new::<padded::HEAP>("padded"),
        StressEntry::new::<sharded::HEAP>("sharded"),
        StressEntry::new::<folding::HEAP>("folding"),
        StressEntry::new::<slots::HEAP>("slots"),
        StressEntry::new::<slots_4::HEAP>("slots-4"),
    ]
}

/// The layouts, and the mutants that real threads are sure to show: at least one for each column.
pub fn all() -> Vec<StressEntry> {
    let mutants = [
        StressEntry::new::<stored_by_two::HEAP>("mutant:stored_by_two"),
        StressEntry::new::<overflow_dropped::HEAP>("mutant:overflow_dropped"),
        StressEntry::new::<cleared_on_reuse::HEAP>("mutant:cleared_on_reuse"),
        StressEntry::new::<dropped_at_exit::HEAP>("mutant:dropped_at_exit"),
        StressEntry::new::<folded_again::HEAP>("mutant:folded_again"),
        StressEntry::new::<counted_at_exit::HEAP>("mutant:counted_at_exit"),
        StressEntry::new::<kept_for_ever::HEAP>("mutant:kept_for_ever"),
        StressEntry::new::<read_then_zero::HEAP>("mutant:read_then_zero"),
        StressEntry::new::<allocs_before_frees::HEAP>("mutant:allocs_before_frees"),
        StressEntry::new::<locked_in_both_orders::HEAP>("mutant:locked_in_both_orders"),
    ];
    layouts().into_iter().chain(mutants).collect()
}

/// The layout or mutant of this name that can be stressed.
///
/// # Errors
///
/// If there is none, with the names that there are.
pub fn find(name: &str) -> Result<StressEntry, String> {
    let all = all();
    let known = |mutants: bool| {
        let names = all.iter().map(|entry| entry.name).filter(|name| name.starts_with("mutant:") == mutants);
        names.collect::<Vec<_>>().join(", ")
    };
    all.iter().find(|entry| entry.name == name).copied().ok_or_else(|| {
        let (layouts, mutants) = (known(false), known(true));
        format!(
            "there is no layout `{name}` to be stressed; the layouts are {layouts}, and the mutants that real threads show \
             {mutants}"
        )
    })
}
