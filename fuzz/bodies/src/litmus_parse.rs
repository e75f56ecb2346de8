//! No text makes the parser of litmus programs panic, and an error has a position in the text.

use std::collections::BTreeSet;

use arbitrary::{Arbitrary, Unstructured};
use countersign_litmus::{Litmus, ParseError, parse};

/// A text is a program whose parts are named once, or has an error with a message at a place that there is.
fn property(text: &str) {
    match parse(text) {
        Ok(Litmus { name, threads, variables, .. }) => {
            assert!(!name.is_empty() && !threads.is_empty());
            let names: BTreeSet<_> = threads.iter().map(|thread| &thread.name).collect();
            assert_eq!(names.len(), threads.len(), "threads of one name");
            let names: BTreeSet<_> = variables.iter().map(|variable| &variable.name).collect();
            assert_eq!(names.len(), variables.len(), "variables of one name");
        }
        Err(error) => {
            let ParseError { line, column, message } = &error;
            let found = line.checked_sub(1).and_then(|line| text.split('\n').nth(line));
            let in_line = found.is_some_and(|found| (1..=found.chars().count() + 1).contains(column));
            assert!(in_line, "{error}: there is no such place");
            assert!(!message.is_empty());
            assert!(error.to_string().starts_with(&format!("{line}:{column}: ")));
        }
    }
}

/// Runs the body: on the bytes as text, or, if the first is 0, on words that the rest chooses.
pub fn run(data: &[u8]) {
    match data.split_first() {
        Some((0, rest)) => {
            if let Ok(pieces) = Vec::<Piece>::arbitrary_take_rest(Unstructured::new(rest)) {
                property(&pieces.iter().map(Piece::text).collect::<String>());
            }
        }
        _ => property(&String::from_utf8_lossy(data)),
    }
}

#[derive(Arbitrary, Debug)]
enum Piece {
    Word(u8),
    EndOfLine,
    Number(i64),
    Character(char),
}

impl Piece {
    fn text(&self) -> String {
        match self {
            Self::Word(word) => format!("{} ", WORDS[usize::from(*word) % WORDS.len()]),
            Self::EndOfLine => "\n".to_owned(),
            Self::Number(number) => format!("{number} "),
            Self::Character(character) => character.to_string(),
        }
    }
}

/// Words of the format, and lines that lead far into it.
const WORDS: [&str; 44] = [
    "litmus p\n",
    "litmus p\ninit x=0 y=0\nthread P0\n",
    "thread P1\n",
    "init",
    "x=0",
    "y=1",
    "thread",
    "P0",
    "P1",
    "r =",
    "s =",
    "load x",
    "load y",
    "store x",
    "store y",
    "fadd x",
    "xchg x",
    "cas x",
    "fence",
    "rlx",
    "acq",
    "rel",
    "ar",
    "sc",
    "if r == 0\n",
    "else\n",
    "end\n",
    "assume",
    "assert",
    "forbid",
    "==",
    "!=",
    "<",
    "&&",
    "+",
    "-",
    "final",
    "P0.r",
    "genmc",
    "expect",
    "outcomes",
    "outcome",
    "P0.r=0",
    "|",
];
