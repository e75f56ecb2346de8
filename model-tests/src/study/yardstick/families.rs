//! The families of programs, and how many executions each has.

use std::fmt;
use std::str::FromStr;

use super::counters::Counters;
use super::programs;
use crate::engine::{Dfs, Engine, EngineName, Graph, Loom, Pct, Program, Random, RealThreads, Shuttle};

/// A program to measure engines by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Yardstick {
    /// N threads: `fetch_add x`. N! executions.
    Ainc(usize),
    /// N threads: `fetch_add x`, `fetch_add y`. (N!)^2 executions.
    Binc(usize),
    /// Thread i of N: `cas x (i - 1) -> i`.
    Casrot(usize),
    /// Thread i of N: `cas x 0 -> 1`, then `store x (i + 3)` with Release.
    Casw(usize),
    /// One thread stores x; thread i of N loads x, then stores x.
    Wrw(usize),
    /// One thread stores x; N threads load it. 2^N executions.
    Readers(usize),
    /// An array of N + 1: a reader looks for the last zero, N writers each store their neighbour's value plus one.
    Lastzero(usize),
    /// T threads count K events each by `fetch_add` in S cells, beside one reader that reads all cells R times.
    Counters(Counters),
    /// The same by an owner's read and a store, each thread in a cell of its own.
    OwnedCounters(Counters),
}

impl Yardstick {
    /// The programs that `yardstick` runs.
    pub const ALL: [Self; 18] = [
        Self::Ainc(7),
        Self::Ainc(8),
        Self::Binc(3),
        Self::Casrot(9),
        Self::Casw(4),
        Self::Casw(5),
        Self::Wrw(3),
        Self::Readers(13),
        Self::Lastzero(10),
        Self::Counters(Counters::new(2, 1, 2, 1)),
        Self::Counters(Counters::new(2, 2, 2, 1)),
        Self::Counters(Counters::new(3, 1, 3, 1)),
        Self::Counters(Counters::new(3, 2, 3, 1)),
        Self::Counters(Counters::new(4, 1, 1, 0)),
        Self::Counters(Counters::new(4, 1, 4, 1)),
        Self::Counters(Counters::new(3, 2, 3, 2)),
        Self::OwnedCounters(Counters::new(3, 2, 3, 2)),
        Self::OwnedCounters(Counters::new(4, 2, 4, 2)),
    ];

    /// The least number of executions that a complete engine can do with: the number of consistent execution graphs.
    pub fn graphs(self) -> Option<u64> {
        let factorial = |n: usize| (1..=n as u64).product::<u64>();
        match self {
            Self::Ainc(n) => Some(factorial(n)),
            Self::Binc(n) => Some(factorial(n).pow(2)),
            Self::Casrot(n) => [1, 2, 5, 14, 43, 144, 523, 2048, 8597].get(n.checked_sub(1)?).copied(),
            Self::Casw(n) => [1, 6, 66, 1200, 32880].get(n.checked_sub(1)?).copied(),
            Self::Wrw(n) => [3, 22, 300, 6576].get(n.checked_sub(1)?).copied(),
            Self::Readers(n) => Some(1 << n),
            Self::Lastzero(n) if n >= 2 => Some((n as u64 + 3) << (n - 2)),
            Self::Lastzero(_) => None,
            Self::Counters(size) | Self::OwnedCounters(size) => size.graphs(),
        }
    }

    /// The program on the engine of this name.
    pub fn on(self, engine: EngineName) -> Program {
        match engine {
            EngineName::Std => self.program::<RealThreads>(),
            EngineName::Loom => self.program::<Loom>(),
            EngineName::ShuttleRandom => self.program::<Shuttle<Random>>(),
            EngineName::ShuttlePct => self.program::<Shuttle<Pct>>(),
            EngineName::ShuttleDfs => self.program::<Shuttle<Dfs>>(),
            EngineName::Graph => self.program::<Graph>(),
        }
    }

    /// The program on an engine.
    pub fn program<E: Engine>(self) -> Program {
        match self {
            Self::Ainc(n) => programs::ainc::<E>(n),
            Self::Binc(n) => programs::binc::<E>(n),
            Self::Casrot(n) => programs::casrot::<E>(n),
            Self::Casw(n) => programs::casw::<E>(n),
            Self::Wrw(n) => programs::wrw::<E>(n),
            Self::Readers(n) => programs::readers::<E>(n),
            Self::Lastzero(n) => programs::lastzero::<E>(n),
            Self::Counters(size) => programs::counters::<E>(size),
            Self::OwnedCounters(size) => programs::owned_counters::<E>(size),
        }
    }
}

impl fmt::Display for Yardstick {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ainc(n) => write!(f, "ainc({n})"),
            Self::Binc(n) => write!(f, "binc({n})"),
            Self::Casrot(n) => write!(f, "casrot({n})"),
            Self::Casw(n) => write!(f, "casw({n})"),
            Self::Wrw(n) => write!(f, "wrw({n})"),
            Self::Readers(n) => write!(f, "readers({n})"),
            Self::Lastzero(n) => write!(f, "lastzero({n})"),
            Self::Counters(size) => write!(f, "counters({size})"),
            Self::OwnedCounters(size) => write!(f, "owned({size})"),
        }
    }
}

impl FromStr for Yardstick {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|yardstick| yardstick.to_string() == name).ok_or_else(|| {
            let known = Self::ALL.map(|yardstick| yardstick.to_string()).join(" ");
            format!("there is no program `{name}`; the programs are {known}")
        })
    }
}
