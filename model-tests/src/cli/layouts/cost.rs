//! `countersign cost`: the operations of each step, as a table.

use std::io;
use std::process::ExitCode;

use clap::ValueEnum;
use countersign_models::report::layouts::cost::{markdown, render};
use countersign_models::study::cost::{LayoutCost, cost};
use countersign_models::subject::{LayoutEntry, layouts};

use crate::cli::output::print;

#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Only this layout, or this mutant (mutant:NAME); repeatable [default: the layouts of the core]
    #[arg(long = "layout", value_name = "NAME", value_parser = layouts::find)]
    layouts: Vec<LayoutEntry>,
    /// How to write the table
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// How the table is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    #[default]
    Table,
    /// For a README
    Markdown,
    /// For programs
    Json,
}

pub(crate) const EXIT_CODES: &str = "\
Exit code:
  0  every layout was counted
  1  a layout cannot be counted: a thread alone fails in it, or does not always do the same
  2  the command line is wrong, or the report cannot be written";

pub(crate) fn run(arguments: &Arguments) -> io::Result<ExitCode> {
    let layouts = if arguments.layouts.is_empty() { layouts::layouts() } else { arguments.layouts.clone() };
    let mut costs: Vec<LayoutCost> = Vec::new();
    for layout in &layouts {
        match cost(layout) {
            Ok(cost) => costs.push(cost),
            Err(why) => {
                eprintln!("error: `{}` cannot be counted: {why}", layout.name);
                return Ok(ExitCode::FAILURE);
            }
        }
    }
    match arguments.format {
        Format::Table => print(&render(&costs))?,
        Format::Markdown => print(&markdown(&costs))?,
        Format::Json => print(&format!("{}\n", serde_json::to_string(&costs)?))?,
    }
    Ok(ExitCode::SUCCESS)
}
