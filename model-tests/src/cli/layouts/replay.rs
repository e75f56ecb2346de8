//! `countersign replay`: repeats one execution from its token, in this process, and shows it.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use countersign_models::engine::Replay;
use countersign_models::failure::{Token, read, replay};
use countersign_models::report::execution::{self, Rows};

use crate::cli::output::conclude;

#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
pub(crate) struct Arguments {
    /// The token, whole
    token: Option<String>,
    /// The file that holds the token, for one that is too long to be pasted
    #[arg(long, value_name = "PATH")]
    file: Option<PathBuf>,
}

pub(crate) const EXIT_CODES: &str = "\
Exit code:
  0  in this execution all claims hold
  1  a claim fails: the failure is repeated
  2  there is no such execution: the token is not whole, or the program is not the one that it was made with";

pub(crate) fn run(arguments: &Arguments) -> io::Result<ExitCode> {
    let text = match (&arguments.token, &arguments.file) {
        (Some(token), _) => token.clone(),
        (None, Some(file)) => read(file).map_err(io::Error::other)?,
        (None, None) => String::new(),
    };
    let (token, Replay { result, execution }) = replay(text.trim()).map_err(io::Error::other)?;

    let Token { layout, scenario, engine, size, .. } = &token;
    let verdict = if result.is_ok() { "HOLDS" } else { "FAILED" };
    let head = format!("{verdict}  {layout}, {scenario}, on {engine}, {size}\n");
    let text = head + &execution::execution(&execution.trace, result.as_ref(), Rows::All);
    conclude(&text, ExitCode::from(u8::from(result.is_err())))
}
