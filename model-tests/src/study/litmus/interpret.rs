//! Runs one thread of a litmus program on a machine.

use countersign::Atomic;
use countersign_litmus::{Statement, Thread};

use super::machine::Machine;

/// A thread of a litmus program, somewhere in its statements.
#[derive(Debug)]
pub struct Interpreter<'a> {
    thread: &'a Thread,
    next: usize,
    registers: Vec<i64>,
    broken: Option<usize>,
}

/// How a thread has come on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// It executed a statement and may go on.
    Going,
    /// It is at its end.
    Ended,
    /// An assumption did not hold: the execution does not count.
    GivenUp,
}

impl<'a> Interpreter<'a> {
    /// The thread before its first statement.
    pub fn new(thread: &'a Thread) -> Self {
        Self { thread, next: 0, registers: vec![0; thread.registers.len()], broken: None }
    }

    /// The index of the statement that is executed next.
    pub const fn position(&self) -> usize {
        self.next
    }

    /// The registers' values.
    pub fn registers(&self) -> &[i64] {
        &self.registers
    }

    /// The line of the first check that did not pass.
    pub const fn broken(&self) -> Option<usize> {
        self.broken
    }

    /// Executes the statements that are left.
    pub fn run<M: Machine>(&mut self, cells: &[M::AtomicU64]) -> Progress {
        loop {
            match self.step::<M>(cells) {
                Progress::Going => {}
                end => return end,
            }
        }
    }

    /// Executes the next statement; the variables' values are in `cells`.
    pub fn step<M: Machine>(&mut self, cells: &[M::AtomicU64]) -> Progress {
        let Some(statement) = self.thread.statements.get(self.next) else { return Progress::Ended };
        let registers = &mut self.registers;
        self.next += 1;
        match statement {
            &Statement::Store { variable, value, order } => {
                cells[variable].store(value.value(registers).cast_unsigned(), order.into());
            }
            &Statement::Load { into, variable, order } => {
                registers[into] = cells[variable].load(order.into()).cast_signed();
            }
            &Statement::FetchAdd { into, variable, addend, order } => {
                let addend = addend.value(registers).cast_unsigned();
                registers[into] = cells[variable].fetch_add(addend, order.into()).cast_signed();
            }
            &Statement::Exchange { into, variable, value, order } => {
                let value = value.value(registers).cast_unsigned();
                registers[into] = cells[variable].swap(value, order.into()).cast_signed();
            }
            &Statement::CompareExchange { into, variable, current, new, success, failure } => {
                let current = current.value(registers).cast_unsigned();
                let new = new.value(registers).cast_unsigned();
                let (Ok(read) | Err(read)) =
                    cells[variable].compare_exchange(current, new, success.into(), failure.into());
                registers[into] = read.cast_signed();
            }
            &Statement::Fence(order) => M::fence(order.into()),
            &Statement::Compute { into, value } => registers[into] = value.value(registers),
            Statement::If { condition, otherwise } => {
                if !condition.holds(|atom| atom.value(registers)) {
                    self.next = *otherwise;
                }
            }
            &Statement::Else { end } => self.next = end,
            Statement::End => {}
            Statement::Assume(condition) => {
                if !M::assume(condition.holds(|atom| atom.value(registers))) {
                    return Progress::GivenUp;
                }
            }
            Statement::Check(check) => {
                if !check.passes(|atom| atom.value(registers)) {
                    self.broken.get_or_insert(check.line);
                }
            }
        }
        Progress::Going
    }
}
