//! All mutants.

use super::entry::{MutantEntry, folding, shared, slots};
use super::{claim, exit, locks, reading};
use crate::subject::LayoutEntry;
use crate::subject::mutant::reading::AllocsBeforeFrees;
use crate::subject::mutant::template::Sound;

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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_mutant_has_a_name_of_its_own() {
        let names: Vec<_> = mutants().iter().map(|layout| layout.name).collect();
        assert!(names.iter().all(|name| name.starts_with("mutant:")), "{names:?}");
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len(), "{names:?}");
    }
}
