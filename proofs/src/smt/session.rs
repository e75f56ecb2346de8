//! The conversation with the solver: its questions, and what their answers prove.

use std::cell::RefCell;
use std::io;

use countersign::Formula;
use easy_smt::{Context, ContextBuilder, Response, SExpr};

use super::solver::solver;
use super::term::{self, Term};
use crate::failure::Failure;
use crate::law::{self, Refutation};

/// The longest that the solver may think about one question.
const MILLISECONDS: u32 = 60_000;

/// Proves that the formula of `F` keeps the law for all sizes of 64 bits.
pub fn prove<F: Formula>(upper_bounds: &[u64]) -> Result<(), Failure> {
    let mut session = Session::start().map_err(|error| undecided(&error))?;
    session.prove::<F>(upper_bounds).map_err(|error| undecided(&error))?
}

/// Whether each operation of a term means what it means on `u64`, tried on all pairs of `values`: the names of those that
/// do not.
pub fn operations_that_differ(values: &[u64]) -> io::Result<Vec<&'static str>> {
    let session = Session::start()?;
    let mut different = Vec::new();
    for operation in term::OPERATIONS {
        let mut differs = Vec::new();
        for (a, b) in values.iter().flat_map(|a| values.iter().map(|b| (*a, *b))) {
            if let Some(expected) = (operation.on_words)(a, b) {
                let term = (operation.on_terms)(session.size().of(a), session.size().of(b));
                differs.push(session.not_equal(term, expected));
            }
        }
        let any = session.context.borrow().or_many(differs);
        if session.find(&[any])?.is_some() {
            different.push(operation.name);
        }
    }
    Ok(different)
}

/// A conversation with the solver about one size.
struct Session {
    context: RefCell<Context>,
    size: SExpr,
    notes: RefCell<term::Notes>,
}

impl Session {
    fn start() -> io::Result<Self> {
        let program = solver().map_err(io::Error::other)?;
        let mut context = ContextBuilder::new().solver(program).solver_args(["-smt2", "-in"]).build()?;
        context.set_option(":timeout", context.numeral(MILLISECONDS))?;
        context.set_logic("QF_BV")?;
        let sort = context.bit_vec_sort(context.numeral(u64::BITS));
        let size = context.declare_const("size", sort)?;
        Ok(Self { context: RefCell::new(context), size, notes: RefCell::default() })
    }

    fn size(&self) -> Term<'_> {
        Term::new(&self.context, &self.notes, self.size)
    }

    fn prove<F: Formula>(&mut self, upper_bounds: &[u64]) -> io::Result<Result<(), Failure>> {
        let class = F::class(self.size()).expression();
        let term::Notes { preconditions, error, .. } = self.notes.take();
        if let Some(error) = error {
            return Err(error);
        }
        for (precondition, claim) in preconditions {
            let broken = self.context.get_mut().not(claim);
            if let Some(size) = self.find(&[broken])? {
                return Ok(Err(Failure::Faults { size, precondition }));
            }
        }
        for lawful in 0..upper_bounds.len() {
            let (smallest, largest) = law::sizes(upper_bounds, lawful);
            let context = self.context.get_mut();
            let word = |value: u64| context.binary(64, value);
            let in_it = [context.bvule(word(smallest), self.size), context.bvule(self.size, word(largest))];
            let elsewhere = context.not(context.eq(class, word(lawful as u64)));
            if let Some(size) = self.find(&[in_it[0], in_it[1], elsewhere])? {
                let class = F::class(size) as usize;
                return Ok(Err(Failure::Refuted(Refutation { size, class, lawful })));
            }
        }
        Ok(Ok(()))
    }

    fn not_equal(&self, term: Term<'_>, value: u64) -> SExpr {
        let context = self.context.borrow();
        context.not(context.eq(term.expression(), context.binary(64, value)))
    }

    /// A size for which all of these hold, or `None` if there is none.
    fn find(&self, claims: &[SExpr]) -> io::Result<Option<u64>> {
        let context = &mut *self.context.borrow_mut();
        context.push()?;
        for claim in claims {
            context.assert(*claim)?;
        }
        let found = match context.check()? {
            Response::Unsat => None,
            Response::Sat => {
                let value = context.get_value(vec![self.size])?[0].1;
                let size = context.get_u64(value);
                Some(size.ok_or_else(|| io::Error::other("the solver names a size that is no number"))?)
            }
            Response::Unknown => return Err(io::Error::other("the solver gave up")),
        };
        context.pop()?;
        Ok(found)
    }
}

fn undecided(error: &io::Error) -> Failure {
    Failure::Undecided(format!("the solver did not decide: {error}"))
}
