//! `countersign coverage`: compares what the engines reach with what the graph engine says there is to reach.
//!
//! Each engine explores in a process of its own, all cells one after the other; the reference is computed here.

use std::io;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::thread;

use comfy_table::{Attribute, Cell as TableCell, Color};
use serde::{Deserialize, Serialize};

use super::selection::{Format, Selection};
use super::table::{table, text};
use super::{children, end_with_parent, execution, jobs, print};
use crate::budget::BudgetName;
use crate::cell::Cell;
use crate::coverage::{self, Comparison, Difference, KNOWN, Known};
use crate::engine::{self, EngineName, REFUSED};
use crate::report::{CellReport, SizeReport};
use crate::verdict::Outcome;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    selection: Selection,
    /// How much to explore; `list` shows the numbers
    #[arg(long, value_enum, default_value_t)]
    budget: BudgetName,
    /// How to write the comparison
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Only explore, and print what is reached: the child process of `coverage`
    #[arg(long, hide = true)]
    child: bool,
}

/// What a child says of a cell.
#[derive(Debug, Serialize, Deserialize)]
struct Reached {
    report: CellReport,
    outcomes: Vec<Vec<u64>>,
}

/// One cell, compared, or why it was not.
struct Compared {
    cell: Cell,
    verdict: String,
    result: Result<Comparison, String>,
}

/// [`Compared`], as it is reported.
#[derive(Debug, Serialize)]
struct Row {
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

pub(super) fn run(arguments: &Arguments) -> io::Result<ExitCode> {
    if arguments.child {
        return explore(arguments);
    }
    let engines = arguments.selection.engines();
    let engines: Vec<_> = engines.into_iter().filter(|engine| *engine != EngineName::Graph).collect();
    let executable = jobs::executable()?;
    let all = children::on_each_engine(&engines, |engine| compare(&executable, arguments, engine));
    let gone = gone(&all);
    match arguments.format {
        Format::Table => print(&render(&all, &engines, &gone))?,
        Format::Json => {
            let rows: Vec<Row> = all.iter().map(Compared::row).collect();
            print(&format!("{}\n", serde_json::to_string(&rows)?))?;
        }
    }
    let differs = !gone.is_empty() || all.iter().any(Compared::differs);
    let unknown = all.is_empty() || all.iter().any(Compared::is_unknown);
    Ok(ExitCode::from(if differs { 1 } else { 3 * u8::from(unknown) }))
}

impl Arguments {
    /// The cells in which an engine is compared.
    fn cells(&self, engine: EngineName) -> Vec<Cell> {
        let pairs = self.selection.pairs();
        let cells = pairs.iter().flat_map(|(layout, scenario)| {
            let cell = |size| Cell { layout: layout.clone(), scenario: *scenario, engine, size };
            coverage::cells(cell, scenario.sizes, engine)
        });
        cells.collect()
    }
}

/// The child: explores every cell of its one engine.
fn explore(arguments: &Arguments) -> io::Result<ExitCode> {
    thread::spawn(end_with_parent);
    for cell in arguments.selection.engines().into_iter().flat_map(|engine| arguments.cells(engine)) {
        // Not by way of the cell, which doubts an exhaustive verdict where an outcome lacks that every layout must reach:
        // here each outcome is asked for.
        let exploration = engine::explore(cell.engine, cell.program(), &arguments.budget.numbers());
        let report = CellReport::new(&cell, &exploration);
        let reached = Reached { report, outcomes: exploration.outcomes.into_keys().map(|outcome| outcome.0).collect() };
        print(&format!("{}\n", serde_json::to_string(&reached)?))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Compares one engine in all cells.
fn compare(executable: &Path, arguments: &Arguments, engine: EngineName) -> Vec<Compared> {
    let cells = arguments.cells(engine);
    let mut command = Command::new(executable);
    command.args(["coverage", "--child", "--engine", engine.as_str(), "--budget", arguments.budget.as_str()]);
    command.args(arguments.selection.command_line());
    let limit = arguments.budget.numbers().time * cells.len() as u32 + children::GRACE;
    let mut reached: Vec<Reached> = Vec::new();
    let end = children::run(&mut command, limit, |line| {
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
        Some(reached) => judge_cell(cell, reached),
        None => Compared { cell, verdict: "truncated".to_owned(), result: Err(why.clone()) },
    };
    cells.into_iter().map(judge).collect()
}

/// What is known to differ in some of these cells, and does so in none.
fn gone(all: &[Compared]) -> Vec<(&'static Known, &'static str)> {
    let expected = KNOWN.iter().flat_map(|known| known.scenarios.iter().map(move |scenario| (known, *scenario)));
    let is_gone = |(known, scenario): &(&Known, &str)| {
        let is_about = |found: &&Compared| known.is_about(&found.cell) && found.cell.scenario.name == *scenario;
        let mut cells = all.iter().filter(is_about).peekable();
        cells.peek().is_some() && !cells.any(|found| found.differences().contains(&known.difference))
    };
    expected.filter(is_gone).collect()
}

fn judge_cell(cell: Cell, reached: Reached) -> Compared {
    let Reached { report: CellReport { verdict, why, .. }, outcomes } = reached;
    let result = match verdict.as_str() {
        // What was reached before the exploration ended is not all there is.
        "failed" | "truncated" => Err(why.unwrap_or_default()),
        _ => coverage::reference(&cell).map(|reference| Comparison {
            cell: cell.clone(),
            reference,
            reached: outcomes.into_iter().map(Outcome).collect(),
            claims_all: verdict == "exhaustive",
        }),
    };
    Compared { cell, verdict, result }
}

impl Compared {
    /// How the engine differs.
    fn differences(&self) -> Vec<Difference> {
        match &self.result {
            Ok(found) => {
                let lacks = (!found.missing().is_empty()).then_some(Difference::Lacks);
                let invents = (!found.invented().is_empty()).then_some(Difference::Invents);
                lacks.into_iter().chain(invents).collect()
            }
            Err(why) if why.starts_with(REFUSED) => vec![Difference::Refuses],
            Err(_) => Vec::new(),
        }
    }

    /// Those whose cause is known.
    fn known(&self) -> Vec<&'static Known> {
        self.differences().into_iter().filter_map(|difference| Known::of(&self.cell, difference)).collect()
    }

    /// Whether it differs in a way that is not excused.
    fn differs(&self) -> bool {
        self.differences().into_iter().any(|difference| match difference {
            Difference::Lacks => true,
            Difference::Invents => Known::of(&self.cell, difference).is_none(),
            Difference::Refuses => false,
        })
    }

    /// Whether it could not be compared, for a reason that is not known.
    fn is_unknown(&self) -> bool {
        self.result.is_err() && self.known().is_empty()
    }

    fn row(&self) -> Row {
        let show = |outcomes: Vec<&Outcome>| outcomes.iter().map(ToString::to_string).collect();
        let found = self.result.as_ref().ok();
        Row {
            layout: self.cell.layout.name,
            scenario: self.cell.scenario.name,
            engine: self.cell.engine.as_str(),
            size: self.cell.size.into(),
            verdict: self.verdict.clone(),
            why: self.result.as_ref().err().cloned(),
            reference: found.map_or(0, |found| found.reference.len()),
            reached: found.map_or(0, |found| found.reached.len()),
            missing: found.map_or_else(Vec::new, |found| show(found.missing())),
            invented: found.map_or_else(Vec::new, |found| show(found.invented())),
            known: self.known().into_iter().map(cause).collect(),
        }
    }
}

/// A row for each layout and scenario, a column for each engine, and below them what differs.
fn render(all: &[Compared], engines: &[EngineName], gone: &[(&Known, &str)]) -> String {
    let mut table = table();
    table.set_header(["layout", "scenario"].into_iter().chain(engines.iter().map(|engine| engine.as_str())));
    let names = |compared: &Compared| (compared.cell.layout.name, compared.cell.scenario.name);
    let mut seen = Vec::new();
    for (layout, scenario) in all.iter().map(names) {
        if seen.contains(&(layout, scenario)) {
            continue;
        }
        seen.push((layout, scenario));
        let sizes = |engine: &EngineName| {
            let of_engine = all.iter().filter(|compared| compared.cell.engine == *engine);
            overview(of_engine.filter(|compared| names(compared) == (layout, scenario)))
        };
        let title = [TableCell::new(layout), TableCell::new(scenario)];
        table.add_row(title.into_iter().chain(engines.iter().map(sizes)));
    }
    let mut report = format!("{}\n{LEGEND}\n", text(&table));
    for compared in all {
        report += &in_full(compared);
    }
    for (known, scenario) in gone {
        let Known { layout, engine, .. } = known;
        report += &format!(
            "\n{layout}, {scenario}, on {engine}: what was known is no longer so, and its entry is to be reviewed: {}\n",
            cause(known)
        );
    }
    let count = |is: fn(&Compared) -> bool| all.iter().filter(|compared| is(compared)).count();
    let (differ, unknown) = (count(Compared::differs), count(|compared| compared.result.is_err()));
    let excused = count(|compared| !compared.differs() && !compared.known().is_empty());
    format!(
        "{report}\n{} cells compared: {differ} differ, {unknown} could not be compared; {excused} are known false alarms\n",
        all.len() - unknown
    )
}

const LEGEND: &str = "\
In each cell: outcomes reached / outcomes that the graph engine reaches, all sizes together. Engines that sample need not
reach all; shuttle is compared with the sequentially consistent outcomes.";

fn overview<'a>(sizes: impl Iterator<Item = &'a Compared>) -> TableCell {
    let (mut reached, mut reference, mut differs) = (0, 0, false);
    for compared in sizes {
        let Ok(found) = &compared.result else {
            if !compared.is_unknown() {
                return TableCell::new("known: refused");
            }
            return TableCell::new("NOT COMPARED").fg(Color::Yellow).add_attribute(Attribute::Bold);
        };
        reached += found.reached.len();
        reference += found.reference.len();
        differs |= compared.differs();
    }
    let numbers = format!("{reached}\u{a0}/\u{a0}{reference}");
    if differs {
        return TableCell::new(format!("DIFFERS {numbers}")).fg(Color::Red).add_attribute(Attribute::Bold);
    }
    TableCell::new(numbers)
}

/// What differs in a cell, and an execution for the first outcome that is missing.
fn in_full(compared: &Compared) -> String {
    let name = &compared.cell;
    let mut text = String::new();
    match &compared.result {
        Err(why) => text += &format!("\n{name}: not compared: {}: {why}\n", compared.verdict),
        Ok(found) => {
            for outcome in found.missing() {
                text += &format!("\n{name}: never reaches {outcome}\n");
            }
            if let Some((outcome, execution)) =
                found.missing().first().and_then(|outcome| Some((*outcome, coverage::execution(&found.cell, outcome)?)))
            {
                text += &format!("\n{}", execution::execution(&execution.trace, Ok(outcome)));
            }
            for outcome in found.invented() {
                text += &format!("\n{name}: reaches {outcome}, which the memory model does not allow\n");
            }
        }
    }
    for known in compared.known() {
        text += &format!("  the cause is known: {}\n", cause(known));
    }
    text
}

fn cause(known: &Known) -> String {
    format!("{} ({})", known.cause, known.source)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::cli::names;

    /// A cell of a layout on loom, in which these outcomes of 1 and 2 were reached, or which was not compared.
    fn compared(layout: &str, scenario: &str, reached: Result<&[u64], &str>) -> Compared {
        let (layout, scenario) = (names::layout(layout).unwrap(), names::scenario(scenario).unwrap());
        let cell = Cell::all(&layout, &scenario, EngineName::Loom).remove(0);
        let outcomes = |values: &[u64]| values.iter().map(|value| Outcome(vec![*value])).collect::<BTreeSet<_>>();
        let result = reached.map_err(str::to_owned).map(|reached| Comparison {
            cell: cell.clone(),
            reference: outcomes(&[1, 2]),
            reached: outcomes(reached),
            claims_all: true,
        });
        Compared { cell, verdict: String::new(), result }
    }

    #[test]
    fn a_lack_is_a_failure_whether_its_cause_is_known_or_not() {
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
        let text = render(&all, &[EngineName::Loom], &gone);
        assert!(text.contains("no longer so") && text.contains("tokio-rs/loom #166"), "{text}");
    }
}
