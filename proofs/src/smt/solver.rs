//! Where the solver's program is.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// Names the program, where it is not for the script to find one.
const VARIABLE: &str = "COUNTERSIGN_SOLVER";

/// The solver's program, found by the first call in a process. The error says what was tried, and what to do.
pub fn solver() -> Result<&'static Path, &'static str> {
    static FOUND: LazyLock<Result<PathBuf, String>> =
        LazyLock::new(|| find_solver(env::var_os(VARIABLE).as_deref(), |line| eprintln!("{line}")));
    FOUND.as_deref().map_err(String::as_str)
}

/// What the script `proofs/solver` finds when `COUNTERSIGN_SOLVER` is `named`: on a machine without z3 it fetches one, which
/// takes some seconds. Each line that it says of this meanwhile is given to `tell`; they are also the error.
#[cfg(unix)]
pub fn find_solver(named: Option<&OsStr>, tell: impl Fn(&str)) -> Result<PathBuf, String> {
    use std::ffi::OsString;
    use std::io::{BufRead, BufReader};
    use std::os::unix::ffi::OsStringExt;
    use std::process::{Command, Stdio};

    const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/solver");
    let failed = |error| format!("`{SCRIPT}`, which finds the solver, cannot be run: {error}; it needs bash");
    let mut script = Command::new(SCRIPT)
        .env(VARIABLE, named.unwrap_or_default())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(failed)?;
    let mut said = Vec::new();
    for line in BufReader::new(script.stderr.take().expect("stderr is piped")).lines() {
        let line = line.map_err(failed)?;
        tell(&line);
        said.push(line);
    }
    let mut output = script.wait_with_output().map_err(failed)?;
    if !output.status.success() {
        return Err(said.join("\n"));
    }
    // All but the end of the line.
    output.stdout.pop();
    Ok(OsString::from_vec(output.stdout).into())
}

/// The program `named`: the script that finds one is for unix.
#[cfg(not(unix))]
pub fn find_solver(named: Option<&OsStr>, _: impl Fn(&str)) -> Result<PathBuf, String> {
    let missing = || format!("{VARIABLE} is not set: on this system, set it to the full path of a z3 program");
    named.map(PathBuf::from).ok_or_else(missing)
}
