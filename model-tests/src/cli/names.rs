//! From the names on the command line to what they name; an unknown name is told which ones exist.

use crate::catalog::{self, LayoutEntry, ScenarioEntry};
use crate::stress::{self, StressEntry};

/// The layout or mutant of this name.
pub(super) fn layout(name: &str) -> Result<LayoutEntry, String> {
    let known = |entries: Vec<LayoutEntry>| entries.iter().map(|entry| entry.name).collect::<Vec<_>>().join(", ");
    catalog::all_layouts().into_iter().find(|layout| layout.name == name).ok_or_else(|| {
        let (layouts, mutants) = (known(catalog::layouts()), known(catalog::mutants()));
        let blind_spots = known(catalog::blind_spots());
        format!(
            "there is no layout `{name}`; the layouts are {layouts}, the mutants {mutants}, and the blind spots of engines \
             {blind_spots}"
        )
    })
}

/// The layout or mutant of this name that can be stressed.
pub(super) fn stressed(name: &str) -> Result<StressEntry, String> {
    let all = stress::all();
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

/// The scenario of exactly this name.
pub(super) fn scenario(name: &str) -> Result<ScenarioEntry, String> {
    catalog::scenarios().into_iter().find(|scenario| scenario.name == name).ok_or_else(|| unknown_scenario(name))
}

/// A scenario and its forms: `free_on_another_thread` names every `free_on_another_thread/...`.
#[derive(Clone, Debug)]
pub(crate) struct Forms(pub(crate) Vec<ScenarioEntry>);

/// The scenario of this name and its forms.
pub(crate) fn forms(name: &str) -> Result<Forms, String> {
    let is_form = |scenario: &ScenarioEntry| {
        scenario.name.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let forms: Vec<_> = catalog::scenarios().into_iter().filter(is_form).collect();
    if forms.is_empty() { Err(unknown_scenario(name)) } else { Ok(Forms(forms)) }
}

fn unknown_scenario(name: &str) -> String {
    let known: Vec<_> = catalog::scenarios().iter().map(|scenario| scenario.name).collect();
    format!("there is no scenario `{name}`; the scenarios are {}", known.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form_names(name: &str) -> Vec<&'static str> {
        forms(name).unwrap().0.iter().map(|scenario| scenario.name).collect()
    }

    #[test]
    fn a_scenario_names_its_forms_and_a_form_itself() {
        assert_eq!(
            form_names("snapshot_while_recording"),
            ["snapshot_while_recording", "snapshot_while_recording/handoff"]
        );
        assert_eq!(form_names("snapshot_while_recording/handoff"), ["snapshot_while_recording/handoff"]);
        assert!(form_names("free_on_another_thread").len() > 1);
        assert!(forms("snapshot_while").is_err());
        assert!(forms("").is_err());
        assert!(scenario("free_on_another_thread").is_err());
    }

    #[test]
    fn an_unknown_name_is_told_which_exist() {
        let layout = layout("slot").unwrap_err();
        assert!(layout.contains("`slot`") && layout.contains("slots") && layout.contains("mutant:naive_fold"));
        let scenario = scenario("race").unwrap_err();
        assert!(scenario.contains("`race`") && scenario.contains("claim_race"));
    }
}
