//! `countersign orderings`: whether each ordering of a layout is needed.

use std::io;
use std::num::NonZero;
use std::process::ExitCode;

use countersign_models::report::layouts::orderings::{LayoutReport, render};
use countersign_models::study::check::pool;
use countersign_models::study::orderings::OrderingAudit;
use countersign_models::subject::{LayoutEntry, layouts};

use crate::cli::output::{print, settle};
use crate::cli::selection::Format;

#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Only this layout, or this mutant (mutant:NAME); repeatable [default: the layouts of the core]
    #[arg(long = "layout", value_name = "NAME", value_parser = layouts::find)]
    layouts: Vec<LayoutEntry>,
    /// How many explorations to run at once [default: one for each core]
    #[arg(long, value_name = "N")]
    jobs: Option<NonZero<usize>>,
    /// How to write what was found
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Show the execution in which each claim fails, too (in the table)
    #[arg(long)]
    full: bool,
}

pub(crate) const EXIT_CODES: &str = "\
Exit code:
  0  with anything weaker some claim fails, but for what no claim is about; and every operation has a comment
  1  something can be weakened without a failure, or an operation has no comment, or a claim fails as it is written
  2  the command line is wrong, or the report cannot be written
  3  none of that, but not everything could be explored, or no operation was met, or its source cannot be read here";

pub(crate) fn run(arguments: &Arguments) -> io::Result<ExitCode> {
    let layouts = if arguments.layouts.is_empty() { layouts::layouts() } else { arguments.layouts.clone() };
    let at_once = arguments.jobs.map_or_else(pool::cores, NonZero::get);
    let mut audits = Vec::new();
    let mut printed = Ok(());
    for layout in &layouts {
        let audit = OrderingAudit::of(layout, at_once);
        if arguments.format == Format::Table {
            printed = printed.and_then(|()| print(&render(&audit, arguments.full)));
        }
        audits.push(audit);
    }
    if arguments.format == Format::Json {
        let reports: Vec<_> = audits.iter().map(LayoutReport::new).collect();
        printed = print(&format!("{}\n", serde_json::to_string(&reports)?));
    }
    let codes = || audits.iter().map(OrderingAudit::exit_code);
    let code = if codes().any(|code| code == 1) { 1 } else { codes().max().unwrap_or(0) };
    settle(printed, ExitCode::from(code))
}
