//! `countersign`: verifies counter layouts on several engines and says what that proved.

mod cli;

use std::process::ExitCode;

use countersign_models::study::stress::CountedHeap;

/// `countersign stress` asks how much of the heap is in use.
#[global_allocator]
static HEAP: CountedHeap = CountedHeap;

fn main() -> ExitCode {
    cli::main()
}
