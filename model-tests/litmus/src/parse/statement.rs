//! Parses the statements of a thread.

use std::collections::HashMap;

use crate::program::{Atom, Check, Condition, Expression, Register, Statement, Thread};
use crate::words::{Line, Orders, ParseError, Word, integer, is_name, is_numeric};

/// The words that start a line or name an operation: a register with such a name could not be told from them.
const RESERVED: [&str; 20] = [
    "store", "load", "fadd", "xchg", "cas", "fence", "if", "else", "end", "assume", "assert", "forbid", "thread",
    "final", "genmc", "expect", "mismatch", "note", "outcomes", "outcome",
];

const STATEMENT: &str = "a statement (store, fence, if, else, end, assume, assert, forbid or `register = ...`), `thread` \
                         or a footer line";

/// A thread as it is being read.
pub(super) struct OpenThread<'a> {
    name: &'a str,
    registers: Vec<Register>,
    register_indices: HashMap<&'a str, usize>,
    statements: Vec<Statement>,
    /// The `if`s whose `end` is still to come, the innermost last.
    open: Vec<OpenIf>,
}

/// An `if` without its `end`.
struct OpenIf {
    line: usize,
    /// Where its `if` is, or its `else` once that was read: the statement that is still to learn where it leads.
    pending: usize,
    has_else: bool,
}

impl<'a> OpenThread<'a> {
    pub(super) fn new(name: &'a str) -> Self {
        Self { name, registers: Vec::new(), register_indices: HashMap::new(), statements: Vec::new(), open: Vec::new() }
    }

    /// Reads the statement that begins with the word `first`.
    pub(super) fn statement(
        &mut self,
        first: Word<'a>,
        line: &mut Line<'a>,
        variables: &HashMap<&'a str, usize>,
    ) -> Result<(), ParseError> {
        if line.accept("=") {
            let statement = self.assignment(first, line, variables)?;
            self.statements.push(statement);
            return Ok(());
        }
        let at = self.statements.len();
        let statement = match first.text {
            "store" => {
                let variable = variable(line, variables)?;
                Statement::Store { variable, value: self.expression(line)?, order: line.order(&Orders::STORE)? }
            }
            "fence" => Statement::Fence(line.order(&Orders::FENCE)?),
            "assume" => Statement::Assume(self.condition(line)?),
            "assert" | "forbid" => Statement::Check(Check {
                condition: self.condition(line)?,
                must_hold: first.text == "assert",
                line: first.line,
            }),
            "if" => {
                self.open.push(OpenIf { line: first.line, pending: at, has_else: false });
                Statement::If { condition: self.condition(line)?, otherwise: at }
            }
            "else" => {
                let open = self.open.last_mut().ok_or_else(|| first.error("an `else` outside of any `if`"))?;
                if open.has_else {
                    return Err(
                        first.error(format!("a second `else` of the `if` of line {}; expected `end`", open.line))
                    );
                }
                open.has_else = true;
                let condition_at = std::mem::replace(&mut open.pending, at);
                self.lead(condition_at, at + 1);
                Statement::Else { end: at }
            }
            "end" => {
                let open = self.open.pop().ok_or_else(|| first.error("an `end` outside of any `if`"))?;
                self.lead(open.pending, at);
                Statement::End
            }
            _ => return Err(first.expected(STATEMENT)),
        };
        self.statements.push(statement);
        Ok(())
    }

    /// Ends the thread, or says what is missing.
    pub(super) fn finish(self) -> Result<Thread, String> {
        if let Some(open) = self.open.last() {
            return Err(format!("expected the `end` of the `if` of line {}", open.line));
        }
        Ok(Thread { name: self.name.to_owned(), registers: self.registers, statements: self.statements })
    }

    /// Makes the `if` or `else` at `from` lead to `to`.
    fn lead(&mut self, from: usize, to: usize) {
        if let Statement::If { otherwise: target, .. } | Statement::Else { end: target } = &mut self.statements[from] {
            *target = to;
        }
    }

    fn assignment(
        &mut self,
        target: Word<'a>,
        line: &mut Line<'a>,
        variables: &HashMap<&'a str, usize>,
    ) -> Result<Statement, ParseError> {
        let into = self.register(target)?;
        self.registers[into].assigned = true;
        let operation = line.peek().map(|word| word.text);
        if !matches!(operation, Some("load" | "fadd" | "xchg" | "cas")) {
            return Ok(Statement::Compute { into, value: self.expression(line)? });
        }
        line.word("an operation")?;
        let variable = variable(line, variables)?;
        Ok(match operation {
            Some("load") => Statement::Load { into, variable, order: line.order(&Orders::LOAD)? },
            Some("fadd") => {
                let addend = self.expression(line)?;
                Statement::FetchAdd { into, variable, addend, order: line.order(&Orders::MODIFY)? }
            }
            Some("xchg") => {
                let value = self.expression(line)?;
                Statement::Exchange { into, variable, value, order: line.order(&Orders::MODIFY)? }
            }
            _ => Statement::CompareExchange {
                into,
                variable,
                current: self.atom(line)?,
                new: self.atom(line)?,
                success: line.order(&Orders::MODIFY)?,
                failure: line.order(&Orders::FAILURE)?,
            },
        })
    }

    fn condition(&mut self, line: &mut Line<'a>) -> Result<Condition<Atom>, ParseError> {
        condition(line, |word| self.atom_of(word))
    }

    fn expression(&mut self, line: &mut Line<'a>) -> Result<Expression, ParseError> {
        let left = self.atom(line)?;
        match line.operator() {
            Some(operator) => Ok(Expression::Binary(left, operator, self.atom(line)?)),
            None => Ok(Expression::Atom(left)),
        }
    }

    fn atom(&mut self, line: &mut Line<'a>) -> Result<Atom, ParseError> {
        let word = line.word("a register or an integer")?;
        self.atom_of(word)
    }

    fn atom_of(&mut self, word: Word<'a>) -> Result<Atom, ParseError> {
        if is_numeric(word.text) {
            return integer(word, word.text).map(Atom::Integer);
        }
        if !is_name(word.text) {
            return Err(word.expected("a register or an integer"));
        }
        self.register(word).map(Atom::Register)
    }

    /// The register of this name; a register is there as soon as it is named, and is 0 until something is assigned.
    fn register(&mut self, word: Word<'a>) -> Result<usize, ParseError> {
        if !is_name(word.text) {
            return Err(word.expected("a register (letters, digits and `_`, not starting with a digit)"));
        }
        if RESERVED.contains(&word.text) {
            return Err(word.error(format!("expected a register, found `{}`, a word of the format", word.text)));
        }
        let next = self.registers.len();
        let index = *self.register_indices.entry(word.text).or_insert(next);
        if index == next {
            self.registers.push(Register { name: word.text.to_owned(), assigned: false });
        }
        Ok(index)
    }
}

/// Reads a condition: comparisons joined by `&&`, to the end of the line.
pub(super) fn condition<'a, A>(
    line: &mut Line<'a>,
    mut atom: impl FnMut(Word<'a>) -> Result<A, ParseError>,
) -> Result<Condition<A>, ParseError> {
    let mut comparisons = Vec::new();
    loop {
        let left = atom(line.word("the left side of a comparison")?)?;
        let comparison = line.comparison()?;
        comparisons.push((left, comparison, atom(line.word("the right side of a comparison")?)?));
        match line.peek() {
            None => return Ok(Condition(comparisons)),
            Some(_) => line.exactly("&&")?,
        }
    }
}

fn variable(line: &mut Line<'_>, variables: &HashMap<&str, usize>) -> Result<usize, ParseError> {
    let word = line.word("a variable")?;
    variables.get(word.text).copied().ok_or_else(|| word.expected("a variable of the `init` line"))
}
