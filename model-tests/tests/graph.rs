//! The cells of the graph engine, each a test of its own.

mod common;

use std::process::ExitCode;

use countersign_models::engine::EngineName;

fn main() -> ExitCode {
    common::run(&[EngineName::Graph])
}
