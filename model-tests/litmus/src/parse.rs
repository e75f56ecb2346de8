//! Parses litmus programs: the lines before, between and after the threads' statements.

mod statement;

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::Path;

use super::program::{Check, Condition, Expected, FinalAtom, FinalCheck, Litmus, Thread, Variable};
use super::words::{Line, ParseError, Word, integer, is_name, is_numeric, lines};
use statement::{OpenThread, condition};

/// Reads a litmus program from a file. The error names the file, and the line and column where there is one.
pub fn read(path: &Path) -> Result<Litmus, String> {
    let shown = path.display();
    let bytes = fs::read(path).map_err(|error| format!("{shown}: cannot be read: {error}"))?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let valid = String::from_utf8_lossy(&error.as_bytes()[..error.utf8_error().valid_up_to()]).into_owned();
        format!("{shown}:{}", end_of(&valid, "expected UTF-8 text, found a byte that is not"))
    })?;
    parse(&text).map_err(|error| format!("{shown}:{error}"))
}

/// Parses a litmus program.
pub fn parse(text: &str) -> Result<Litmus, ParseError> {
    let mut parser = Parser::default();
    for mut line in lines(text) {
        parser.line(&mut line)?;
        line.finish()?;
    }
    parser.finish().map_err(|message| end_of(text, &message))
}

/// An error at the end of a text.
fn end_of(text: &str, message: &str) -> ParseError {
    let last = text.rsplit('\n').next().unwrap_or_default();
    ParseError { line: text.split('\n').count(), column: last.chars().count() + 1, message: message.to_owned() }
}

/// What was read so far.
#[derive(Default)]
struct Parser<'a> {
    name: Option<&'a str>,
    variables: Vec<Variable>,
    variable_indices: HashMap<&'a str, usize>,
    threads: Vec<Thread>,
    thread_indices: HashMap<&'a str, usize>,
    /// The thread whose statements are being read.
    open: Option<OpenThread<'a>>,
    finals: Vec<FinalCheck>,
    expected: Expected,
    outcomes: Option<OutcomeList>,
    /// The kinds of line, of those that may stand only once, that were read.
    once: BTreeSet<&'static str>,
}

/// The outcomes as they are being read.
struct OutcomeList {
    announced: u64,
    /// What an outcome must name, in this order.
    registers: Vec<String>,
    variables: Vec<String>,
    read: BTreeSet<String>,
}

const HEADER: &str = "a header line (source, tags or init) or `thread`";
const FOOTER: &str = "a footer line (final, genmc, expect, mismatch, note, outcomes or outcome)";

impl<'a> Parser<'a> {
    fn line(&mut self, line: &mut Line<'a>) -> Result<(), ParseError> {
        let first = line.word("a line")?;
        if self.name.is_none() {
            return self.title(first, line);
        }
        let assigns = line.peek_after(0) == Some("=");
        if let Some(thread) = self.open.as_mut().filter(|_| assigns || !leaves_a_thread(first.text)) {
            return thread.statement(first, line, &self.variable_indices);
        }
        if first.text == "thread" && (self.threads.is_empty() || self.open.is_some()) {
            self.close_thread_at(first)?;
            return self.open_thread(line);
        }
        if self.open.is_none() && self.threads.is_empty() { self.header(first, line) } else { self.footer(first, line) }
    }

    fn title(&mut self, first: Word<'a>, line: &mut Line<'a>) -> Result<(), ParseError> {
        if first.text != "litmus" {
            return Err(first.expected("`litmus` and the program's name"));
        }
        self.name = Some(line.word("the program's name")?.text);
        Ok(())
    }

    fn header(&mut self, first: Word<'a>, line: &mut Line<'a>) -> Result<(), ParseError> {
        match first.text {
            "source" => self.once("source", first)?,
            "tags" => self.once("tags", first)?,
            "init" => {
                self.once("init", first)?;
                while line.peek().is_some() {
                    self.variable(line.word("a variable")?)?;
                }
            }
            _ => return Err(first.expected(HEADER)),
        }
        // A program's source and its kinds are for the reader.
        line.skip_text();
        Ok(())
    }

    fn variable(&mut self, word: Word<'a>) -> Result<(), ParseError> {
        let what = "a variable and its initial value, as in `x=0`";
        let (name, value) = word.text.split_once('=').ok_or_else(|| word.expected(what))?;
        if !is_name(name) {
            return Err(word.expected(what));
        }
        let initial = integer(word, value)?;
        if self.variable_indices.insert(name, self.variables.len()).is_some() {
            return Err(word.error(format!("the variable `{name}` is declared twice; expected a new name")));
        }
        self.variables.push(Variable { name: name.to_owned(), initial });
        Ok(())
    }

    fn open_thread(&mut self, line: &mut Line<'a>) -> Result<(), ParseError> {
        let name = line.name("the thread's name")?;
        if self.thread_indices.insert(name.text, self.threads.len()).is_some() {
            return Err(name.error(format!("there are two threads `{}`; expected a new name", name.text)));
        }
        self.open = Some(OpenThread::new(name.text));
        Ok(())
    }

    /// Ends the thread that is being read, or says what it lacks.
    fn close_thread(&mut self) -> Result<(), String> {
        if let Some(open) = self.open.take() {
            self.threads.push(open.finish()?);
        }
        Ok(())
    }

    fn close_thread_at(&mut self, word: Word<'_>) -> Result<(), ParseError> {
        self.close_thread().map_err(|message| word.error(format!("{message}, found `{}`", word.text)))
    }

    fn footer(&mut self, first: Word<'a>, line: &mut Line<'a>) -> Result<(), ParseError> {
        if !leaves_a_thread(first.text) || first.text == "thread" {
            return Err(first.expected(FOOTER));
        }
        self.close_thread_at(first)?;
        match first.text {
            "final" => {
                let kind = line.word("`assert` or `forbid`")?;
                let must_hold = match kind.text {
                    "assert" => true,
                    "forbid" => false,
                    _ => return Err(kind.expected("`assert` or `forbid`")),
                };
                let condition = self.final_condition(line)?;
                self.finals.push(Check { condition, must_hold, line: first.line });
            }
            // GenMC's count is for the reader: where it differs from `expect`, a mismatch line says why.
            "genmc" => {
                self.once("genmc", first)?;
                line.count("GenMC's number of executions")?;
            }
            "expect" => {
                self.once("expect", first)?;
                self.expected.executions = Some(line.count("the number of executions")?);
            }
            "mismatch" => {
                self.once("mismatch", first)?;
                line.skip_text();
            }
            "note" => line.skip_text(),
            "outcomes" => {
                self.once("outcomes", first)?;
                let announced = line.count("the number of outcomes")?;
                let (registers, variables) = self.outcome_names();
                self.outcomes = Some(OutcomeList { announced, registers, variables, read: BTreeSet::new() });
            }
            _ => self
                .outcomes
                .as_mut()
                .ok_or_else(|| first.error("expected a line `outcomes` with the number of outcomes before the first"))?
                .outcome(line)?,
        }
        Ok(())
    }

    fn final_condition(&self, line: &mut Line<'a>) -> Result<Condition<FinalAtom>, ParseError> {
        condition(line, |word| {
            if is_numeric(word.text) {
                return integer(word, word.text).map(FinalAtom::Integer);
            }
            let Some((thread, register)) = word.text.split_once('.') else {
                let index = self.variable_indices.get(word.text);
                return index.map(|&index| FinalAtom::Variable(index)).ok_or_else(|| {
                    word.expected("a register as in `P0.r`, a variable of the `init` line, or an integer")
                });
            };
            let index = self.thread_indices.get(thread).copied();
            let thread = index.ok_or_else(|| word.error(format!("there is no thread `{thread}`; expected one")))?;
            let found = self.threads[thread].registers.iter().position(|known| known.name == register);
            found.map(|register| FinalAtom::Register { thread, register }).ok_or_else(|| {
                let thread = &self.threads[thread].name;
                word.error(format!("thread `{thread}` has no register `{register}`; expected one that it uses"))
            })
        })
    }

    /// What an outcome names: registers, and variables.
    fn outcome_names(&self) -> (Vec<String>, Vec<String>) {
        let name = |thread: &Thread, register: usize| format!("{}.{}", thread.name, thread.registers[register].name);
        let registers = self
            .threads
            .iter()
            .flat_map(|thread| thread.outcome_registers().into_iter().map(move |register| name(thread, register)));
        (registers.collect(), self.variables.iter().map(|variable| variable.name.clone()).collect())
    }

    fn once(&mut self, kind: &'static str, word: Word<'_>) -> Result<(), ParseError> {
        if self.once.insert(kind) { Ok(()) } else { Err(word.error(format!("a second line `{kind}`; expected one"))) }
    }

    fn finish(mut self) -> Result<Litmus, String> {
        let name = self.name.ok_or("expected `litmus` and the program's name, found the end of the file")?;
        self.close_thread().map_err(|message| format!("{message}, found the end of the file"))?;
        if self.threads.is_empty() {
            return Err(format!("expected {HEADER}, found the end of the file"));
        }
        if let Some(OutcomeList { announced, read, .. }) = self.outcomes {
            if announced != read.len() as u64 {
                return Err(format!("expected {announced} lines `outcome`, as announced, found {}", read.len()));
            }
            self.expected.outcomes = Some(read);
        }
        let Self { variables, threads, finals, expected, .. } = self;
        Ok(Litmus { name: name.to_owned(), variables, threads, finals, expected })
    }
}

impl OutcomeList {
    fn outcome(&mut self, line: &mut Line<'_>) -> Result<(), ParseError> {
        let start = line.peek();
        let mut text = String::new();
        for register in &self.registers {
            text += &format!("{register}={} ", value_of(register, line)?);
        }
        line.exactly("|")?;
        text.push('|');
        for variable in &self.variables {
            text += &format!(" {variable}={}", value_of(variable, line)?);
        }
        match start {
            Some(word) if !self.read.insert(text) => Err(word.error("this outcome is listed twice; expected another")),
            _ => Ok(()),
        }
    }
}

/// The value in a word `name=value`.
fn value_of(name: &str, line: &mut Line<'_>) -> Result<i64, ParseError> {
    let what = format!("`{name}=` and its value");
    let word = line.word(&what)?;
    let value =
        word.text.strip_prefix(name).and_then(|rest| rest.strip_prefix('=')).ok_or_else(|| word.expected(&what))?;
    integer(word, value)
}

/// Whether a line that begins with this word ends a thread's statements.
fn leaves_a_thread(word: &str) -> bool {
    matches!(word, "thread" | "final" | "genmc" | "expect" | "mismatch" | "note" | "outcomes" | "outcome")
}
