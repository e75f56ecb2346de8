//! `countersign mutants`: the kill matrix.

use std::io;
use std::num::NonZero;
use std::process::ExitCode;

use countersign_models::engine::Budget;
use countersign_models::report::layouts::kill_matrix;
use countersign_models::study::check::{BudgetName, Detail, Order, executable, explore, pool};
use countersign_models::study::kill_matrix::{KillMatrix, cells_of_correct_layouts, cells_of_mutants};

use super::cell;
use crate::cli::output::conclude;
use crate::cli::progress::Progress;
use crate::cli::selection::Format;

#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// How many processes to run at once [default: one for each core]
    #[arg(long, value_name = "N")]
    jobs: Option<NonZero<usize>>,
    /// How to write the matrix
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(crate) const EXIT_CODES: &str = "\
Exit code:
  0  every mutant is killed, by every engine that must kill it, and no correct layout is
  1  a mutant survives, or a correct layout is killed
  2  the command line is wrong, or the report cannot be written
  3  none of that, but an exploration of a correct layout proved nothing";

pub(crate) fn run(arguments: &Arguments) -> io::Result<ExitCode> {
    let executable = executable()?;
    let child = |job: &_| cell::command(&executable, job);
    let order = Order { at_once: arguments.jobs.map_or_else(pool::cores, NonZero::get), fail_fast: false };
    // Nobody reads how a mutant fails here, and a kill counts at the size at which it is met.
    // A rare interleaving is to be met, and a false alarm would show in any.
    let mut reports = Vec::new();
    for (jobs, samples) in [(cells_of_mutants(), 1_000), (cells_of_correct_layouts(), 100)] {
        let budget = Budget { samples, ..BudgetName::Quick.numbers() };
        let progress = Progress::new(&jobs);
        reports.extend(explore(&jobs, &budget, Detail::default(), order, child, |reports| progress.add(reports)));
        progress.end();
    }
    let matrix = KillMatrix::new(&reports);
    let text = match arguments.format {
        Format::Table => kill_matrix::render(&matrix),
        Format::Json => format!("{}\n", serde_json::to_string(&matrix.rows)?),
    };
    conclude(&text, ExitCode::from(matrix.exit_code()))
}
