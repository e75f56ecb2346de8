//! From a failure to its repetition: the command line that repeats it, and the token that it is repeated from.

use std::path::{Path, PathBuf};
use std::{env, fs};

use super::token::Token;
use crate::engine::Replay;
use crate::scenario::{self, Cell};
use crate::subject::layouts;

/// The longest token that is printed; a longer one goes to a file.
const MAX_LENGTH: usize = 400;

/// Repeats the execution that a token, as text, stands for.
///
/// # Errors
///
/// If it is no token, or does not lead to an execution: the message names it, and says why.
pub fn replay(text: &str) -> Result<(Token, Replay), String> {
    let token: Token = text.parse()?;
    let cell = cell(&token).map_err(|why| error(text, &why))?;
    let replay = cell.replay(&token.schedule).map_err(|why| error(text, why.why()))?;
    Ok((token, replay))
}

/// The command line that repeats the execution of a token. One that is too long to be pasted is put into a file.
pub fn command_line(token: &str) -> String {
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

/// The token in a file.
///
/// # Errors
///
/// If the file cannot be read: the message names it.
pub fn read(file: &Path) -> Result<String, String> {
    fs::read_to_string(file)
        .map_err(|error| format!("the file `{}`, which should hold a token, cannot be read: {error}", file.display()))
}

/// The cell that a token names.
fn cell(token: &Token) -> Result<Cell, String> {
    let layout = layouts::find(&token.layout)?;
    let scenario = scenario::find(&token.scenario)?;
    let cell = Cell { layout, scenario, engine: token.engine, size: token.size };
    match cell.lacks() {
        Some(_) => Err(format!("`{}` has no instance with {}", cell.layout.name, token.size)),
        None => Ok(cell),
    }
}

fn error(token: &str, why: &str) -> String {
    format!(
        "the token `{token}` does not lead to an execution: {why}. A token is for the very program that printed it: \
         run `check` again after a change"
    )
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
        assert!(read(file).unwrap_err().contains("should hold a token"));
    }
}
