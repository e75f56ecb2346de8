//! A token: all choices of one execution, short enough to be pasted into a command.
//!
//! It is base64 (the alphabet for URLs) of: a version; for each thread, parents first, how many threads it spawns, how
//! many events it has, how many choices follow, and these (see [`Followed`]); and four bytes of the fingerprint, so that
//! the token of an execution that has the same choices but other operations is another. Numbers are in groups of seven bits, lowest first.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use super::cast::Cast;
use super::event::{Kind, Operation};
use super::execution_graph::ExecutionGraph;
use super::guide::{Followed, Guide};
use super::names::Names;
use super::trace::fingerprint;

const VERSION: u8 = 1;

/// Why a token does not lead to an execution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenError {
    token: String,
    why: String,
}

impl TokenError {
    pub(super) fn new(token: &str, why: impl Into<String>) -> Self {
        Self { token: token.to_owned(), why: why.into() }
    }
}

impl fmt::Display for TokenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { token, why } = self;
        write!(
            f,
            "the token `{token}` does not lead to an execution: {why}; expected a token that this program's exploration printed, whole"
        )
    }
}

impl std::error::Error for TokenError {}

/// The token of a graph.
pub(super) fn encode(graph: &ExecutionGraph, names: &Names) -> String {
    let cast = Cast::new(graph, names);
    let mut bytes = vec![VERSION];
    for &thread in &cast.threads {
        let events = || graph.thread(thread).iter().map(|&id| (id, graph.event(id)));
        let choices = events().filter_map(|(id, event)| match (event.kind, event.place) {
            (Kind::Read, _) => Some(cast.code(graph, event.source)),
            (Kind::Write, Some(place)) => Some(graph.position(place, id) as u64 - 1),
            _ => None,
        });
        let choices: Vec<u64> = choices.collect();
        let spawns = events().filter(|(_, event)| matches!(event.step.operation, Operation::Spawn { .. }));
        let counts = [spawns.count(), graph.thread(thread).len(), choices.len()].map(|count| count as u64);
        counts.into_iter().chain(choices).for_each(|number| push_number(&mut bytes, number));
    }
    bytes.extend((fingerprint(graph, names) as u32).to_le_bytes());
    URL_SAFE_NO_PAD.encode(bytes)
}

/// What a token says.
pub(super) fn decode(token: &str) -> Result<Guide, TokenError> {
    let bytes = URL_SAFE_NO_PAD.decode(token).map_err(|error| TokenError::new(token, error.to_string()))?;
    parse(&bytes).ok_or_else(|| TokenError::new(token, "it is cut off, or was made by another version"))
}

fn parse(bytes: &[u8]) -> Option<Guide> {
    let (numbers, _) = bytes.split_last_chunk::<4>()?;
    let (&VERSION, mut numbers) = numbers.split_first()? else { return None };
    let mut threads = Vec::new();
    // How many threads are announced and have not come.
    let mut announced: u64 = 1;
    while announced > 0 {
        let mut next = || take_number(&mut numbers);
        let (children, events, choices) = (next()?, next()?, next()?);
        // A choice takes a byte at least; what claims more is no token, and must not cost memory.
        if choices > bytes.len() as u64 || children > bytes.len() as u64 {
            return None;
        }
        let choices = (0..choices).map(|_| next()).collect::<Option<_>>()?;
        threads.push(Followed::new(children, events, choices));
        announced += children;
        announced -= 1;
    }
    numbers.is_empty().then(|| Guide::new(threads))
}

fn push_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn take_number(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..u64::BITS).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}
