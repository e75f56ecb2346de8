//! `countersign vectors`: golden values of a size class table.

use std::io;
use std::process::ExitCode;

use clap::ValueEnum;
use countersign::NamedTable;
use countersign_models::report::vectors;

use crate::cli::output::print;

#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The table
    #[arg(long, value_name = "NAME", value_parser = table)]
    table: NamedTable,
    /// How to write the values
    #[arg(long, value_enum, default_value_t)]
    format: VectorFormat,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum VectorFormat {
    /// An object with the upper bounds and a list of sizes and classes, sizes as strings
    #[default]
    Json,
    /// A line `size,class`, and one for each size
    Csv,
}

pub(crate) const HELP: &str = "\
The sizes are all from 0 to 131,072, and beyond them every power of two and every upper bound with both its neighbours, up
to 2^64 - 1. In JSON, sizes and bounds are strings, since a JSON number loses digits beyond 2^53 in many readers.

Exit code:
  0  the values are written
  2  the command line is wrong, or the values cannot be written";

pub(crate) fn run(arguments: &Arguments) -> io::Result<ExitCode> {
    let text = match arguments.format {
        VectorFormat::Json => vectors::json(&arguments.table),
        VectorFormat::Csv => vectors::csv(&arguments.table),
    };
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn table(name: &str) -> Result<NamedTable, String> {
    NamedTable::ALL.into_iter().find(|table| table.name == name).ok_or_else(|| {
        let known = NamedTable::ALL.map(|table| table.name).join(", ");
        format!("there is no table `{name}`; the tables are {known}")
    })
}
