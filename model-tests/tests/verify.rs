//! `verify`: all engines in the process of the caller, checked against the engines in processes of their own.

#![allow(missing_docs, reason = "a test")]

use std::process::Command;
use std::thread;
use std::time::Duration;

use countersign::{Event, Layout, Locks, Primitives, Recorder, Shared, Snapshot, Std};
use countersign_models::Verify;
use countersign_models::engine::{Budget, EngineName};
use countersign_models::study::check::BudgetName;
use countersign_models::study::check::{CellReport, Report};
use countersign_models::subject::mutant::catalog::mutants;
use countersign_models::subject::{LayoutEntry, layouts};

/// A layout or mutant of the catalog.
fn entry(name: &str) -> LayoutEntry {
    layouts::layouts().into_iter().chain(mutants()).find(|entry| entry.name == name).unwrap()
}

/// What is the same in every run: nothing of real threads, and no time.
fn repeatable(report: &Report) -> Vec<CellReport> {
    let mut cells: Vec<_> = report.cells.iter().filter(|cell| cell.engine != "std").cloned().collect();
    cells.iter_mut().for_each(|cell| cell.millis = 0);
    cells
}

/// A layout that fails on all engines, one that fails on weak memory alone, and one that does not, each in a scenario that
/// tells.
const CASES: [(&str, &str); 3] = [
    ("mutant:unlink_before_fold", "exit_while_snapshot"),
    ("mutant:claim_relaxed", "adopt_after_exit"),
    ("sharded", "slots_exhausted"),
];

mod together {
    use super::*;

    #[test]
    fn the_engines_do_not_disturb_each_other() {
        let verify = |layout, scenario| Verify::entry(entry(layout)).scenario(scenario).run();
        let verifications = CASES.map(|(layout, scenario)| thread::spawn(move || verify(layout, scenario)));
        for ((layout, scenario), verification) in CASES.into_iter().zip(verifications) {
            let verification = verification.join().unwrap();
            let check = ["check", "--format", "json", "--layout", layout, "--scenario", scenario];
            let alone = Command::new(env!("CARGO_BIN_EXE_countersign")).args(check).output().unwrap();
            let alone: Report = serde_json::from_slice(&alone.stdout).unwrap();
            assert_eq!(repeatable(&verification.report), repeatable(&alone), "{layout}");
            assert_eq!(verification.holds(), layout == "sharded");
        }
    }
}

#[test]
fn nothing_is_printed_but_what_is_returned() {
    let this = std::env::current_exe().unwrap();
    let child = Command::new(this).args(["together::", "--nocapture"]).output().unwrap();
    let stdout = String::from_utf8_lossy(&child.stdout);
    assert!(child.status.success() && stdout.contains("1 passed"), "{stdout}");
    assert_eq!(String::from_utf8_lossy(&child.stderr), "");
    assert!(!stdout.contains("panicked") && !stdout.contains("Task failed"), "{stdout}");
}

#[test]
#[should_panic(expected = "FAILED  mutant:unlink_before_fold, exit_while_snapshot, on loom\n")]
fn a_broken_layout_is_shown_in_the_panic() {
    Verify::entry(entry("mutant:unlink_before_fold"))
        .scenario("exit_while_snapshot")
        .engine(EngineName::Loom)
        .run()
        .assert_holds();
}

#[test]
fn the_report_says_how_to_call_again() {
    let verification = Verify::entry(entry("mutant:unlink_before_fold"))
        .scenario("exit_while_snapshot")
        .engine(EngineName::ShuttleDfs)
        .run();
    let again = "Verify::new::<..>().scenario(\"exit_while_snapshot\").engine(EngineName::ShuttleDfs).run()\n";
    assert!(verification.to_string().contains(again), "{verification}");
}

#[test]
fn sizes_with_more_classes_than_the_layout_has_are_left_out_and_named() {
    let verify = || Verify::new::<Shared<1>>().scenario("claim_race").scenario("record_then_join");
    let verification = verify().run();
    assert!(verification.holds(), "{verification}");
    let left_out = "left out, for want of an instance with 2 classes: record_then_join on std, shuttle-random";
    assert!(verification.to_string().contains(left_out), "{verification}");
    assert!(verification.left_out.iter().all(|cell| cell.scenario.name == "record_then_join"));

    let with_more = verify().or::<Shared<2>>().run();
    assert!(with_more.left_out.is_empty());
    assert_eq!(with_more.report.cells.len(), verification.report.cells.len() + verification.left_out.len());

    let nothing = Verify::new::<Shared<1>>().scenario("record_then_join").engine(EngineName::Std).run();
    assert!(!nothing.holds() && nothing.report.cells.is_empty(), "{nothing}");
}

#[test]
fn a_scenario_that_there_is_not_is_an_error() {
    let verification = Verify::new::<Shared<1>>().scenario("claim").scenario("claim_race").run();
    assert!(!verification.holds() && !verification.report.cells.is_empty());
    assert!(verification.to_string().contains("error: there is no scenario `claim`; the scenarios are "));
}

/// Counts right, but one event too many, in a class that no scenario uses; or never comes to an end.
struct Wrong<const HANGS: bool, P: Primitives = Std> {
    layout: Shared<3, P>,
}

struct WrongRecorder<'a, const HANGS: bool, P: Primitives>(&'a Wrong<HANGS, P>);

impl<const HANGS: bool, P: Primitives> Layout for Wrong<HANGS, P> {
    const CLASSES: usize = 3;
    type On<Q: Locks> = Wrong<HANGS, Q>;
    type Snapshot = Snapshot<3>;
    type Recorder<'a> = WrongRecorder<'a, HANGS, P>;

    fn register(&self) -> Self::Recorder<'_> {
        WrongRecorder(self)
    }

    fn record(&self, event: Event, class: usize) {
        if HANGS {
            loop {
                thread::sleep(Duration::from_secs(1));
            }
        }
        self.layout.record(event, class);
        self.layout.record(Event::Alloc, 2);
    }

    fn snapshot(&self) -> Snapshot<3> {
        self.layout.snapshot()
    }
}

impl<const HANGS: bool, P: Primitives> Recorder for WrongRecorder<'_, HANGS, P> {
    fn record(&self, event: Event, class: usize) {
        self.0.record(event, class);
    }
}

impl<const HANGS: bool, P: Primitives> Default for Wrong<HANGS, P> {
    fn default() -> Self {
        Self { layout: Shared::default() }
    }
}

#[test]
fn an_event_in_a_class_that_nobody_recorded_in_is_seen() {
    let verification = Verify::new::<Wrong<false>>().scenario("claim_race").engine(EngineName::Graph).run();
    let why = verification.report.cells[0].why.as_deref().unwrap();
    assert!(why.ends_with("seen 1 allocs 0 frees | 0 allocs 0 frees | 1 allocs 0 frees"), "{why}");
}

#[test]
fn what_never_ends_on_real_threads_is_left_behind() {
    let budget = Budget { time: Duration::from_millis(100), ..BudgetName::Quick.numbers() };
    let verify = Verify::new::<Wrong<true>>().scenario("claim_race").engine(EngineName::Std);
    let verification = verify.budget(budget).run();
    assert!(!verification.holds());
    assert!(verification.report.cells.iter().all(|cell| cell.verdict == "truncated"));
    assert!(
        verification.to_string().contains("it was still running after 5.1 s and was left behind"),
        "{verification}"
    );
}

#[test]
fn a_layout_as_large_as_in_production_is_verified_by_what_it_uses() {
    let verification = Verify::new::<Shared<27>>().scenario("claim_race").scenario("record_then_join").run();
    assert!(verification.holds() && verification.left_out.is_empty(), "{verification}");
}
