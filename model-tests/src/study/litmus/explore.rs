//! Explores the executions of a litmus program on a machine.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use countersign::Atomic;
use countersign_litmus::Litmus;

use super::interpret::{Interpreter, Progress};
use super::machine::Machine;
use crate::engine::{Budget, JoinHandle, Program};
use crate::verdict::{Exploration, Outcome, Verdict};

/// What an exploration found.
#[derive(Clone, Debug)]
pub struct Run {
    /// What the exploration proved; a check that does not pass is not part of it.
    pub verdict: Verdict,
    /// The executions that count.
    pub executions: u64,
    /// The executions that were given up.
    pub blocked: u64,
    /// The outcomes, as the format writes them, and in how many executions each was seen.
    pub outcomes: BTreeMap<String, u64>,
    /// The lines of the checks that did not pass, and in how many executions each was the first such.
    pub broken: BTreeMap<usize, u64>,
}

/// Runs `litmus` in as many ways as the machine can.
pub fn explore<M: Machine>(litmus: &Arc<Litmus>, budget: &Budget) -> Run {
    Run::new(litmus, M::explore(executable::<M>(litmus), budget))
}

/// The program that runs `litmus` on a machine, for an exploration whose result goes to [`Run::new`].
pub fn executable<M: Machine>(litmus: &Arc<Litmus>) -> Program {
    let litmus = Arc::clone(litmus);
    Arc::new(move || Ok(execute::<M>(&litmus).encode()))
}

impl Run {
    /// What an exploration of the program of [`executable`] found.
    pub fn new(litmus: &Litmus, exploration: Exploration) -> Self {
        let mut run = Self {
            verdict: exploration.verdict,
            executions: 0,
            blocked: exploration.blocked,
            outcomes: BTreeMap::new(),
            broken: BTreeMap::new(),
        };
        for (outcome, count) in exploration.outcomes {
            let Some(End { registers, variables, broken }) = End::decode(litmus, &outcome) else {
                run.blocked += count;
                continue;
            };
            run.executions += count;
            *run.outcomes.entry(litmus.outcome(&registers, &variables)).or_default() += count;
            if let Some(line) = broken {
                *run.broken.entry(line).or_default() += count;
            }
        }
        run
    }
}

/// How an execution ended.
enum Execution {
    Complete(End),
    GivenUp,
}

/// The last values.
struct End {
    registers: Vec<Vec<i64>>,
    variables: Vec<i64>,
    broken: Option<usize>,
}

fn execute<M: Machine>(litmus: &Arc<Litmus>) -> Execution {
    let cells = litmus.variables.iter().map(|variable| M::AtomicU64::new(variable.initial.cast_unsigned()));
    let cells: Arc<Vec<M::AtomicU64>> = Arc::new(cells.collect());
    let spawn = |index: usize| {
        let (litmus, cells) = (Arc::clone(litmus), Arc::clone(&cells));
        M::spawn(move || {
            let mut interpreter = Interpreter::new(&litmus.threads[index]);
            let progress = interpreter.run::<M>(&cells);
            (progress, interpreter.registers().to_vec(), interpreter.broken())
        })
    };
    let handles: Vec<_> = (0..litmus.threads.len()).map(spawn).collect();
    let mut registers = Vec::new();
    let mut broken = None;
    let mut given_up = false;
    for handle in handles {
        let (progress, values, line) = handle.join();
        given_up |= progress == Progress::GivenUp;
        registers.push(values);
        broken = broken.or(line);
    }
    if given_up {
        return Execution::GivenUp;
    }
    // Every write happens-before these loads by the joins, so each reads the last write of its variable.
    let variables: Vec<i64> = cells.iter().map(|cell| cell.load(Ordering::Relaxed).cast_signed()).collect();
    broken = broken.or_else(|| litmus.broken_final(&registers, &variables).map(|check| check.line));
    Execution::Complete(End { registers, variables, broken })
}

impl Execution {
    /// The execution as an outcome: nothing if it was given up, else the line of a broken check or 0, then the values.
    fn encode(self) -> Outcome {
        let Self::Complete(End { registers, variables, broken }) = self else { return Outcome::default() };
        let values = registers.into_iter().flatten().chain(variables).map(i64::cast_unsigned);
        Outcome(std::iter::once(broken.unwrap_or(0) as u64).chain(values).collect())
    }
}

impl End {
    fn decode(litmus: &Litmus, outcome: &Outcome) -> Option<Self> {
        let (&line, values) = outcome.0.split_first()?;
        let mut values = values.iter().map(|value| value.cast_signed());
        let registers =
            litmus.threads.iter().map(|thread| values.by_ref().take(thread.registers.len()).collect()).collect();
        Some(Self { registers, variables: values.collect(), broken: (line != 0).then_some(line as usize) })
    }
}
