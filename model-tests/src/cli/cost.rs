//! `countersign cost`: the operations of each step, as a table.

use std::io;
use std::process::ExitCode;

use clap::ValueEnum;

use super::table::{table, text};
use super::{names, print};
use crate::catalog::{self, LayoutEntry};
use crate::cost::{LayoutCost, cost};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Only this layout, or this mutant (mutant:NAME); repeatable [default: the layouts of the core]
    #[arg(long = "layout", value_name = "NAME", value_parser = names::layout)]
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

pub(super) const EXIT_CODES: &str = "\
Exit code:
  0  every layout was counted
  1  a layout cannot be counted: a thread alone fails in it, or does not always do the same
  2  the command line is wrong, or the report cannot be written";

const HEADER: [&str; 7] = [
    "layout",
    "record",
    "record without a recorder",
    "register",
    "retire",
    "snapshot, 1 class, 1 thread",
    "and for each further thread",
];

pub(super) fn run(arguments: &Arguments) -> io::Result<ExitCode> {
    let layouts = if arguments.layouts.is_empty() { catalog::layouts() } else { arguments.layouts.clone() };
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
    let rows = costs.iter().map(row);
    match arguments.format {
        Format::Table => {
            let mut table = table();
            table.set_header(HEADER).add_rows(rows);
            print(&text(&table))?;
        }
        Format::Markdown => {
            let line = |cells: [String; 7]| format!("| {} |\n", cells.join(" | "));
            let rule = format!("|{}\n", "---|".repeat(HEADER.len()));
            let rows: String = rows.map(line).collect();
            print(&(line(HEADER.map(str::to_owned)) + &rule + &rows))?;
        }
        Format::Json => print(&format!("{}\n", serde_json::to_string(&costs)?))?,
    }
    Ok(ExitCode::SUCCESS)
}

fn row(cost: &LayoutCost) -> [String; 7] {
    let LayoutCost { layout, record, record_without, register, retire, snapshot, snapshot_per_thread } = cost;
    let steps = [record, record_without, register, retire, snapshot, snapshot_per_thread].map(ToString::to_string);
    let [record, record_without, register, retire, snapshot, per_thread] = steps;
    [layout.clone(), record, record_without, register, retire, snapshot, per_thread]
}
