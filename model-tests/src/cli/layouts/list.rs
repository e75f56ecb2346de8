//! `countersign list`: what there is to name on the command line.

use std::io;
use std::process::ExitCode;

use countersign_models::report::layouts::list;

use crate::cli::output::print;

pub(crate) fn run() -> io::Result<ExitCode> {
    print(&list::render())?;
    Ok(ExitCode::SUCCESS)
}
