//! From text to lines of words, and from words to what the format is made of: names, integers, orderings.

use std::error::Error;
use std::fmt;

use super::program::{Comparison, Operator, Order};

/// Why a text is not a litmus program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// The line, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
    /// What was expected and what was found.
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, column, message } = self;
        write!(f, "{line}:{column}: {message}")
    }
}

impl Error for ParseError {}

/// A word and where it stands.
#[derive(Clone, Copy)]
pub(super) struct Word<'a> {
    pub(super) text: &'a str,
    pub(super) line: usize,
    pub(super) column: usize,
}

impl Word<'_> {
    pub(super) fn error(&self, message: impl Into<String>) -> ParseError {
        ParseError { line: self.line, column: self.column, message: message.into() }
    }

    pub(super) fn expected(&self, what: &str) -> ParseError {
        self.error(format!("expected {what}, found `{}`", self.text))
    }
}

/// The words of one line that are not read yet.
pub(super) struct Line<'a> {
    words: Vec<Word<'a>>,
    next: usize,
    /// Where the line ends: the place of what is missing.
    end: Word<'a>,
}

/// The lines that hold anything but blanks and comments.
pub(super) fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    text.split('\n').enumerate().map(|(index, text)| Line::new(index + 1, text)).filter(|line| !line.words.is_empty())
}

/// The orderings that an operation may have, and how an error names them.
pub(super) struct Orders {
    allowed: &'static [Order],
    what: &'static str,
}

impl Orders {
    pub(super) const LOAD: Self = Self {
        allowed: &[Order::Plain, Order::Relaxed, Order::Acquire, Order::SeqCst],
        what: "an ordering of a load (na, rlx, acq or sc)",
    };
    pub(super) const STORE: Self = Self {
        allowed: &[Order::Plain, Order::Relaxed, Order::Release, Order::SeqCst],
        what: "an ordering of a store (na, rlx, rel or sc)",
    };
    pub(super) const MODIFY: Self = Self {
        allowed: &[Order::Relaxed, Order::Acquire, Order::Release, Order::AcqRel, Order::SeqCst],
        what: "an ordering of a read-modify-write (rlx, acq, rel, ar or sc)",
    };
    pub(super) const FAILURE: Self = Self {
        allowed: &[Order::Relaxed, Order::Acquire, Order::SeqCst],
        what: "an ordering of a failed compare-exchange, which is a read (rlx, acq or sc)",
    };
    pub(super) const FENCE: Self = Self {
        allowed: &[Order::Acquire, Order::Release, Order::AcqRel, Order::SeqCst],
        what: "an ordering of a fence (acq, rel, ar or sc)",
    };
}

impl<'a> Line<'a> {
    fn new(number: usize, text: &'a str) -> Self {
        let text = text.split('#').next().unwrap_or_default().trim_end();
        let mut words = Vec::new();
        let mut column = 1;
        for part in text.split_inclusive(char::is_whitespace) {
            let word = part.trim_end();
            if !word.is_empty() {
                words.push(Word { text: word, line: number, column });
            }
            column += part.chars().count();
        }
        Self { words, next: 0, end: Word { text: "", line: number, column } }
    }

    pub(super) fn peek(&self) -> Option<Word<'a>> {
        self.words.get(self.next).copied()
    }

    /// The word `ahead` places after the next.
    pub(super) fn peek_after(&self, ahead: usize) -> Option<&'a str> {
        self.words.get(self.next + ahead).map(|word| word.text)
    }

    /// The next word, or an error that says what should have been there.
    pub(super) fn word(&mut self, what: &str) -> Result<Word<'a>, ParseError> {
        let word = self.peek().ok_or_else(|| self.end.error(format!("expected {what}, found the end of the line")))?;
        self.next += 1;
        Ok(word)
    }

    /// Reads the next word if it is `text`.
    pub(super) fn accept(&mut self, text: &str) -> bool {
        let found = self.peek().is_some_and(|word| word.text == text);
        self.next += usize::from(found);
        found
    }

    pub(super) fn exactly(&mut self, text: &str) -> Result<(), ParseError> {
        let what = format!("`{text}`");
        let word = self.word(&what)?;
        if word.text == text { Ok(()) } else { Err(word.expected(&what)) }
    }

    /// Takes the rest of the line for a text that is written for people.
    pub(super) fn skip_text(&mut self) {
        self.next = self.words.len();
    }

    /// Makes sure that nothing is left.
    pub(super) fn finish(&self) -> Result<(), ParseError> {
        self.peek().map_or(Ok(()), |word| Err(word.expected("the end of the line")))
    }

    pub(super) fn name(&mut self, what: &str) -> Result<Word<'a>, ParseError> {
        let word = self.word(what)?;
        if is_name(word.text) {
            Ok(word)
        } else {
            Err(word.expected(&format!("{what} (letters, digits and `_`, not starting with a digit)")))
        }
    }

    pub(super) fn count(&mut self, what: &str) -> Result<u64, ParseError> {
        let word = self.word(what)?;
        let is_number = word.text.bytes().all(|byte| byte.is_ascii_digit());
        word.text.parse().ok().filter(|_| is_number).ok_or_else(|| word.expected(&format!("{what} (a number)")))
    }

    pub(super) fn order(&mut self, orders: &Orders) -> Result<Order, ParseError> {
        let word = self.word(orders.what)?;
        order(word.text).filter(|order| orders.allowed.contains(order)).ok_or_else(|| word.expected(orders.what))
    }

    pub(super) fn comparison(&mut self) -> Result<Comparison, ParseError> {
        let what = "a comparison (==, !=, <, <=, > or >=)";
        let word = self.word(what)?;
        match word.text {
            "==" => Ok(Comparison::Equal),
            "!=" => Ok(Comparison::NotEqual),
            "<" => Ok(Comparison::Less),
            "<=" => Ok(Comparison::LessOrEqual),
            ">" => Ok(Comparison::Greater),
            ">=" => Ok(Comparison::GreaterOrEqual),
            _ => Err(word.expected(what)),
        }
    }

    /// Reads an arithmetic operator if one is next.
    pub(super) fn operator(&mut self) -> Option<Operator> {
        let operator = match self.peek()?.text {
            "+" => Operator::Add,
            "-" => Operator::Subtract,
            "*" => Operator::Multiply,
            "^" => Operator::Xor,
            _ => return None,
        };
        self.next += 1;
        Some(operator)
    }
}

pub(super) fn is_name(text: &str) -> bool {
    !text.starts_with(|first: char| first.is_ascii_digit())
        && !text.is_empty()
        && text.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

/// Whether a word is meant as an integer.
pub(super) fn is_numeric(text: &str) -> bool {
    text.trim_start_matches('-').starts_with(|first: char| first.is_ascii_digit())
}

/// The integer that a word writes.
pub(super) fn integer(word: Word<'_>, text: &str) -> Result<i64, ParseError> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(word.expected("an integer"));
    }
    text.parse().map_err(|_| word.error(format!("`{text}` does not fit in 64 bits; expected an integer that does")))
}

fn order(text: &str) -> Option<Order> {
    match text {
        "na" => Some(Order::Plain),
        "rlx" => Some(Order::Relaxed),
        "acq" => Some(Order::Acquire),
        "rel" => Some(Order::Release),
        "ar" => Some(Order::AcqRel),
        "sc" => Some(Order::SeqCst),
        _ => None,
    }
}
