//! A word that is a solver's term.

use std::cell::RefCell;
use std::io;
use std::ops::{Add, BitOr, Shl, Shr, Sub};

use countersign::Word;
use easy_smt::{Context, SExpr};

/// A term of 64 bits.
#[derive(Clone, Copy)]
pub(super) struct Term<'a> {
    context: &'a RefCell<Context>,
    notes: &'a RefCell<Notes>,
    expression: SExpr,
}

/// What comes up while a formula is run on terms.
#[derive(Default)]
pub(super) struct Notes {
    /// What must hold for the operations not to fault.
    pub(super) preconditions: Vec<(&'static str, SExpr)>,
    /// The first error of the conversation.
    pub(super) error: Option<io::Error>,
    names: u32,
}

/// An operation of words, to be compared on both kinds.
pub(super) struct Operation {
    pub(super) name: &'static str,
    /// On words; `None` where the precondition is not met.
    pub(super) on_words: fn(u64, u64) -> Option<u64>,
    pub(super) on_terms: for<'a> fn(Term<'a>, Term<'a>) -> Term<'a>,
}

/// A table to compare loads on.
const ENTRIES: [u64; 8] = [3, 1, 4, 1, 5, 9, 2, u64::MAX];

pub(super) const OPERATIONS: [Operation; 9] = [
    Operation { name: "add", on_words: u64::checked_add, on_terms: |a, b| a + b },
    Operation { name: "sub", on_words: u64::checked_sub, on_terms: |a, b| a - b },
    Operation { name: "or", on_words: |a, b| Some(a | b), on_terms: |a, b| a | b },
    Operation { name: "shl", on_words: |a, b| (b < 64).then(|| a << b), on_terms: |a, b| a << b },
    Operation { name: "shr", on_words: |a, b| (b < 64).then(|| a >> b), on_terms: |a, b| a >> b },
    Operation { name: "log2", on_words: |a, _| (a != 0).then(|| Word::log2(a)), on_terms: |a, _| a.log2() },
    Operation { name: "smaller", on_words: |a, b| Some(a.smaller(b)), on_terms: |a, b| a.smaller(b) },
    Operation { name: "less", on_words: |a, b| Some(a.less(b)), on_terms: |a, b| a.less(b) },
    Operation { name: "load", on_words: |a, _| Some(a.load(&ENTRIES)), on_terms: |a, _| a.load(&ENTRIES) },
];

impl<'a> Term<'a> {
    pub(super) fn new(context: &'a RefCell<Context>, notes: &'a RefCell<Notes>, expression: SExpr) -> Self {
        Self { context, notes, expression }
    }

    pub(super) fn expression(self) -> SExpr {
        self.expression
    }

    /// The term of this value.
    pub(super) fn of(self, value: u64) -> Self {
        Self { expression: self.context.borrow().binary(64, value), ..self }
    }

    /// Gives an expression a name, since the text sent to the solver would double with each use of it.
    fn named(self, make: impl FnOnce(&Context) -> SExpr) -> Self {
        let mut context = self.context.borrow_mut();
        let mut notes = self.notes.borrow_mut();
        notes.names += 1;
        let body = make(&context);
        let sort = context.bit_vec_sort(context.numeral(u64::BITS));
        match context.define_const(format!("t{}", notes.names), sort, body) {
            Ok(expression) => Self { expression, ..self },
            Err(error) => {
                notes.error.get_or_insert(error);
                self
            }
        }
    }

    fn requires(self, what: &'static str, claim: impl FnOnce(&Context) -> SExpr) {
        self.notes.borrow_mut().preconditions.push((what, claim(&self.context.borrow())));
    }
}

impl Add for Term<'_> {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let sum = self.named(|c| c.bvadd(self.expression, other.expression));
        self.requires("a sum does not overflow", |c| c.bvule(self.expression, sum.expression));
        sum
    }
}

impl Sub for Term<'_> {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self.requires("a difference is not negative", |c| c.bvule(other.expression, self.expression));
        self.named(|c| c.bvsub(self.expression, other.expression))
    }
}

impl BitOr for Term<'_> {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        self.named(|c| c.bvor(self.expression, other.expression))
    }
}

impl Shl for Term<'_> {
    type Output = Self;

    fn shl(self, by: Self) -> Self {
        self.requires("a shift is by less than 64", |c| c.bvult(by.expression, c.binary(64, 64)));
        self.named(|c| c.bvshl(self.expression, by.expression))
    }
}

impl Shr for Term<'_> {
    type Output = Self;

    fn shr(self, by: Self) -> Self {
        self.requires("a shift is by less than 64", |c| c.bvult(by.expression, c.binary(64, 64)));
        self.named(|c| c.bvlshr(self.expression, by.expression))
    }
}

impl Word for Term<'_> {
    fn constant(self, value: u64) -> Self {
        self.of(value)
    }

    fn log2(self) -> Self {
        self.requires("a logarithm is not of 0", |c| c.not(c.eq(self.expression, c.binary(64, 0))));
        // The bits of the logarithm, the highest first: is there anything in the upper half of what is left?
        let mut left = self;
        let mut log = self.of(0);
        for shift in [32, 16, 8, 4, 2, 1] {
            let upper = left.named(|c| c.bvlshr(left.expression, c.binary(64, shift)));
            let is_empty = |c: &Context| c.eq(upper.expression, c.binary(64, 0));
            let added = log.named(|c| c.bvadd(log.expression, c.binary(64, shift)));
            log = log.named(|c| c.ite(is_empty(c), log.expression, added.expression));
            left = left.named(|c| c.ite(is_empty(c), left.expression, upper.expression));
        }
        log
    }

    fn smaller(self, other: Self) -> Self {
        let (a, b) = (self.expression, other.expression);
        self.named(|c| c.ite(c.bvult(a, b), a, b))
    }

    fn less(self, other: Self) -> Self {
        self.named(|c| c.ite(c.bvult(self.expression, other.expression), c.binary(64, 1), c.binary(64, 0)))
    }

    fn load<T: Copy + Into<u64>, const N: usize>(self, table: &[T; N]) -> Self {
        let entries = table.map(Into::into);
        self.named(|c| entry(c, self.expression, &entries))
    }
}

/// The entry of `entries` at `index`: a choice by each bit of the index, the highest first.
fn entry(context: &Context, index: SExpr, entries: &[u64]) -> SExpr {
    if entries.iter().all(|entry| *entry == entries[0]) {
        return context.binary(64, entries[0]);
    }
    let (lower, upper) = entries.split_at(entries.len() / 2);
    let bit = lower.len().ilog2() as i32;
    let is_set = context.eq(context.extract(bit, bit, index), context.binary(1, 1_u8));
    context.ite(is_set, entry(context, index, upper), entry(context, index, lower))
}
