//! The cells of shuttle, each a test of its own.

mod common;

use std::process::ExitCode;

use countersign_models::engine::EngineName;

fn main() -> ExitCode {
    common::run(&[EngineName::ShuttleRandom, EngineName::ShuttlePct, EngineName::ShuttleDfs])
}
