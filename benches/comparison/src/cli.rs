//! The command line.

use std::fs::File;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Parser, ValueEnum};

use crate::group::{Group, settings};
use crate::measurement::measure;
use crate::report::{Report, chart, table};

/// Times the layouts beside each other, beside other crates' counters and beside a plain increment.
///
/// Each run whose total can be read is verified to the event. Modes are measured in turn, in blocks that are turned
/// around from round to round, and every ratio is shown with its interval and with the ratio of the mode to itself. Close
/// other programs first.
#[derive(Debug, Parser)]
#[command(name = "countersign bench", bin_name = "countersign bench", version, after_help = EXIT_CODES)]
struct Arguments {
    /// How often everything is measured, in about 25 seconds each; six at least for an interval
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    rounds: u32,
    /// About how many milliseconds a run takes; ten times that for the example
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    milliseconds: u64,
    /// Only this group; repeatable [default: all]
    #[arg(long = "group", value_name = "NAME", value_enum)]
    groups: Vec<Group>,
    /// How to write the report
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Draw the ratios into this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Format {
    /// For people
    #[default]
    Table,
    /// For programs: every run, the comparisons and the goals
    Json,
}

const EXIT_CODES: &str = "\
Exit code:
  0  everything was measured, and every total that can be seen was exact, whatever the times
  1  a total was wrong, whatever else happened
  2  the command line is wrong, or the output cannot be written
  101  `countersign bench` could not build what it runs, or that panicked";

/// Runs the command line and returns its exit code.
pub(crate) fn main() -> ExitCode {
    run(&Arguments::parse()).unwrap_or_else(|error| {
        eprintln!("error: {error}");
        ExitCode::from(2)
    })
}

fn run(arguments: &Arguments) -> io::Result<ExitCode> {
    // Opened first: nobody wants to hear at the end that there is no such folder. What is there is kept until then.
    let svg = arguments.svg.as_ref().map(|path| {
        let unwritable = |error| io::Error::other(format!("`{}` cannot be written: {error}", path.display()));
        let file = File::options().write(true).create(true).truncate(false).open(path).map_err(unwritable)?;
        Ok::<_, io::Error>((file, unwritable))
    });
    let svg = svg.transpose()?;

    let groups = if arguments.groups.is_empty() { Group::value_variants() } else { &arguments.groups };
    let rows = measure(&settings(groups), arguments.rounds as usize, Duration::from_millis(arguments.milliseconds));
    let report = Report::new(arguments.rounds as usize, rows);

    let printed = print(&match arguments.format {
        Format::Table => table(&report),
        Format::Json => serde_json::to_string_pretty(&report)? + "\n",
    });
    for row in report.inexact() {
        eprintln!(
            "error: {} {} {} with {} workers, round {}: {} operations, but {} were counted",
            row.group,
            row.sizes,
            row.mode,
            row.workers,
            row.round,
            row.operations,
            row.verified_events.unwrap_or(0)
        );
    }
    let drawn = svg.map_or(Ok(()), |(file, unwritable)| {
        let drawing = chart(&report.comparisons).map_err(|error| io::Error::other(format!("no chart: {error}")))?;
        replace(file, &drawing).map_err(unwritable)
    });
    match printed.and(drawn) {
        // A wrong total is the exit code whatever else happens.
        Err(error) if report.inexact().next().is_some() => eprintln!("error: {error}"),
        written => written?,
    }
    Ok(if report.inexact().next().is_some() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Writes the text in place of what the file held.
fn replace(mut file: File, text: &str) -> io::Result<()> {
    // A pipe or a terminal has no length.
    if file.metadata()?.is_file() {
        file.set_len(0)?;
    }
    file.write_all(text.as_bytes())
}

/// Writes to standard output. That whoever reads it went away is no error.
fn print(text: &str) -> io::Result<()> {
    match io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result.map_err(|error| io::Error::other(format!("the output cannot be written: {error}"))),
    }
}
