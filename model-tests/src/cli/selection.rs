//! The options that say which layouts, scenarios and engines a command is about.

use clap::ValueEnum;

use countersign_models::engine::EngineName;
use countersign_models::scenario::{self, Forms, ScenarioEntry};
use countersign_models::subject::{LayoutEntry, layouts};

/// What was asked for; where nothing was, everything but the mutants.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct Selection {
    /// Only this layout, or this mutant (mutant:NAME; mutants are left out unless they are named); repeatable
    #[arg(long = "layout", value_name = "NAME", value_parser = layouts::find)]
    layouts: Vec<LayoutEntry>,
    /// Only this scenario and its forms (NAME means every NAME/FORM too); repeatable
    #[arg(long = "scenario", value_name = "NAME", value_parser = scenario::forms)]
    scenarios: Vec<Forms>,
    /// Only this engine; repeatable
    #[arg(long = "engine", value_name = "NAME")]
    engines: Vec<EngineName>,
}

/// How a command writes what it found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    #[default]
    Table,
    /// For programs
    Json,
}

impl Selection {
    /// Each layout in each scenario, in the order of the catalog.
    pub(crate) fn pairs(&self) -> Vec<(LayoutEntry, ScenarioEntry)> {
        let asked = |layout: &LayoutEntry| self.layouts.iter().any(|asked| asked.name == layout.name);
        let layouts: Vec<_> = if self.layouts.is_empty() {
            layouts::layouts()
        } else {
            layouts::all_layouts().into_iter().filter(asked).collect()
        };
        let scenarios: Vec<_> =
            scenario::scenarios().into_iter().filter(|scenario| self.has_scenario(scenario)).collect();
        let with_each = |layout: LayoutEntry| scenarios.iter().map(move |scenario| (layout.clone(), *scenario));
        layouts.into_iter().flat_map(with_each).collect()
    }

    /// Whether no layout was named, so that the mutants are not among them.
    pub(crate) fn leaves_mutants_out(&self) -> bool {
        self.layouts.is_empty()
    }

    /// Whether a scenario was asked for.
    pub(crate) fn has_scenario(&self, scenario: &ScenarioEntry) -> bool {
        let mut named = self.scenarios.iter().flat_map(|forms| &forms.0);
        self.scenarios.is_empty() || named.any(|named| named.name == scenario.name)
    }

    /// The engines.
    pub(crate) fn engines(&self) -> Vec<EngineName> {
        let asked = |engine: &EngineName| self.engines.is_empty() || self.engines.contains(engine);
        EngineName::ALL.into_iter().filter(asked).collect()
    }

    /// The command line that asks for the same layouts and scenarios.
    pub(crate) fn command_line(&self) -> Vec<&str> {
        let layouts = self.layouts.iter().flat_map(|layout| ["--layout", layout.name]);
        let scenarios = self.scenarios.iter().flat_map(|forms| &forms.0);
        layouts.chain(scenarios.flat_map(|scenario| ["--scenario", scenario.name])).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn the_default_is_everything_but_the_mutants() {
        let selection = Selection::default();
        let distinct: HashSet<_> =
            selection.pairs().iter().map(|(layout, scenario)| (layout.name, scenario.name)).collect();
        assert_eq!(selection.pairs().len(), layouts::layouts().len() * scenario::scenarios().len());
        assert_eq!(distinct.len(), selection.pairs().len());
        assert!(distinct.iter().all(|(layout, _)| !layout.starts_with("mutant:")));
        assert_eq!(selection.engines(), EngineName::ALL);
    }

    #[test]
    fn what_is_named_twice_is_taken_once() {
        let slots = || layouts::find("slots").unwrap();
        let (all, form) = ("free_on_another_thread", "free_on_another_thread/slots");
        let selection = Selection {
            layouts: vec![slots(), slots()],
            scenarios: [all, form].map(|name| scenario::forms(name).unwrap()).to_vec(),
            engines: vec![EngineName::Loom, EngineName::Loom],
        };
        assert_eq!(selection.pairs().len(), scenario::forms(all).unwrap().0.len());
        assert_eq!(selection.engines(), [EngineName::Loom]);
    }
}
