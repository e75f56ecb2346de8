//! The graph engine against the oracle, on random programs.
//!
//! `PROPTEST_CASES` sets their number; without it, it is proptest's own, of a few hundred.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use countersign::{Atomic, Lock, Locks, Primitives};
use countersign_models::engine::{Engine, JoinHandle, Program};
use countersign_models::engine::{Graph, complete, search};
use countersign_models::study::litmus::{Interpreter, Litmus, Run, executable, parse};
use countersign_models::verdict::{Exploration, Outcome, Verdict};
use proptest::strategy::Strategy;
use proptest::test_runner::{Config, TestCaseError, TestCaseResult, TestRunner};

use super::axioms::Axioms;
use super::enumerate::{Answer, enumerate};
use super::generate::{LOCKS, Section, Writer, program, threads, threads_with_locks};

/// A program that takes the oracle more steps is replaced by another.
const LIMIT: usize = 10_000;

type Cell = <Graph as Primitives>::AtomicU64;
type Mutex = <Graph as Locks>::Mutex<i64>;

#[test]
fn the_engine_agrees_on_random_programs() {
    check(&threads(), |threads| {
        let statements = threads.iter().map(|body| {
            let mut writer = Writer::default();
            writer.body(body);
            writer.text
        });
        let text = program("x=0 y=0", statements);
        let litmus = Arc::new(parse(&text).expect("the generator writes well-formed programs"));
        let expected = oracle(&litmus)?;
        let run = Run::new(&litmus, explore(&text, executable::<Graph>(&litmus))?);
        agree(&text, &expected, &run.outcomes)
    });
}

/// On the engine the locks are its mutexes, with a number behind each; for the oracle they are compare-exchanges that
/// must succeed and stores, and the number is a variable.
#[test]
fn the_engine_agrees_on_random_programs_with_locks() {
    check(&threads_with_locks(), |threads| {
        let init: Vec<String> = (0..LOCKS).map(|lock| format!("m{lock}=0 d{lock}=0")).collect();
        let spelled_out = threads.iter().map(|sections| with_locks_spelled_out(sections));
        let text = program(&format!("x=0 y=0 {}", init.join(" ")), spelled_out);
        let expected = oracle(&parse(&text).expect("the generator writes well-formed programs"))?;
        let mut without_locks = Answer::new();
        for (outcome, count) in expected {
            let kept = |word: &&str| !word.starts_with(['m', 'd']) && !word.contains(".l");
            let outcome: Vec<&str> = outcome.split(' ').filter(kept).collect();
            *without_locks.entry(outcome.join(" ")).or_default() += count;
        }

        let native = Arc::new(Native::new(threads));
        let exploration = explore(
            &text,
            Arc::new({
                let native = Arc::clone(&native);
                move || Ok(native.execute())
            }),
        )?;
        let found = exploration.outcomes.into_iter().map(|(outcome, count)| (native.text(&outcome), count)).collect();
        agree(&text, &without_locks, &found)
    });
}

fn check<S: Strategy>(strategy: &S, test: impl Fn(&S::Value) -> TestCaseResult) {
    let config = Config::default();
    let max_global_rejects = config.cases.saturating_mul(10);
    // A program that fails is printed; it belongs among the litmus files, not into a list of random seeds.
    let config = Config { failure_persistence: None, max_global_rejects, ..config };
    TestRunner::new(config).run(strategy, |value| test(&value)).unwrap_or_else(|error| panic!("{error}"));
}

fn oracle(litmus: &Litmus) -> Result<Answer, TestCaseError> {
    enumerate(litmus, Axioms { fault: None }, LIMIT).ok_or_else(|| TestCaseError::reject("too large for the oracle"))
}

/// Explores, and makes sure that no execution is visited twice.
fn explore(text: &str, program: Program) -> Result<Exploration, TestCaseError> {
    let mut visited = HashSet::new();
    let exploration = complete(search(program).run_with(|complete| _ = visited.insert(complete.fingerprint())));
    if exploration.verdict != Verdict::Exhaustive {
        return Err(TestCaseError::fail(format!("{:?}\n{text}", exploration.verdict)));
    }
    let twice = exploration.executions - visited.len() as u64;
    if twice != 0 {
        return Err(TestCaseError::fail(format!("{twice} visits are to executions that were visited before\n{text}")));
    }
    Ok(exploration)
}

fn agree(text: &str, expected: &Answer, found: &BTreeMap<String, u64>) -> TestCaseResult {
    if expected == found {
        return Ok(());
    }
    Err(TestCaseError::fail(format!("the oracle finds {expected:#?}\nthe engine finds {found:#?}\n{text}")))
}

fn with_locks_spelled_out(sections: &[Section]) -> String {
    let mut writer = Writer::default();
    for (index, Section { lock, body }) in sections.iter().enumerate() {
        if let Some(lock) = lock {
            writer.line(&format!("l{index} = cas m{lock} 0 1 acq rlx"));
            writer.line(&format!("assume l{index} == 0"));
            writer.line(&format!("k{index} = load d{lock} rlx"));
            writer.line(&format!("store d{lock} k{index} + 1 rlx"));
        }
        writer.body(body);
        if let Some(lock) = lock {
            writer.line(&format!("store m{lock} 0 rel"));
        }
    }
    writer.text
}

/// A program whose locks are the engine's.
struct Native {
    /// The program without its locks. What a critical section finds behind its lock goes to a register that the text
    /// only makes.
    litmus: Litmus,
    /// For each thread its critical sections.
    sections: Vec<Vec<Held>>,
}

/// A critical section.
struct Held {
    lock: usize,
    /// The statements in it.
    statements: Range<usize>,
    /// The register for what is found behind the lock.
    register: usize,
}

impl Native {
    fn new(threads: &[Vec<Section>]) -> Self {
        let mut found = Vec::new();
        let statements = threads.iter().map(|sections| {
            let mut writer = Writer::default();
            let mut held = Vec::new();
            for (index, Section { lock, body }) in sections.iter().enumerate() {
                let start = writer.text.lines().count();
                if lock.is_some() {
                    writer.line(&format!("k{index} = 0"));
                }
                writer.body(body);
                held.extend(lock.map(|lock| (lock, start..writer.text.lines().count(), format!("k{index}"))));
            }
            found.push(held);
            writer.text
        });
        let text = program("x=0 y=0", statements);
        let litmus = parse(&text).expect("the generator writes well-formed programs");
        let sections = found.into_iter().zip(&litmus.threads).map(|(held, thread)| {
            let register = |name| thread.registers.iter().position(|register| register.name == name);
            let held = held.into_iter().map(|(lock, statements, name)| Held {
                lock,
                statements,
                register: register(name).expect("the text names it"),
            });
            held.collect()
        });
        Self { sections: sections.collect(), litmus }
    }

    fn execute(self: &Arc<Self>) -> Outcome {
        let cells: Arc<Vec<Cell>> = Arc::new(self.litmus.variables.iter().map(|_| Cell::new(0)).collect());
        let locks: Arc<Vec<Mutex>> = Arc::new((0..LOCKS).map(|_| Mutex::new(0)).collect());
        let spawn = |thread| {
            let (native, cells, locks) = (Arc::clone(self), Arc::clone(&cells), Arc::clone(&locks));
            Graph::spawn(move || native.run(thread, &cells, &locks))
        };
        let handles: Vec<_> = (0..self.sections.len()).map(spawn).collect();
        let mut outcome: Vec<i64> = handles.into_iter().flat_map(JoinHandle::join).collect();
        outcome.extend(cells.iter().map(|cell| cell.load(Relaxed).cast_signed()));
        Outcome(outcome.into_iter().map(i64::cast_unsigned).collect())
    }

    /// Runs one thread and gives its registers.
    fn run(&self, thread: usize, cells: &[Cell], locks: &[Mutex]) -> Vec<i64> {
        let statements = self.litmus.threads[thread].statements.len();
        let mut interpreter = Interpreter::new(&self.litmus.threads[thread]);
        let mut found = Vec::new();
        let run_to = |end, interpreter: &mut Interpreter<'_>| {
            while interpreter.position() < end {
                interpreter.step::<Graph>(cells);
            }
        };
        for Held { lock, statements, register } in &self.sections[thread] {
            run_to(statements.start, &mut interpreter);
            let mut guard = locks[*lock].lock();
            found.push((*register, *guard));
            *guard += 1;
            run_to(statements.end, &mut interpreter);
        }
        run_to(statements, &mut interpreter);
        let mut registers = interpreter.registers().to_vec();
        for (register, value) in found {
            registers[register] = value;
        }
        registers
    }

    /// The outcome as text.
    fn text(&self, outcome: &Outcome) -> String {
        let mut values = outcome.0.iter().map(|value| value.cast_signed());
        let mut registers = Vec::new();
        for thread in &self.litmus.threads {
            registers.push(values.by_ref().take(thread.registers.len()).collect());
        }
        self.litmus.outcome(&registers, &values.collect::<Vec<_>>())
    }
}
