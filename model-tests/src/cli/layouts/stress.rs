//! `countersign stress`: a row for each layout, and what was seen first of each fault.

use std::io;
use std::process::ExitCode;
use std::time::Duration;

use countersign_models::report::layouts::stress::render;
use countersign_models::study::stress::{self, Ended, Plan, Report, StressEntry, Until};

use crate::cli::output::conclude;
use crate::cli::selection::Format;

#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// How long, the layouts together; each has at least two generations of threads
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    seconds: u64,
    /// Until 100,000 threads have lived and 1,000,000,000 events were recorded, for each layout, however long that takes
    /// (measured: 2 minutes for all layouts, on two cores shared with other work)
    #[arg(long, conflicts_with = "seconds")]
    deep: bool,
    /// Only this layout, or this mutant (mutant:NAME; left out unless named, and only those that real threads are sure to
    /// show: an unknown name lists them); repeatable. `slots-4` is `slots` with so few slots that most threads find none
    /// free
    #[arg(long = "layout", value_name = "NAME", value_parser = stress::find)]
    layouts: Vec<StressEntry>,
    /// Take a layout to hang after so many seconds without progress
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=3_600))]
    stall: u64,
    /// How to write the table
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(crate) const HELP: &str = "\
Columns:
  threads        that recorded, all together; more than there are cores at any time
  events         that these recorded
  snapshots      that were taken and judged
  lost           events recorded and not counted, with all threads joined
  doubled        events counted and not recorded, with all threads joined
  backwards      snapshots that were somewhere smaller than one that happened before
  short          snapshots of recording threads that counted less than had happened before
  negative       snapshots with more frees than allocs in a class
  memory growth  of the heap in use, in bytes, from the first generation of threads to the last; more than 4 KiB and
                 4 bytes for each thread in between is a failure

Exit code:
  0  every count that should be zero is, and no memory grew
  1  one is not, or a layout hung or panicked; the layouts after that one are not stressed
  2  the command line is wrong, or the report cannot be written";

/// What `--deep` asks for.
const DEEP: Until = Until::Reached { threads: 100_000, events: 1_000_000_000 };

pub(crate) fn run(arguments: &Arguments) -> io::Result<ExitCode> {
    let layouts = if arguments.layouts.is_empty() { stress::layouts() } else { arguments.layouts.clone() };
    let share = Duration::from_secs(arguments.seconds) / layouts.len() as u32;
    let stall = Duration::from_secs(arguments.stall);
    let plan = Plan { until: if arguments.deep { DEEP } else { Until::Elapsed(share) }, stall };
    let mut report = Report::default();
    for (index, layout) in layouts.iter().enumerate() {
        match layout.run(plan) {
            Ok(row) => report.rows.push(row),
            Err(ending) => {
                report.ended = Some(Ended { layout: layout.name, ending });
                report.skipped = layouts[index + 1..].iter().map(|layout| layout.name).collect();
                break;
            }
        }
    }
    let text = match arguments.format {
        Format::Table => render(&report, arguments.stall),
        Format::Json => format!("{}\n", serde_json::to_string(&report)?),
    };
    conclude(&text, if report.is_clean() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
