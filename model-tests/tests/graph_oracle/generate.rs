//! Random litmus programs: two variables, all operations and orderings.

use std::fmt::Write;

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

/// A thread's operations.
pub(crate) type Body = Vec<Operation>;

/// An operation; the one that reads has a register of its own.
#[derive(Clone, Debug)]
pub(crate) enum Operation {
    Store {
        variable: &'static str,
        value: Value,
        order: &'static str,
    },
    Load {
        variable: &'static str,
        order: &'static str,
    },
    FetchAdd {
        variable: &'static str,
        order: &'static str,
    },
    Exchange {
        variable: &'static str,
        value: Value,
        order: &'static str,
    },
    CompareExchange {
        variable: &'static str,
        current: i64,
        new: i64,
        success: &'static str,
        failure: &'static str,
    },
    Fence {
        order: &'static str,
    },
    /// A load, and branches on its value.
    Branch {
        variable: &'static str,
        order: &'static str,
        equals: i64,
        then: Body,
        otherwise: Body,
    },
    /// A load, and an assumption about its value.
    Assume {
        variable: &'static str,
        order: &'static str,
        differs: i64,
    },
}

/// What is written.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Number(i64),
    /// The value read last by the thread, plus this.
    Read(i64),
}

/// A critical section or an operation outside of any.
#[derive(Clone, Debug)]
pub(crate) struct Section {
    /// Which lock is held.
    pub(crate) lock: Option<usize>,
    pub(crate) body: Body,
}

/// How many locks there are.
pub(crate) const LOCKS: usize = 2;

/// The most threads and the most operations of one.
const SIZE: usize = 4;

/// Threads without locks.
pub(crate) fn threads() -> impl Strategy<Value = Vec<Body>> {
    vec(vec(operation(), 1..=SIZE), 2..=SIZE)
}

/// Threads with locks.
pub(crate) fn threads_with_locks() -> impl Strategy<Value = Vec<Vec<Section>>> {
    let section = (option::weighted(0.6, 0..LOCKS), vec(operation_without_assume().boxed(), 0..=2))
        .prop_map(|(lock, body)| Section { lock, body });
    prop_oneof![
        1 => vec(vec(section.clone(), 1..=3), 2),
        2 => vec(vec(section, 1..=2), 3),
    ]
}

/// The text of a program of the threads with these statements.
pub(crate) fn program(init: &str, threads: impl IntoIterator<Item = String>) -> String {
    let mut text = format!("litmus random\ninit {init}\n");
    for (index, statements) in threads.into_iter().enumerate() {
        _ = write!(text, "\nthread P{index}\n{statements}");
    }
    text
}

/// Writes statements; registers are numbered throughout a thread.
#[derive(Default)]
pub(crate) struct Writer {
    pub(crate) text: String,
    registers: usize,
}

impl Writer {
    pub(crate) fn line(&mut self, line: &str) {
        self.text += line;
        self.text.push('\n');
    }

    pub(crate) fn body(&mut self, body: &[Operation]) {
        for operation in body {
            match operation {
                Operation::Store { variable, value, order } => {
                    let value = self.value(value);
                    self.line(&format!("store {variable} {value} {order}"));
                }
                Operation::Load { variable, order } => _ = self.read(&format!("load {variable} {order}")),
                Operation::FetchAdd { variable, order } => _ = self.read(&format!("fadd {variable} 1 {order}")),
                Operation::Exchange { variable, value, order } => {
                    let value = self.value(value);
                    self.read(&format!("xchg {variable} {value} {order}"));
                }
                Operation::CompareExchange { variable, current, new, success, failure } => {
                    self.read(&format!("cas {variable} {current} {new} {success} {failure}"));
                }
                Operation::Fence { order } => self.line(&format!("fence {order}")),
                Operation::Branch { variable, order, equals, then, otherwise } => {
                    let register = self.read(&format!("load {variable} {order}"));
                    self.line(&format!("if {register} == {equals}"));
                    self.body(then);
                    self.line("else");
                    self.body(otherwise);
                    self.line("end");
                }
                Operation::Assume { variable, order, differs } => {
                    let register = self.read(&format!("load {variable} {order}"));
                    self.line(&format!("assume {register} != {differs}"));
                }
            }
        }
    }

    /// A statement that reads, and its register.
    fn read(&mut self, operation: &str) -> String {
        let register = format!("r{}", self.registers);
        self.registers += 1;
        self.line(&format!("{register} = {operation}"));
        register
    }

    fn value(&self, value: &Value) -> String {
        match (value, self.registers.checked_sub(1)) {
            (Value::Number(number), _) | (Value::Read(number), None) => number.to_string(),
            (Value::Read(number), Some(last)) => format!("r{last} + {number}"),
        }
    }
}

fn operation() -> impl Strategy<Value = Operation> {
    let assume = (variable(), load_order(), 0..=2i64).prop_map(|(variable, order, differs)| Operation::Assume {
        variable,
        order,
        differs,
    });
    prop_oneof![20 => operation_without_assume(), 1 => assume]
}

fn operation_without_assume() -> impl Strategy<Value = Operation> {
    let branch = (variable(), load_order(), 0..=2i64, vec(straight(), 0..=2), vec(straight(), 0..=1));
    let branch = branch.prop_map(|(variable, order, equals, then, otherwise)| Operation::Branch {
        variable,
        order,
        equals,
        then,
        otherwise,
    });
    prop_oneof![7 => straight(), 1 => branch]
}

fn straight() -> impl Strategy<Value = Operation> {
    let failure = || select(vec!["rlx", "acq", "sc"]);
    prop_oneof![
        4 => (variable(), value(), select(vec!["na", "rlx", "rel", "sc"]))
            .prop_map(|(variable, value, order)| Operation::Store { variable, value, order }),
        4 => (variable(), load_order()).prop_map(|(variable, order)| Operation::Load { variable, order }),
        1 => (variable(), modify_order()).prop_map(|(variable, order)| Operation::FetchAdd { variable, order }),
        1 => (variable(), value(), modify_order())
            .prop_map(|(variable, value, order)| Operation::Exchange { variable, value, order }),
        2 => (variable(), 0..=2i64, 1..=3i64, modify_order(), failure()).prop_map(
            |(variable, current, new, success, failure)| {
                Operation::CompareExchange { variable, current, new, success, failure }
            }
        ),
        2 => select(vec!["acq", "rel", "ar", "sc"]).prop_map(|order| Operation::Fence { order }),
    ]
}

fn variable() -> impl Strategy<Value = &'static str> {
    select(vec!["x", "y"])
}

fn load_order() -> impl Strategy<Value = &'static str> {
    select(vec!["na", "rlx", "acq", "sc"])
}

fn modify_order() -> impl Strategy<Value = &'static str> {
    select(vec!["rlx", "acq", "rel", "ar", "sc"])
}

fn value() -> impl Strategy<Value = Value> {
    prop_oneof![3 => (1..=2i64).prop_map(Value::Number), 1 => (0..=1i64).prop_map(Value::Read)]
}
