//! The layouts, by name.

use countersign::{Folding, Padded, Sharded, Shared, Slots};

use super::entry::LayoutEntry;
use super::misjudged::misjudged;
use super::mutant::catalog::mutants;

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

/// Every layout that can be named.
pub fn all_layouts() -> Vec<LayoutEntry> {
    layouts().into_iter().chain(mutants()).chain(misjudged()).collect()
}

/// The layout or mutant of this name.
///
/// # Errors
///
/// If there is none, with the names that there are.
pub fn find(name: &str) -> Result<LayoutEntry, String> {
    let known = |entries: Vec<LayoutEntry>| entries.iter().map(|entry| entry.name).collect::<Vec<_>>().join(", ");
    all_layouts().into_iter().find(|layout| layout.name == name).ok_or_else(|| {
        let (layouts, mutants, misjudged) = (known(layouts()), known(mutants()), known(misjudged()));
        format!(
            "there is no layout `{name}`; the layouts are {layouts}, the mutants {mutants}, and those that engines misjudge \
             {misjudged}"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_name_is_told_which_exist() {
        let error = find("slot").unwrap_err();
        assert!(error.contains("`slot`") && error.contains("slots") && error.contains("mutant:naive_fold"));
    }
}
