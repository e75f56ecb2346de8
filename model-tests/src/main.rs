//! `countersign`: verifies counter layouts on several engines and says what that proved.

use std::process::ExitCode;

fn main() -> ExitCode {
    countersign_models::cli::main()
}
