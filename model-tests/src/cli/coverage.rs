//! `countersign coverage`: compares what the engines reach with what the graph engine says there is to reach.
//!
//! Each engine explores in a process of its own, all cells one after the other; the reference is computed here.

use std::io;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::thread;

use comfy_table::{Attribute, Cell as TableCell, Color};
use serde::{Deserialize, Serialize};

use super::selection::{Format, Selection};
use super::table::{table, text};
use super::{end_with_parent, execution, jobs, print};
use crate::budget::BudgetName;
use crate::cell::Cell;
use crate::coverage::{self, Comparison};
use crate::engine::EngineName;
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
}

pub(super) fn run(arguments: &Arguments) -> io::Result<ExitCode> {
    if arguments.child {
        return explore(arguments);
    }
    let engines = arguments.selection.engines();
    let engines: Vec<_> = engines.into_iter().filter(|engine| *engine != EngineName::Graph).collect();
    let executable = jobs::executable()?;
    let all: Vec<Compared> = thread::scope(|scope| {
        let compared: Vec<_> =
            engines.iter().map(|engine| scope.spawn(|| compare(&executable, arguments, *engine))).collect();
        compared
            .into_iter()
            .flat_map(|compared| compared.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    });
    match arguments.format {
        Format::Table => print(&render(&all, &engines))?,
        Format::Json => {
            let rows: Vec<Row> = all.iter().map(Compared::row).collect();
            print(&format!("{}\n", serde_json::to_string(&rows)?))?;
        }
    }
    let unknown = all.is_empty() || all.iter().any(|compared| compared.result.is_err());
    Ok(ExitCode::from(if all.iter().any(Compared::differs) { 1 } else { 3 * u8::from(unknown) }))
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
        let exploration = cell.explore(&arguments.budget.numbers());
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
    // The child ends when this end of its standard input is closed.
    let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let output = child.and_then(|mut child| {
        let stdin = child.stdin.take();
        let output = child.wait_with_output();
        drop(stdin);
        output
    });
    let (lines, last_words) = match &output {
        Ok(output) => (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr)),
        Err(error) => ("".into(), error.to_string().into()),
    };
    let mut reached = lines.lines().map(serde_json::from_str::<Reached>).map_while(Result::ok);
    let judge = |cell| match reached.next().filter(|reached| reached.report.is_of(&cell)) {
        Some(reached) => judge_cell(cell, reached),
        None => {
            let last = last_words.lines().last().unwrap_or("without a word");
            Compared { cell, verdict: "truncated".to_owned(), result: Err(format!("the process ended: {last}")) }
        }
    };
    cells.into_iter().map(judge).collect()
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
    fn differs(&self) -> bool {
        self.result.as_ref().is_ok_and(|found| !found.missing().is_empty() || !found.invented().is_empty())
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
        }
    }
}

/// A row for each layout and scenario, a column for each engine, and below them what differs.
fn render(all: &[Compared], engines: &[EngineName]) -> String {
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
    let differ = all.iter().filter(|compared| compared.differs()).count();
    let unknown = all.iter().filter(|compared| compared.result.is_err()).count();
    format!("{report}\n{} cells compared: {differ} differ, {unknown} could not be compared\n", all.len() - unknown)
}

const LEGEND: &str = "\
In each cell: outcomes reached / outcomes that the graph engine reaches, all sizes together. Engines that sample need not
reach all; shuttle is compared with the sequentially consistent outcomes.";

fn overview<'a>(sizes: impl Iterator<Item = &'a Compared>) -> TableCell {
    let (mut reached, mut reference, mut differs) = (0, 0, false);
    for compared in sizes {
        let Ok(found) = &compared.result else {
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
    let found = match &compared.result {
        Ok(found) => found,
        Err(why) => return format!("\n{name}: not compared: {}: {why}\n", compared.verdict),
    };
    let mut text = String::new();
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
    text
}
