//! `countersign audit`: what each engine shows of programs whose answers are known, each engine in a process of its own.

use std::io;
use std::process::{Command, ExitCode};
use std::thread;

use countersign_models::engine::EngineName;
use countersign_models::report::engines::audit::render;
use countersign_models::study::audit::{entries_of, rows_of_child};
use countersign_models::study::check::{children, executable};

use crate::cli::output::{conclude, end_with_parent, print};
use crate::cli::selection::Format;

#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Only this engine; repeatable
    #[arg(long = "engine", value_name = "NAME")]
    engines: Vec<EngineName>,
    /// How to write what was found
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Only run the programs, and print a line of JSON for each: the child process of `audit`
    #[arg(long, hide = true)]
    child: bool,
}

pub(crate) const EXIT_CODES: &str = "\
Exit code:
  0  every engine shows what it is known to show
  1  one shows something else: perhaps it was upgraded, and what is pinned for it must be reviewed
  2  the command line is wrong, or the report cannot be written";

pub(crate) fn run(arguments: &Arguments) -> io::Result<ExitCode> {
    let asked = |engine: &EngineName| arguments.engines.is_empty() || arguments.engines.contains(engine);
    let engines: Vec<_> = EngineName::ALL.into_iter().filter(asked).collect();
    if arguments.child {
        return explore(&engines);
    }
    let executable = executable()?;
    let rows = children::on_each_engine(&engines, |engine| {
        let mut command = Command::new(&executable);
        rows_of_child(command.args(["audit", "--child", "--engine", engine.as_str()]), engine)
    });
    let text = match arguments.format {
        Format::Table => render(&rows, &engines),
        Format::Json => format!("{}\n", serde_json::to_string(&rows)?),
    };
    conclude(&text, if rows.iter().all(|row| row.expected) { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The child: runs every program on its one engine.
fn explore(engines: &[EngineName]) -> io::Result<ExitCode> {
    thread::spawn(end_with_parent);
    for engine in engines {
        for entry in entries_of(*engine) {
            print(&format!("{}\n", serde_json::to_string(&entry.run(*engine))?))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
