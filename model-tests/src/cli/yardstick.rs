//! `countersign yardstick`: how many executions, and how long, each engine needs for programs whose number of executions
//! is known.
//!
//! Programs run one after the other in this process, so that nothing of ours disturbs the time.

use std::io;
use std::process::ExitCode;
use std::time::Duration;

use comfy_table::{Cell, CellAlignment};
use indicatif::{HumanCount, ProgressBar};
use serde::Serialize;

use super::print;
use super::selection::Format;
use super::table::{table, text};
use crate::engine::{self, Budget, EngineName};
use crate::verdict::Verdict;
use crate::yardstick::Yardstick;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Only this engine; repeatable [default: graph, loom and shuttle-dfs]
    #[arg(long = "engine", value_name = "NAME", value_parser = enumerating)]
    engines: Vec<EngineName>,
    /// Only this program, say `ainc(7)`; repeatable
    #[arg(long = "program", value_name = "NAME")]
    programs: Vec<Yardstick>,
    /// Seconds for each program on each engine
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    seconds: u64,
    /// How to write the measures
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// One program on one engine.
#[derive(Debug, Serialize)]
struct Row {
    program: String,
    engine: &'static str,
    executions: u64,
    blocked: u64,
    outcomes: u64,
    millis: u64,
    /// Whether the engine did not finish: it was out of time, or refused the program.
    capped: bool,
}

pub(super) fn run(arguments: &Arguments) -> io::Result<ExitCode> {
    let Arguments { programs, engines, .. } = arguments;
    let programs = if programs.is_empty() { Yardstick::ALL.as_slice() } else { programs };
    let engines = if engines.is_empty() { ENUMERATING.as_slice() } else { engines };
    let budget = Budget { executions: u64::MAX, samples: 0, time: Duration::from_secs(arguments.seconds) };

    let progress = ProgressBar::new((programs.len() * engines.len()) as u64);
    let mut rows = Vec::new();
    for program in programs {
        for engine in engines {
            progress.set_message(format!("{program} on {engine}"));
            rows.push(measure(*program, *engine, &budget));
            progress.inc(1);
        }
    }
    progress.finish_and_clear();

    match arguments.format {
        Format::Table => print(&render(&rows, programs))?,
        Format::Json => print(&format!("{}\n", serde_json::to_string(&rows)?))?,
    }
    // An engine that visits another number of executions than there are execution graphs is either incomplete or
    // redundant. Only the graph engine claims to be neither.
    let differs = |row: &&Row| {
        let graphs = programs.iter().find(|program| program.to_string() == row.program).and_then(|p| p.graphs());
        row.engine == EngineName::Graph.as_str() && !row.capped && graphs.is_some_and(|graphs| graphs != row.executions)
    };
    let wrong = rows.iter().filter(differs).count();
    Ok(if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The engines that come to an end by themselves.
const ENUMERATING: [EngineName; 3] = [EngineName::Graph, EngineName::Loom, EngineName::ShuttleDfs];

fn enumerating(name: &str) -> Result<EngineName, String> {
    ENUMERATING.into_iter().find(|engine| engine.as_str() == name).ok_or_else(|| {
        let known = ENUMERATING.map(EngineName::as_str).join(", ");
        format!("`{name}` is no engine that enumerates executions; those are {known}")
    })
}

fn measure(program: Yardstick, engine: EngineName, budget: &Budget) -> Row {
    let exploration = engine::explore(engine, program.on(engine), budget);
    Row {
        program: program.to_string(),
        engine: engine.as_str(),
        executions: exploration.executions,
        blocked: exploration.blocked,
        outcomes: exploration.outcomes.len() as u64,
        millis: exploration.elapsed.as_millis() as u64,
        capped: exploration.verdict != Verdict::Exhaustive,
    }
}

fn render(rows: &[Row], programs: &[Yardstick]) -> String {
    let right = |content: String| Cell::new(content).set_alignment(CellAlignment::Right);
    let mut table = table();
    let header = ["program", "graphs", "engine", "executions", "blocked", "outcomes", "seconds", "per second"];
    table.set_header(header);
    for program in programs {
        let name = program.to_string();
        let graphs = program.graphs().map_or_else(|| "-".to_owned(), |graphs| HumanCount(graphs).to_string());
        for row in rows.iter().filter(|row| row.program == name) {
            let at_least = if row.capped { "> " } else { "" };
            let rate = (row.executions + row.blocked) as f64 / (row.millis.max(1) as f64 / 1000.0);
            let numbers = if row.capped && row.executions == 0 {
                ["refused".to_owned()].to_vec()
            } else {
                vec![
                    format!("{at_least}{}", HumanCount(row.executions)),
                    HumanCount(row.blocked).to_string(),
                    HumanCount(row.outcomes).to_string(),
                    format!("{:.2}", row.millis as f64 / 1000.0),
                    if row.millis < 10 { "-".to_owned() } else { HumanCount(rate as u64).to_string() },
                ]
            };
            let title = [Cell::new(&name), right(graphs.clone()), Cell::new(row.engine)];
            table.add_row(title.into_iter().chain(numbers.into_iter().map(right)));
        }
    }
    format!(
        "{}\nGraphs: the number of consistent execution graphs, where it is known. > : not finished in its time. Refused: \
         loom runs 5 threads at most.\n",
        text(&table)
    )
}
