//! What every command does with its output.

use std::io::{self, Read, Write};
use std::process::ExitCode;

/// Ends the process when the parent is gone: it holds the other end of standard input, and writes nothing.
pub(crate) fn end_with_parent() {
    let mut stdin = io::stdin().lock();
    let mut ignored = [0; 64];
    while stdin.read(&mut ignored).is_ok_and(|read| read > 0) {}
    std::process::exit(0);
}

/// Writes to standard output. That whoever reads it went away is no error.
pub(crate) fn print(text: &str) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result.map_err(|error| io::Error::other(format!("the output cannot be written: {error}"))),
    }
}

/// Writes a report to standard output, and returns `code`, or what kept the report from being written; but where a claim
/// failed, that is said whatever else happens.
pub(crate) fn conclude(report: &str, code: ExitCode) -> io::Result<ExitCode> {
    settle(print(report), code)
}

/// See [`conclude`].
pub(crate) fn settle(written: io::Result<()>, code: ExitCode) -> io::Result<ExitCode> {
    match written {
        Err(error) if code == ExitCode::FAILURE => {
            eprintln!("error: a claim failed, and {error}");
            Ok(code)
        }
        written => written.map(|()| code),
    }
}
