//! `countersign bench`: hands over to the stopwatch, a package of its own.
//!
//! It depends on the crates that the core is compared with, and nobody who verifies a layout needs to build those.

use std::env;
use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::process::{Command, ExitCode};

#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Passed on; `countersign bench --help` shows what there is
    #[arg(value_name = "OPTION", trailing_var_arg = true, allow_hyphen_values = true)]
    options: Vec<OsString>,
}

/// The workspace that this program was built from.
const WORKSPACE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../Cargo.toml");

pub(crate) fn run(arguments: &Arguments) -> io::Result<ExitCode> {
    if !Path::new(WORKSPACE).is_file() {
        return Err(io::Error::other(format!(
            "`bench` is built where it runs, and there is no `{WORKSPACE}`: run `cargo run --release -- bench` in a checkout"
        )));
    }
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(&cargo)
        .args([
            "run",
            "--release",
            "--locked",
            "--manifest-path",
            WORKSPACE,
            "--package",
            "countersign-comparison",
            "--",
        ])
        .args(&arguments.options)
        .status()
        .map_err(|error| io::Error::other(format!("`{}` cannot be run: {error}", cargo.display())))?;
    match status.code().and_then(|code| u8::try_from(code).ok()) {
        Some(code) => Ok(ExitCode::from(code)),
        None => Err(io::Error::other(format!("the stopwatch was ended: {status}"))),
    }
}
