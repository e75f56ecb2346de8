//! One test for each litmus program: the graph engine gives exactly the executions and the outcomes that are known.

use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use countersign_models::engine::Graph;
use countersign_models::engine::{Budget, EngineName};
use countersign_models::study::litmus::{Report, explore, read};
use libtest_mimic::{Arguments, Failed, Trial};

const FOLDERS: [&str; 3] = ["cases", "extra", "families"];

const BUDGET: Budget = Budget { executions: u64::MAX, samples: 0, time: Duration::from_secs(60) };

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    libtest_mimic::run(&arguments, trials()).exit_code()
}

fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for folder in FOLDERS {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("litmus").join(folder);
        for entry in fs::read_dir(path).expect("the folder is there") {
            let path = entry.expect("the folder can be read").path();
            let name = path.file_stem().expect("it is a file").to_string_lossy();
            trials.push(Trial::test(format!("{folder}/{name}"), move || check(&path)));
        }
    }
    trials.sort_by(|a, b| a.name().cmp(b.name()));
    trials
}

fn check(path: &Path) -> Result<(), Failed> {
    let litmus = Arc::new(read(path)?);
    if litmus.expected.executions.is_none() {
        return Err("the program's number of executions is not given".into());
    }
    let report = Report::new(&litmus, explore::<Graph>(&litmus, &BUDGET), EngineName::Graph);
    if report.problems.is_empty() { Ok(()) } else { Err(report.problems.join("\n").into()) }
}
