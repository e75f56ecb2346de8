//! `countersign litmus`: runs litmus files and compares the answers with what is known.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use clap::{Args, ValueEnum};

use countersign_models::engine::{Budget, Dfs, Engine, Graph, Loom, Shuttle};
use countersign_models::study::litmus::{Litmus, Machine, Report, Row, explore, read};

/// Runs litmus programs and prints how many executions and outcomes each has.
///
/// On the graph engine the answers must be those that the files expect. loom and shuttle differ by design, so there a
/// difference is shown and is no failure; a check of the program's own that does not pass is one on every engine.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Exit status: 0 if all is as expected, 1 if not, 2 if a file is malformed or cannot be read.")]
pub(crate) struct LitmusArgs {
    /// The files; litmus/FORMAT.md describes the format
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// What runs the programs
    #[arg(long, value_enum, default_value_t = LitmusEngine::Graph)]
    pub(crate) engine: LitmusEngine,

    /// `text`: a line `name executions outcomes` for each program; `json`: the outcomes too
    #[arg(long, value_enum, default_value_t = LitmusFormat::Text)]
    pub(crate) format: LitmusFormat,

    /// The longest time for one program, in seconds; one that takes longer fails
    #[arg(long, value_name = "SECONDS", default_value_t = 600, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) time: u64,
}

/// The engines that run litmus programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LitmusEngine {
    /// Execution graphs: RC11, which has no load buffering, each execution once
    Graph,
    /// loom: the memory model, with holes and false alarms
    Loom,
    /// shuttle: every interleaving, sequentially consistent
    Shuttle,
}

/// The forms of the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LitmusFormat {
    /// Lines of words
    Text,
    /// A list of objects
    Json,
}

/// How the command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LitmusStatus {
    /// All is as expected, or nothing is expected.
    AsExpected,
    /// Something is not as expected.
    NotAsExpected,
    /// A file is malformed or cannot be read; no program was run.
    BadInput,
}

/// Runs the command.
pub(crate) fn run(args: &LitmusArgs) -> ExitCode {
    match run_to(args, &mut io::stdout().lock(), &mut io::stderr().lock()) {
        Ok(LitmusStatus::AsExpected) => ExitCode::SUCCESS,
        Ok(LitmusStatus::NotAsExpected) => ExitCode::from(1),
        Ok(LitmusStatus::BadInput) => ExitCode::from(2),
        // Whoever read the output wants no more of it, and knows.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::from(1),
        Err(error) => {
            eprintln!("error: the answers cannot be written: {error}");
            ExitCode::from(2)
        }
    }
}

/// Runs the command, with the answers to `out`, and what is to be said about them to `notes`.
pub(crate) fn run_to(args: &LitmusArgs, out: &mut dyn Write, notes: &mut dyn Write) -> io::Result<LitmusStatus> {
    let (programs, errors): (Vec<_>, Vec<_>) = args.files.iter().map(|path| read(path)).partition(Result::is_ok);
    if !errors.is_empty() {
        for error in errors.into_iter().filter_map(Result::err) {
            writeln!(notes, "error: {error}")?;
        }
        return Ok(LitmusStatus::BadInput);
    }
    let answer = match args.engine {
        LitmusEngine::Graph => answer::<Graph>,
        LitmusEngine::Loom => answer::<Loom>,
        LitmusEngine::Shuttle => answer::<Shuttle<Dfs>>,
    };
    let budget = Budget { executions: u64::MAX, samples: 0, time: Duration::from_secs(args.time) };
    let mut status = LitmusStatus::AsExpected;
    let mut rows = Vec::new();
    for litmus in programs.into_iter().flatten() {
        let report = answer(&Arc::new(litmus), &budget);
        let Row { name, executions, outcomes, .. } = &report.row;
        if args.format == LitmusFormat::Text {
            writeln!(out, "{name} {executions} {}", outcomes.len())?;
            out.flush()?;
        }
        for problem in &report.problems {
            status = LitmusStatus::NotAsExpected;
            writeln!(notes, "{name}: {problem}")?;
        }
        for difference in &report.differences {
            writeln!(notes, "{name}: differs from the memory model: {difference}")?;
        }
        rows.push(report.row);
    }
    if args.format == LitmusFormat::Json {
        serde_json::to_writer_pretty(&mut *out, &rows)?;
        writeln!(out)?;
    }
    Ok(status)
}

fn answer<M: Machine>(litmus: &Arc<Litmus>, budget: &Budget) -> Report {
    Report::new(litmus, explore::<M>(litmus, budget), <M as Engine>::NAME)
}
