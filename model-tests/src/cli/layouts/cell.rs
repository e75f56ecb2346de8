//! `countersign cell`: the child process of `check` and `mutants`. It explores cells of one layout, scenario and engine, so that
//! each engine has a process to itself, and prints the report of each cell as soon as it has it.

use std::io;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::thread;

use countersign_models::study::check::{Job, explore_in_turn};

use crate::cli::output::{end_with_parent, print};

#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The job, as JSON
    #[arg(value_name = "JOB", value_parser = job)]
    job: Job,
}

/// The command that explores a job in a child process. It ends as soon as its standard input is closed, because the parent is
/// then gone.
pub(crate) fn command(executable: &Path, job: &Job) -> Command {
    let mut command = Command::new(executable);
    let job = serde_json::to_string(job).expect("a job is plain data");
    command.args(["cell", &job]);
    command
}

pub(crate) fn run(arguments: &Arguments) -> io::Result<ExitCode> {
    thread::spawn(end_with_parent);
    let cells = arguments.job.cells().map_err(io::Error::other)?;
    for report in explore_in_turn(cells, arguments.job.budget(), arguments.job.detail) {
        print(&format!("{}\n", serde_json::to_string(&report)?))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn job(text: &str) -> Result<Job, String> {
    serde_json::from_str(text).map_err(|error| format!("it is no job as `check` hands it to its children: {error}"))
}
