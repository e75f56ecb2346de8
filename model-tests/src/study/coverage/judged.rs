//! One cell of one engine beside the graph engine, and what there is to say about it.

use std::process::Command;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::comparison::{Comparison, reference};
use super::known::{Difference, KNOWN, Known};
use crate::engine::REFUSED;
use crate::scenario::Cell;
use crate::study::check::{CellReport, SizeReport, children};
use crate::verdict::{Exploration, Outcome, Verdict};

/// What a child says of a cell.
#[derive(Debug, Serialize, Deserialize)]
pub struct Reached {
    /// The report.
    pub report: CellReport,
    /// The outcomes that were reached.
    pub outcomes: Vec<Vec<u64>>,
}

impl Reached {
    /// What an exploration of `cell` reached.
    pub fn new(cell: &Cell, exploration: Exploration) -> Self {
        let report = CellReport::new(cell, &exploration);
        Self { report, outcomes: exploration.outcomes.into_keys().map(|outcome| outcome.0).collect() }
    }
}

/// A cell, judged.
pub struct Judged {
    /// The cell.
    pub cell: Cell,
    /// The engine's verdict.
    verdict: String,
    /// What the graph engine says to it.
    pub judgement: Judgement,
}

/// What the graph engine says to an engine's verdict.
pub enum Judgement {
    /// The claims hold on both. These are the outcomes.
    Compared(Comparison),
    /// A claim fails on both, or only on the graph engine, where the other one does not claim to see it.
    Broken,
    /// A claim fails on the graph engine, and the other one says that it explored everything. This is the violation.
    Blind(String),
    /// A claim fails, and holds on the graph engine. This is the violation.
    Alarm(String),
    /// One of the two did not come to its end, for this reason.
    Unknown(String),
}

/// [`Judged`], as it is reported.
#[derive(Debug, Serialize)]
pub struct Row {
    layout: &'static str,
    scenario: &'static str,
    engine: &'static str,
    size: SizeReport,
    verdict: String,
    why: Option<String>,
    reference: usize,
    reached: usize,
    missing: Vec<String>,
    invented: Vec<String>,
    known: Vec<String>,
}

/// What is known to differ in some of these cells, and does so in none.
pub fn gone(all: &[Judged]) -> Vec<(&'static Known, &'static str)> {
    let expected = KNOWN.iter().flat_map(|known| known.scenarios.iter().map(move |scenario| (known, *scenario)));
    let is_gone = |(known, scenario): &(&Known, &str)| {
        let is_about = |found: &&Judged| known.is_about(&found.cell) && found.cell.scenario.name == *scenario;
        let mut cells = all.iter().filter(is_about).peekable();
        cells.peek().is_some() && !cells.any(|found| found.differences().contains(&known.difference))
    };
    expected.filter(is_gone).collect()
}

impl Judged {
    /// The cell, of which a child said this.
    pub fn new(cell: Cell, reached: Reached) -> Self {
        let Reached { report: CellReport { verdict, why, .. }, outcomes } = reached;
        let why = why.unwrap_or_default();
        // What was reached before the exploration ended is not all there is.
        if verdict == "truncated" {
            return Self::unknown(cell, why);
        }
        let judgement = match (verdict.as_str(), reference(&cell)) {
            ("failed", Ok(_)) => Judgement::Alarm(why),
            ("failed", Err(Verdict::Failed(_))) => Judgement::Broken,
            (_, Ok(reference)) => Judgement::Compared(Comparison {
                reference,
                reached: outcomes.into_iter().map(Outcome).collect(),
                claims_all: verdict == "exhaustive",
            }),
            ("exhaustive", Err(Verdict::Failed(violation))) if cell.engine.sees(violation.claim) => {
                Judgement::Blind(violation.to_string())
            }
            (_, Err(Verdict::Failed(_))) => Judgement::Broken,
            (_, Err(other)) => {
                Judgement::Unknown(format!("on graph: {}: {}", other.name(), other.why().unwrap_or_default()))
            }
        };
        Self { cell, verdict, judgement }
    }

    /// A cell of which nothing is known but why.
    pub fn unknown(cell: Cell, why: String) -> Self {
        Self { cell, verdict: "truncated".to_owned(), judgement: Judgement::Unknown(why) }
    }

    /// How the engine differs.
    fn differences(&self) -> Vec<Difference> {
        match &self.judgement {
            Judgement::Compared(found) => {
                let lacks = (!found.missing().is_empty()).then_some(Difference::Lacks);
                let invents = (!found.invented().is_empty()).then_some(Difference::Invents);
                lacks.into_iter().chain(invents).collect()
            }
            Judgement::Blind(_) => vec![Difference::Lacks],
            Judgement::Alarm(_) => vec![Difference::Invents],
            Judgement::Unknown(why) if why.starts_with(REFUSED) => vec![Difference::Refuses],
            Judgement::Broken | Judgement::Unknown(_) => Vec::new(),
        }
    }

    /// Those whose cause is known.
    pub fn known(&self) -> Vec<&'static Known> {
        self.differences().into_iter().filter_map(|difference| Known::of(&self.cell, difference)).collect()
    }

    /// Whether it differs in a way that is not excused.
    pub fn differs(&self) -> bool {
        self.differences().into_iter().any(|difference| match difference {
            Difference::Lacks | Difference::Invents => {
                !Known::of(&self.cell, difference).is_some_and(|known| known.is_excused(&self.cell))
            }
            Difference::Refuses => false,
        })
    }

    /// Whether it could not be compared, for a reason that is not known.
    pub fn is_unknown(&self) -> bool {
        matches!(self.judgement, Judgement::Unknown(_)) && self.known().is_empty()
    }

    /// As it is reported.
    pub fn row(&self) -> Row {
        let show = |outcomes: Vec<&Outcome>| outcomes.iter().map(ToString::to_string).collect();
        let (found, why) = match &self.judgement {
            Judgement::Compared(found) => (Some(found), None),
            Judgement::Broken => (None, None),
            Judgement::Blind(why) | Judgement::Alarm(why) | Judgement::Unknown(why) => (None, Some(why.clone())),
        };
        Row {
            layout: self.cell.layout.name,
            scenario: self.cell.scenario.name,
            engine: self.cell.engine.as_str(),
            size: self.cell.size.into(),
            verdict: self.verdict.clone(),
            why,
            reference: found.map_or(0, |found| found.reference.len()),
            reached: found.map_or(0, |found| found.reached.len()),
            missing: found.map_or_else(Vec::new, |found| show(found.missing())),
            invented: found.map_or_else(Vec::new, |found| show(found.invented())),
            known: self.known().into_iter().map(cause).collect(),
        }
    }
}

/// The cause of a difference, and where it is known from.
pub fn cause(known: &Known) -> String {
    format!("{} ({})", known.cause, known.source)
}

/// Judges all cells of one engine, by what the child process of this command says of them, a line of JSON for each. It may
/// take so long.
pub fn compare(command: &mut Command, cells: Vec<Cell>, limit: Duration) -> Vec<Judged> {
    let mut reached: Vec<Reached> = Vec::new();
    let end = children::run(command, limit + children::GRACE, |line| {
        let Some(line) = line else { return Ok(()) };
        match serde_json::from_str::<Reached>(line) {
            Ok(next) if cells.get(reached.len()).is_some_and(|cell| next.report.is_of(cell)) => reached.push(next),
            _ => return Err(format!("the child process wrote `{line}`, where what a cell reaches was expected")),
        }
        Ok(())
    });
    let why = end.err().unwrap_or_else(|| "the child process ended too early".to_owned());
    let mut reached = reached.into_iter();
    let judge = |cell| match reached.next() {
        Some(reached) => Judged::new(cell, reached),
        None => Judged::unknown(cell, why.clone()),
    };
    cells.into_iter().map(judge).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::engine::EngineName;
    use crate::scenario;
    use crate::subject::layouts;

    /// A cell of a layout on loom, in which these outcomes of 1 and 2 were reached, or which was not compared.
    fn compared(layout: &str, scenario: &str, reached: Result<&[u64], &str>) -> Judged {
        let (layout, scenario) = (layouts::find(layout).unwrap(), scenario::find(scenario).unwrap());
        let cell = Cell::all(&layout, &scenario, EngineName::Loom).remove(0);
        let outcomes = |values: &[u64]| values.iter().map(|value| Outcome(vec![*value])).collect::<BTreeSet<_>>();
        let judgement = match reached {
            Ok(reached) => Judgement::Compared(Comparison {
                reference: outcomes(&[1, 2]),
                reached: outcomes(reached),
                claims_all: true,
            }),
            Err(why) => Judgement::Unknown(why.to_owned()),
        };
        Judged { cell, verdict: String::new(), judgement }
    }

    #[test]
    fn a_lack_in_a_mutant_is_excused_only_where_it_is_known() {
        let known = compared("mutant:overflow_stored", "slots_exhausted", Ok(&[1]));
        assert!(!known.differs() && known.known().len() == 1);
        assert!(compared("mutant:overflow_stored", "late_record", Ok(&[1])).differs());
    }

    #[test]
    fn a_lack_in_a_correct_layout_is_a_failure_whether_its_cause_is_known_or_not() {
        let known = compared("mutant:plain_owner_load", "exit_while_snapshot", Ok(&[1]));
        assert!(known.differs() && !known.is_unknown() && known.known().len() == 1);
        let unknown = compared("slots", "exit_while_snapshot", Ok(&[1]));
        assert!(unknown.differs() && unknown.known().is_empty());
    }

    #[test]
    fn a_refusal_is_excused_only_where_it_is_known() {
        let reason = format!("{REFUSED}: whatever");
        let known = compared("mutant:claim_by_swap", "adopt_after_exit", Err(&reason));
        assert!(!known.differs() && !known.is_unknown() && known.known().len() == 1);
        for (layout, scenario, why) in [
            ("mutant:claim_by_swap", "claim_race", reason.as_str()),
            ("slots", "adopt_after_exit", &reason),
            ("mutant:claim_by_swap", "adopt_after_exit", "out of time"),
        ] {
            let found = compared(layout, scenario, Err(why));
            assert!(!found.differs() && found.is_unknown() && found.known().is_empty(), "{layout}, {scenario}, {why}");
        }
        assert!(compared("mutant:claim_by_swap", "adopt_after_exit", Ok(&[1, 2, 3])).differs());
    }

    #[test]
    fn what_is_known_must_be_there() {
        let (layout, scenario) = ("mutant:plain_owner_load", "exit_while_snapshot");
        let (lacks, agrees) = (|| compared(layout, scenario, Ok(&[1])), || compared(layout, scenario, Ok(&[1, 2])));
        assert!(gone(&[agrees(), lacks()]).is_empty());
        assert!(gone(&[compared(layout, "claim_race", Ok(&[1, 2]))]).is_empty());
        let all = [agrees()];
        let gone = gone(&all);
        assert_eq!(gone.iter().map(|(_, scenario)| *scenario).collect::<Vec<_>>(), [scenario]);
    }

    /// A cell of a layout, explored on an engine, and judged.
    fn judged(layout: &str, scenario: &str, engine: EngineName, verdict: &str) -> Judged {
        let (layout, scenario) = (layouts::find(layout).unwrap(), scenario::find(scenario).unwrap());
        let cell = Cell::all(&layout, &scenario, engine).remove(0);
        let report = CellReport { verdict: verdict.to_owned(), ..CellReport::truncated(&cell, String::new()) };
        Judged::new(cell, Reached { report, outcomes: Vec::new() })
    }

    #[test]
    fn both_must_say_the_same_of_a_broken_layout() {
        let broken = |engine, verdict| judged("mutant:claim_relaxed", "adopt_after_exit", engine, verdict);
        let both = broken(EngineName::Loom, "failed");
        assert!(matches!(both.judgement, Judgement::Broken) && !both.differs() && !both.is_unknown());
        let blind = broken(EngineName::Loom, "exhaustive");
        assert!(matches!(blind.judgement, Judgement::Blind(_)) && blind.differs());
        // A sample need not meet it.
        assert!(matches!(broken(EngineName::Std, "sampled").judgement, Judgement::Broken));
        // In sequential consistency nothing is wrong.
        let alarm = broken(EngineName::ShuttleDfs, "failed");
        assert!(matches!(alarm.judgement, Judgement::Alarm(_)) && alarm.differs());
    }
}
