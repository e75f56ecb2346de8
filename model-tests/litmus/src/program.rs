//! A parsed litmus program.
//!
//! Names are resolved: variables, registers and threads are indices. A thread's statements are one flat list in which
//! `if` and `else` know where they lead, so that no depth of nesting costs stack, neither here nor in what runs them.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::atomic::Ordering;

/// A litmus program and what is known about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Litmus {
    /// The program's name.
    pub name: String,
    /// The shared variables, in the order in which outcomes list them.
    pub variables: Vec<Variable>,
    /// The threads, which all start after the variables have their initial values.
    pub threads: Vec<Thread>,
    /// What is checked once all threads have ended.
    pub finals: Vec<FinalCheck>,
    /// What an exploration must find.
    pub expected: Expected,
}

/// A shared variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// The variable's name.
    pub name: String,
    /// Its initial value.
    pub initial: i64,
}

/// One thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thread {
    /// The thread's name.
    pub name: String,
    /// Its registers, by name; all 0 at the start.
    pub registers: Vec<Register>,
    /// What it does.
    pub statements: Vec<Statement>,
}

/// A register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Register {
    /// The register's name.
    pub name: String,
    /// Whether some statement assigns to it: only then is it part of an outcome.
    pub assigned: bool,
}

/// One statement. Variables and registers are indices into [`Litmus::variables`] and [`Thread::registers`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    /// A write.
    Store {
        /// The variable written.
        variable: usize,
        /// The value written.
        value: Expression,
        /// The ordering.
        order: Order,
    },
    /// A read.
    Load {
        /// The register that gets the value.
        into: usize,
        /// The variable read.
        variable: usize,
        /// The ordering.
        order: Order,
    },
    /// An atomic addition.
    FetchAdd {
        /// The register that gets the old value.
        into: usize,
        /// The variable changed.
        variable: usize,
        /// What is added.
        addend: Expression,
        /// The ordering.
        order: Order,
    },
    /// An atomic exchange.
    Exchange {
        /// The register that gets the old value.
        into: usize,
        /// The variable changed.
        variable: usize,
        /// The value written.
        value: Expression,
        /// The ordering.
        order: Order,
    },
    /// A compare-exchange that never fails spuriously. One that fails is a read with the order `failure`.
    CompareExchange {
        /// The register that gets the value read.
        into: usize,
        /// The variable changed.
        variable: usize,
        /// The value that lets the exchange succeed.
        current: Atom,
        /// The value written then.
        new: Atom,
        /// The ordering of a success.
        success: Order,
        /// The ordering of a failure.
        failure: Order,
    },
    /// A fence.
    Fence(Order),
    /// Register arithmetic.
    Compute {
        /// The register that gets the value.
        into: usize,
        /// The value.
        value: Expression,
    },
    /// Goes on with the next statement if the condition holds, else with the statement at `otherwise`.
    If {
        /// The condition.
        condition: Condition<Atom>,
        /// The index of the statement after the matching `else`, or of the `end` where there is no `else`.
        otherwise: usize,
    },
    /// Reached at the end of the first branch: goes on with the statement at `end`.
    Else {
        /// The index of the matching `end`.
        end: usize,
    },
    /// The end of an `if`.
    End,
    /// Blocks the thread for good unless the condition holds.
    Assume(Condition<Atom>),
    /// Checks a condition.
    Check(Check<Atom>),
}

/// What an execution must keep to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check<A> {
    /// The condition.
    pub condition: Condition<A>,
    /// Whether the condition must hold (`assert`) or must not (`forbid`).
    pub must_hold: bool,
    /// The line that says so.
    pub line: usize,
}

/// A check of the final state.
pub type FinalCheck = Check<FinalAtom>;

/// Comparisons that must all hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition<A>(pub Vec<(A, Comparison, A)>);

/// A comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
}

/// What a thread computes with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Atom {
    /// The value of one of the thread's registers.
    Register(usize),
    /// A number.
    Integer(i64),
}

/// What a final check looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FinalAtom {
    /// The last value of a register.
    Register {
        /// The index of its thread.
        thread: usize,
        /// Its index in the thread.
        register: usize,
    },
    /// The last value of a variable.
    Variable(usize),
    /// A number.
    Integer(i64),
}

/// A value to compute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expression {
    /// The atom itself.
    Atom(Atom),
    /// An operation on two atoms.
    Binary(Atom, Operator, Atom),
}

/// An arithmetic operator; the arithmetic is that of 64 bits and wraps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `^`
    Xor,
}

/// A memory ordering, as the format writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    /// `na`: a plain access. It runs as a relaxed one, which race-free programs cannot tell from a plain one.
    Plain,
    /// `rlx`
    Relaxed,
    /// `acq`
    Acquire,
    /// `rel`
    Release,
    /// `ar`
    AcqRel,
    /// `sc`
    SeqCst,
}

/// What is known about a program's executions; `None` where the file does not say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expected {
    /// How many consistent executions there are, under RC11 with C++20's release sequences.
    pub executions: Option<u64>,
    /// Their outcomes.
    pub outcomes: Option<BTreeSet<String>>,
}

impl Litmus {
    /// The outcome of an execution, as the format writes it: all registers that are ever assigned, thread by thread in
    /// name order, then all variables.
    pub fn outcome(&self, registers: &[Vec<i64>], variables: &[i64]) -> String {
        let mut text = String::new();
        for (thread, values) in self.threads.iter().zip(registers) {
            for register in thread.outcome_registers() {
                _ = write!(text, "{}.{}={} ", thread.name, thread.registers[register].name, values[register]);
            }
        }
        text.push('|');
        for (variable, value) in self.variables.iter().zip(variables) {
            _ = write!(text, " {}={value}", variable.name);
        }
        text
    }

    /// The first final check that these last values break.
    pub fn broken_final(&self, registers: &[Vec<i64>], variables: &[i64]) -> Option<&FinalCheck> {
        let value = |atom| match atom {
            FinalAtom::Register { thread, register } => registers[thread][register],
            FinalAtom::Variable(variable) => variables[variable],
            FinalAtom::Integer(value) => value,
        };
        self.finals.iter().find(|check| !check.passes(value))
    }
}

impl Thread {
    /// The registers that are part of an outcome, in name order.
    pub fn outcome_registers(&self) -> Vec<usize> {
        let mut assigned: Vec<usize> =
            (0..self.registers.len()).filter(|&index| self.registers[index].assigned).collect();
        assigned.sort_by(|&a, &b| self.registers[a].name.cmp(&self.registers[b].name));
        assigned
    }
}

impl<A: Copy> Check<A> {
    /// Whether the check passes, given the values of its atoms.
    pub fn passes(&self, value: impl Fn(A) -> i64) -> bool {
        self.condition.holds(value) == self.must_hold
    }
}

impl<A: Copy> Condition<A> {
    /// Whether the condition holds, given the values of its atoms.
    pub fn holds(&self, value: impl Fn(A) -> i64) -> bool {
        self.0.iter().all(|&(left, comparison, right)| comparison.holds(value(left), value(right)))
    }
}

impl Comparison {
    const fn holds(self, left: i64, right: i64) -> bool {
        match self {
            Self::Equal => left == right,
            Self::NotEqual => left != right,
            Self::Less => left < right,
            Self::LessOrEqual => left <= right,
            Self::Greater => left > right,
            Self::GreaterOrEqual => left >= right,
        }
    }
}

impl Atom {
    /// The atom's value in a thread with these registers.
    pub fn value(self, registers: &[i64]) -> i64 {
        match self {
            Self::Register(index) => registers[index],
            Self::Integer(value) => value,
        }
    }
}

impl Expression {
    /// The expression's value in a thread with these registers.
    pub fn value(self, registers: &[i64]) -> i64 {
        match self {
            Self::Atom(atom) => atom.value(registers),
            Self::Binary(left, operator, right) => {
                let (left, right) = (left.value(registers), right.value(registers));
                match operator {
                    Operator::Add => left.wrapping_add(right),
                    Operator::Subtract => left.wrapping_sub(right),
                    Operator::Multiply => left.wrapping_mul(right),
                    Operator::Xor => left ^ right,
                }
            }
        }
    }
}

impl From<Order> for Ordering {
    fn from(order: Order) -> Self {
        match order {
            Order::Plain | Order::Relaxed => Self::Relaxed,
            Order::Acquire => Self::Acquire,
            Order::Release => Self::Release,
            Order::AcqRel => Self::AcqRel,
            Order::SeqCst => Self::SeqCst,
        }
    }
}
