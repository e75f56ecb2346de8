//! `countersign replay`: repeats one execution from its token, in this process, and shows it.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs, io};

use super::{conclude, execution, names};
use crate::cell::Cell;
use crate::engine::Replay;
use crate::report::SizeReport;
use crate::token::Token;

#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
pub(super) struct Arguments {
    /// The token, whole
    token: Option<String>,
    /// The file that holds the token, for one that is too long to be pasted
    #[arg(long, value_name = "PATH")]
    file: Option<PathBuf>,
}

pub(super) const EXIT_CODES: &str = "\
Exit code:
  0  in this execution all claims hold
  1  a claim fails: the failure is repeated
  2  there is no such execution: the token is not whole, or the program is not the one that it was made with";

/// The longest token that is printed; a longer one goes to a file.
const MAX_LENGTH: usize = 400;

pub(super) fn run(arguments: &Arguments) -> io::Result<ExitCode> {
    let text = match (&arguments.token, &arguments.file) {
        (Some(token), _) => token.clone(),
        (None, Some(file)) => read(file)?,
        (None, None) => String::new(),
    };
    let text = text.trim();
    let token: Token = text.parse().map_err(io::Error::other)?;
    let cell = cell(&token).map_err(|why| error(text, &why))?;
    let Replay { result, execution } = cell.replay(&token.schedule).map_err(|why| error(text, why.why()))?;

    let Token { layout, scenario, engine, size, .. } = &token;
    let verdict = if result.is_ok() { "HOLDS" } else { "FAILED" };
    let head = format!("{verdict}  {layout}, {scenario}, on {engine}, {}\n", SizeReport::from(*size));
    let text = head + &execution::execution(&execution.trace, result.as_ref());
    conclude(&text, ExitCode::from(u8::from(result.is_err())))
}

/// The command line that repeats the execution of a token. One that is too long to be pasted is put into a file.
pub(super) fn command_line(token: &str) -> String {
    let short = token.len() <= MAX_LENGTH;
    let file = if short { None } else { write(token, &env::temp_dir()) };
    match file {
        Some(file) => format!("countersign replay --file {}", file.display()),
        None => format!("countersign replay {token}"),
    }
}

/// Writes a token to a file whose name comes from its check characters. `None` if that fails.
fn write(token: &str, folder: &Path) -> Option<PathBuf> {
    let (_, check) = token.rsplit_once('.')?;
    let file = folder.join(format!("countersign-{check}.token"));
    fs::write(&file, format!("{token}\n")).ok()?;
    Some(file)
}

fn read(file: &Path) -> io::Result<String> {
    fs::read_to_string(file).map_err(|error| {
        io::Error::other(format!("the file `{}`, which should hold a token, cannot be read: {error}", file.display()))
    })
}

/// The cell that a token names.
fn cell(token: &Token) -> Result<Cell, String> {
    let layout = names::layout(&token.layout)?;
    let scenario = names::scenario(&token.scenario)?;
    if layout.make(token.size).is_none() {
        return Err(format!("`{}` has no instance with {}", layout.name, SizeReport::from(token.size)));
    }
    Ok(Cell { layout, scenario, engine: token.engine, size: token.size })
}

fn error(token: &str, why: &str) -> io::Error {
    io::Error::other(format!(
        "the token `{token}` does not lead to an execution: {why}. A token is for the very program that printed it: \
         run `check` again after a change"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_that_is_too_long_goes_to_a_file() {
        let short = format!("graph:slots:claim_race:1.1.0.1.1:{}.CHECK", "A".repeat(100));
        assert_eq!(command_line(&short), format!("countersign replay {short}"));
        let long = format!("graph:slots:claim_race:1.1.0.1.1:{}.CHECK-of-a-test", "A".repeat(MAX_LENGTH));
        let line = command_line(&long);
        let file = Path::new(line.strip_prefix("countersign replay --file ").unwrap());
        assert_eq!(read(file).unwrap().trim(), long);
        fs::remove_file(file).unwrap();
        assert!(read(file).unwrap_err().to_string().contains("should hold a token"));
    }
}
