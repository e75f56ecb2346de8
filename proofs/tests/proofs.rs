//! Every statement by every tool, each a test of its own; and every tool against indices that are wrong.
//!
//! Before the first test that needs the solver, the script `proofs/solver` finds one, or fetches it. If it cannot, each of
//! those tests fails with its message.

use std::ffi::OsStr;
use std::process::ExitCode;
use std::time::Instant;

use countersign::NamedTable;
use countersign_proofs::wrong::{FAULTY, WRONG};
use countersign_proofs::{Failure, Refutation, Statement, harness, law, smt};
use libtest_mimic::{Arguments, Failed, Trial};

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    // Each proof by exhaustion uses all cores; beside one another they would only be harder to time.
    arguments.test_threads.get_or_insert(1);
    let trials = trials();
    let asks_solver = |trial: &Trial| trial.name().contains("smt::") && !arguments.is_filtered_out(trial);
    if !arguments.list && trials.iter().any(asks_solver) {
        // Ahead of the tests, so that it is in no proof's time. An error is that of each test that needs the solver.
        let _ = smt::solver();
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// A test that asks the solver, and fails where there is none.
fn smt_trial(name: String, test: impl FnOnce() -> Result<(), Failed> + Send + 'static) -> Trial {
    Trial::test(name, || {
        smt::solver()?;
        test()
    })
}

fn trials() -> Vec<Trial> {
    let mut trials = vec![
        Trial::test("every_table_has_its_statement_and_its_harnesses", every_table_has_its_statement_and_its_harnesses),
        smt_trial("smt::terms_mean_what_words_mean".into(), terms_mean_what_words_mean),
    ];
    for statement in Statement::ALL {
        let name = statement.table.name;
        let smt = move || timed(name, "all 2^64 sizes", || statement.by_smt());
        trials.push(smt_trial(format!("smt::{name}"), smt));
        // The tables of the core; the solver has proved the corners of `LogLinear`.
        if NamedTable::ALL.iter().any(|table| table.name == name) {
            let exhaustion = move || timed(name, "0..=2^32 and the edges above", || statement.by_exhaustion());
            trials.push(Trial::test(format!("exhaustion::{name}"), exhaustion));
        }
    }
    for (table, harnesses) in harness::HARNESSES {
        for ((claim, _), harness) in harness::CLAIMS.into_iter().zip(harnesses) {
            trials.push(Trial::test(format!("kani_harness::{table}::{claim}"), || runs_on_chosen_sizes(harness)));
        }
    }
    for wrong in WRONG {
        let name = wrong.table.name;
        let by_smt = move || match wrong.by_smt() {
            Err(Failure::Refuted(refutation)) => is_a_witness(&wrong, refutation),
            other => Err(format!("it should be refuted, but: {other:?}").into()),
        };
        let by_exhaustion = move || match wrong.by_exhaustion() {
            Err(refutation) => is_a_witness(&wrong, refutation),
            Ok(()) => Err("it is not refuted".into()),
        };
        trials.push(smt_trial(format!("must_fail::smt::{name}"), by_smt));
        trials.push(Trial::test(format!("must_fail::exhaustion::{name}"), by_exhaustion));
        let by_harness = move || match refutes(harness::CLAIMS[0].1, &wrong) {
            Some(values) => is_a_witness(&wrong, wrong.check(values[0]).err().ok_or("no witness")?),
            None => Err("it is not refuted".into()),
        };
        trials.push(Trial::test(format!("must_fail::kani_harness::{name}"), by_harness));
    }
    // The other claims follow from the law, and not every wrong index breaks each.
    for (name, claim) in harness::CLAIMS {
        let refutes_one = move || match WRONG.iter().find_map(|wrong| Some((wrong, refutes(claim, wrong)?))) {
            Some((wrong, values)) => {
                println!("refuted: {}, with {values:?}", wrong.table.name);
                Ok(())
            }
            None => Err("it refutes none of the wrong indices".into()),
        };
        trials.push(Trial::test(format!("must_fail::kani_harness::claim::{name}"), refutes_one));
    }
    trials.push(Trial::test("must_fail::kani_harness::assumptions", harness_needs_values));
    if cfg!(unix) {
        trials.push(Trial::test("must_fail::solver::missing", missing_solver_is_named));
    }
    for (operation, proof) in FAULTY {
        let faults = move || match proof() {
            Err(failure @ Failure::Faults { .. }) => {
                println!("refuted: {operation}: {failure}");
                Ok(())
            }
            other => Err(format!("it should fault, but: {other:?}").into()),
        };
        trials.push(smt_trial(format!("must_fail::smt::fault::{operation}"), faults));
    }
    trials
}

fn timed<E: std::fmt::Display>(name: &str, domain: &str, prove: impl FnOnce() -> Result<(), E>) -> Result<(), Failed> {
    let start = Instant::now();
    prove().map_err(|failure| failure.to_string())?;
    println!("proved: {name} keeps the law, {domain}, in {:.2} s", start.elapsed().as_secs_f64());
    Ok(())
}

/// A counterexample counts if the index itself, run on it, breaks the law.
fn is_a_witness(wrong: &Statement, refutation: Refutation) -> Result<(), Failed> {
    if wrong.check(refutation.size) != Err(refutation) {
        return Err(
            format!("{} does not break the law at the size that refutes it: {refutation}", wrong.table.name).into()
        );
    }
    println!("refuted: {}: {refutation}", wrong.table.name);
    Ok(())
}

fn every_table_has_its_statement_and_its_harnesses() -> Result<(), Failed> {
    for table in NamedTable::ALL {
        let statement = Statement::ALL.into_iter().find(|statement| statement.table.name == table.name);
        if statement.is_none_or(|statement| statement.table.upper_bounds != table.upper_bounds) {
            return Err(format!("`{}` has no statement of its own in Statement::ALL", table.name).into());
        }
        if !harness::HARNESSES.iter().any(|(name, _)| *name == table.name) {
            return Err(format!("`{}` has no harnesses", table.name).into());
        }
    }
    Ok(())
}

fn terms_mean_what_words_mean() -> Result<(), Failed> {
    let values =
        [0, 1, 2, 3, 7, 31, 32, 62, 63, 64, 65, 1 << 31, 1 << 32, (1 << 63) - 1, 1 << 63, u64::MAX - 1, u64::MAX];
    let different = smt::operations_that_differ(&values)?;
    if different.is_empty() { Ok(()) } else { Err(format!("they do not for {}", different.join(", ")).into()) }
}

/// A solver that is asked for and not there is an error that says so, and none is found or fetched in its place.
fn missing_solver_is_named() -> Result<(), Failed> {
    match smt::find_solver(Some(OsStr::new("/no/such/z3")), |_| ()) {
        Err(message) if message.contains("COUNTERSIGN_SOLVER is '/no/such/z3'") => Ok(()),
        other => Err(format!("it should say which program is not there, but: {other:?}").into()),
    }
}

fn runs_on_chosen_sizes(harness: &fn()) -> Result<(), Failed> {
    harness::run(&sizes(), harness).map_err(|(claim, values)| format!("not so: {claim}, with {values:?}").into())
}

/// The values with which an index breaks a harness's claim, if there are some.
fn refutes(claim: harness::Claim, wrong: &Statement) -> Option<Vec<u64>> {
    harness::run(&sizes(), || claim(wrong.table.upper_bounds, wrong.table.index)).err().map(|(_, values)| values)
}

/// A harness that no value comes through says nothing, and must not pass.
fn harness_needs_values() -> Result<(), Failed> {
    let (_, edges) = harness::CLAIMS[1];
    // Without a bound there is no class to assume.
    match harness::run(&sizes(), || edges(&[], |_| 0)) {
        Err((claim, _)) if claim.contains("assumptions") => Ok(()),
        other => Err(format!("it should say that no value meets the assumptions, but: {other:?}").into()),
    }
}

/// The edges of all tables: near them an index goes wrong if it does.
fn sizes() -> Vec<u64> {
    law::edges(&NamedTable::ALL)
}
