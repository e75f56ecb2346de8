//! The command line: one module for each subcommand, and what they share. It parses, calls and prints.

mod bench;
mod engines;
mod layouts;
mod output;
mod progress;
mod selection;
mod vectors;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use self::engines::{audit, coverage, litmus, yardstick};
use self::layouts::{cell, check, cost, list, mutants, orderings, replay, stress};

/// Runs the command line and returns its exit code.
pub(crate) fn main() -> ExitCode {
    let command = Arguments::parse().command.unwrap_or_else(|| Command::Check(check::Arguments::default()));
    let code = match command {
        Command::Check(arguments) => check::run(&arguments),
        Command::Replay(arguments) => replay::run(&arguments),
        Command::List => list::run(),
        Command::Audit(arguments) => audit::run(&arguments),
        Command::Bench(arguments) => bench::run(&arguments),
        Command::Cost(arguments) => cost::run(&arguments),
        Command::Coverage(arguments) => coverage::run(&arguments),
        Command::Mutants(arguments) => mutants::run(&arguments),
        Command::Orderings(arguments) => orderings::run(&arguments),
        Command::Stress(arguments) => stress::run(&arguments),
        Command::Litmus(arguments) => Ok(litmus::run(&arguments)),
        Command::Yardstick(arguments) => yardstick::run(&arguments),
        Command::Vectors(arguments) => vectors::run(&arguments),
        Command::Cell(arguments) => cell::run(&arguments),
    };
    code.unwrap_or_else(|error| {
        eprintln!("error: {error}");
        ExitCode::from(USAGE)
    })
}

/// Verifies counter layouts: runs every scenario on every layout and engine, and says what that proved.
///
/// Without a command it does what `check` does.
#[derive(Debug, Parser)]
#[command(name = "countersign", version, after_help = check::EXIT_CODES, after_long_help = check::EXIT_CODES)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Explore the cells: every layout, scenario and engine, or those that are named
    #[command(after_help = check::EXIT_CODES, after_long_help = check::EXIT_CODES)]
    Check(check::Arguments),
    /// Repeat one execution, from the token that `check` printed with a failure, and show it
    #[command(after_help = replay::EXIT_CODES, after_long_help = replay::EXIT_CODES)]
    Replay(replay::Arguments),
    /// Show the layouts, mutants, scenarios, engines and budgets
    List,
    /// Compare what each engine shows of programs whose answers are known with what it is known to show
    #[command(after_help = audit::EXIT_CODES, after_long_help = audit::EXIT_CODES)]
    Audit(audit::Arguments),
    /// Time the layouts beside each other, other crates' counters and a plain increment
    #[command(disable_help_flag = true)]
    Bench(bench::Arguments),
    /// Compare what the engines reach with what there is to reach
    #[command(after_help = coverage::EXIT_CODES, after_long_help = coverage::EXIT_CODES)]
    Coverage(coverage::Arguments),
    /// Show which engine kills which mutant, and that none kills a correct layout
    #[command(after_help = mutants::EXIT_CODES, after_long_help = mutants::EXIT_CODES)]
    Mutants(mutants::Arguments),
    /// Count the operations that each step of a layout takes
    #[command(after_help = cost::EXIT_CODES, after_long_help = cost::EXIT_CODES)]
    Cost(cost::Arguments),
    /// Weaken every ordering of a layout, one at a time, and show which claim breaks
    #[command(after_help = orderings::EXIT_CODES, after_long_help = orderings::EXIT_CODES)]
    Orderings(orderings::Arguments),
    /// Hammer each layout with real threads that come and go, and account for every event
    #[command(after_help = stress::HELP, after_long_help = stress::HELP)]
    Stress(stress::Arguments),
    Litmus(litmus::LitmusArgs),
    /// Measure the engines on programs whose number of executions is known
    Yardstick(yardstick::Arguments),
    /// Write golden values of a size class table, for tests of a port to another language
    #[command(after_help = vectors::HELP, after_long_help = vectors::HELP)]
    Vectors(vectors::Arguments),
    /// Explore cells of one layout, scenario and engine in this process, and print a line of JSON for each
    #[command(hide = true)]
    Cell(cell::Arguments),
}

/// The exit code of a wrong command line; clap's own.
const USAGE: u8 = 2;

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn no_command_means_check_without_options() {
        assert!(Arguments::parse_from(["countersign"]).command.is_none());
        let Some(Command::Check(parsed)) = Arguments::parse_from(["countersign", "check"]).command else {
            panic!("`check` is not parsed as such");
        };
        assert_eq!(format!("{parsed:?}"), format!("{:?}", check::Arguments::default()));
    }
}
