//! `countersign yardstick`: how many executions, and how long, each engine needs for programs whose number of executions
//! is known.
//!
//! Programs run one after the other in this process, so that nothing of ours disturbs the time.

use std::io;
use std::process::ExitCode;
use std::time::Duration;

use countersign_models::engine::{Budget, EngineName};
use countersign_models::report::engines::yardstick::render;
use countersign_models::study::yardstick::{Yardstick, differs, measure};
use indicatif::ProgressBar;

use crate::cli::output::print;
use crate::cli::selection::Format;

#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
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

pub(crate) fn run(arguments: &Arguments) -> io::Result<ExitCode> {
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
    let wrong = rows.iter().any(|row| {
        let program = programs.iter().find(|program| program.to_string() == row.program);
        program.is_some_and(|program| differs(*program, row))
    });
    Ok(if wrong { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// The engines that come to an end by themselves.
const ENUMERATING: [EngineName; 3] = [EngineName::Graph, EngineName::Loom, EngineName::ShuttleDfs];

fn enumerating(name: &str) -> Result<EngineName, String> {
    ENUMERATING.into_iter().find(|engine| engine.as_str() == name).ok_or_else(|| {
        let known = ENUMERATING.map(EngineName::as_str).join(", ");
        format!("`{name}` is no engine that enumerates executions; those are {known}")
    })
}
