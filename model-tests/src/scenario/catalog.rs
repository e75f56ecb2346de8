//! The scenarios, by name.

use std::sync::Arc;

use super::exiting::double_exit::DoubleExit;
use super::exiting::exit_while_exit::ExitWhileExit;
use super::exiting::exit_while_snapshot::ExitWhileSnapshot;
use super::exiting::late_record::LateRecord;
use super::exiting::scope_exit::ScopeExit;
use super::exiting::threads_come_and_go::ThreadsComeAndGo;
use super::free_on_another_thread::{
    AllocInFreshSlot, AllocInOverflow, FreeFromAdoptedSlot, FreeInOverflow, FreeThroughSlots, FreeWithoutRecorder,
};
use super::interface::{Required, Scenario, Size};
use super::recording::drain_by_difference::DrainByDifference;
use super::recording::monotonic_across_threads::MonotonicAcrossThreads;
use super::recording::read_your_own_records::ReadYourOwnRecords;
use super::recording::record_then_join::RecordThenJoin;
use super::recording::records_of_one_snapshot_add_up::RecordsOfOneSnapshotAddUp;
use super::recording::snapshot_while_recording::{SnapshotAfterHandoff, SnapshotWhileRecording};
use super::registering::adopt_after_exit::AdoptAfterExit;
use super::registering::claim_race::ClaimRace;
use super::registering::reentrant_register::ReentrantRegister;
use super::registering::register_while_snapshot::RegisterWhileSnapshot;
use super::registering::slots_exhausted::SlotsExhausted;
use super::registering::snapshot_while_adopting::SnapshotWhileAdopting;
use crate::engine::{Dfs, EngineName, Graph, Loom, PerEngine, RealThreads, Shuttle};
use crate::subject::Subject;
use crate::verdict::{Outcome, Violation};

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
                // The strategies of shuttle choose schedules; the threads of a program are the same under each.
                shuttle_random: S::run::<Shuttle<Dfs>>,
                shuttle_pct: S::run::<Shuttle<Dfs>>,
                shuttle_dfs: S::run::<Shuttle<Dfs>>,
                graph: S::run::<Graph>,
            },
        }
    }
}

/// The scenario of exactly this name.
///
/// # Errors
///
/// If there is none, with the names that there are.
pub fn find(name: &str) -> Result<ScenarioEntry, String> {
    scenarios().into_iter().find(|scenario| scenario.name == name).ok_or_else(|| unknown_scenario(name))
}

/// A scenario and its forms: `free_on_another_thread` names every `free_on_another_thread/...`.
#[derive(Clone, Debug)]
pub struct Forms(pub Vec<ScenarioEntry>);

/// The scenario of this name and its forms.
///
/// # Errors
///
/// If there is none, with the names that there are.
pub fn forms(name: &str) -> Result<Forms, String> {
    let is_form = |scenario: &ScenarioEntry| {
        scenario.name.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let forms: Vec<_> = scenarios().into_iter().filter(is_form).collect();
    if forms.is_empty() { Err(unknown_scenario(name)) } else { Ok(Forms(forms)) }
}

fn unknown_scenario(name: &str) -> String {
    let known: Vec<_> = scenarios().iter().map(|scenario| scenario.name).collect();
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
        assert!(find("free_on_another_thread").is_err());
    }

    #[test]
    fn an_unknown_name_is_told_which_exist() {
        let error = find("race").unwrap_err();
        assert!(error.contains("`race`") && error.contains("claim_race"));
    }
}
