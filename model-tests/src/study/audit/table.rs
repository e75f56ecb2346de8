//! The table: the programs, what is so, and what each engine is known to get wrong.

use std::collections::BTreeSet;
use std::time::Duration;

use super::entry::{Answer, BUDGET, Entry, Expectation, Pin};
use super::programs::{coherence, ordering, threads};
use crate::engine::EngineName::{self, Loom, ShuttleDfs, ShuttlePct, ShuttleRandom, Std};
use crate::engine::{Budget, Dfs, Graph, Pct, PerEngine, Program, Random, RealThreads, Shuttle};
use crate::verdict::{Claim, Outcome};

/// The programs.
pub fn entries() -> Vec<Entry> {
    [ordering_entries(), cell_entries(), known_differences(), thread_entries(), ends()].concat()
}

/// A program on every engine.
macro_rules! on_each {
    ($program:path) => {{
        use $program as program;
        PerEngine {
            std: program::<RealThreads> as fn() -> Program,
            loom: program::<crate::engine::Loom>,
            shuttle_random: program::<Shuttle<Random>>,
            shuttle_pct: program::<Shuttle<Pct>>,
            shuttle_dfs: program::<Shuttle<Dfs>>,
            graph: program::<Graph>,
        }
    }};
}

fn ordering_entries() -> Vec<Entry> {
    vec![
        entry("message_passing/relaxed", on_each!(ordering::relaxed_message))
            .about("data, then a flag, all relaxed; the reader's flag and data", "MP: Alglave et al., TOPLAS 2014")
            .allows(pairs(&[(0, 0), (0, 1), (1, 0), (1, 1)]))
            .interleaves(pairs(&[(0, 0), (0, 1), (1, 1)])),
        entry("message_passing/release", on_each!(ordering::released_message))
            .about("the flag is stored with Release, loaded with Acquire", "MP: Alglave et al., TOPLAS 2014")
            .allows(pairs(&[(0, 0), (0, 1), (1, 1)])),
        entry("message_passing/fences", on_each!(ordering::fenced_message))
            .about("a Release fence before the flag, an Acquire fence after it", "C++20 [atomics.fences]")
            .allows(pairs(&[(0, 0), (0, 1), (1, 1)])),
        entry("store_buffering/relaxed", on_each!(ordering::relaxed_buffering))
            .about("each of two threads stores to its cell, then loads the other's", "SB: Alglave et al., TOPLAS 2014")
            .allows(pairs(&[(0, 0), (0, 1), (1, 0), (1, 1)]))
            .interleaves(pairs(&[(0, 1), (1, 0), (1, 1)])),
        entry("store_buffering/seq_cst", on_each!(ordering::seq_cst_buffering))
            .about("the same, with SeqCst accesses", "C++20 [atomics.order]")
            .allows(pairs(&[(0, 1), (1, 0), (1, 1)]))
            .pinned(
                Loom,
                Expectation::Invents(pairs(&[(0, 0)])),
                "SeqCst accesses act as AcqRel",
                "tokio-rs/loom #180",
            ),
        entry("store_buffering/fences", on_each!(ordering::fenced_buffering))
            .about("the same, with a SeqCst fence between relaxed accesses", "C++20 [atomics.order]")
            .allows(pairs(&[(0, 1), (1, 0), (1, 1)])),
        entry("load_buffering", on_each!(ordering::load_buffering))
            .about("each of two threads loads the other's cell, then stores to its own", "LB: Lahav et al., PLDI 2017")
            .allows(pairs(&[(0, 0), (0, 1), (1, 0)])),
        entry("independent_reads/acquire", on_each!(ordering::acquired_iriw))
            .about("two threads write a cell each, two read both in opposite orders", "IRIW: Boehm and Adve, PLDI 2008")
            .allows(bits(4, |_| true))
            .interleaves(bits(4, |seen| seen != [1, 0, 1, 0])),
        entry("independent_reads/seq_cst", on_each!(ordering::seq_cst_iriw))
            .about("the same, with SeqCst accesses", "IRIW: Boehm and Adve, PLDI 2008")
            .allows(bits(4, |seen| seen != [1, 0, 1, 0]))
            .pinned(
                Loom,
                Expectation::Invents(outcomes([vec![1, 0, 1, 0]])),
                "SeqCst accesses act as AcqRel",
                "tokio-rs/loom #180",
            ),
        entry("release_sequence", on_each!(ordering::release_sequence))
            .about("a relaxed exchange 1 -> 2 by a third thread carries the flag's Release on", "C++20 [intro.races]")
            .allows(pairs(&[(0, 0), (0, 1), (1, 1), (2, 1)])),
    ]
}

fn cell_entries() -> Vec<Entry> {
    vec![
        entry("coherence/two_looks", on_each!(coherence::two_looks))
            .about("one thread stores 1, then 2; two looks at it", "CoRR, CoWW: Alglave et al., TOPLAS 2014")
            .allows(pairs(&ASCENDING)),
        entry("coherence/two_writers", on_each!(coherence::two_writers))
            .about(
                "a thread stores 1, one stores 2 and reads it back; one looks twice",
                "CoRR: Alglave et al., TOPLAS 2014",
            )
            .allows(agreeing_looks()),
        entry("coherence/own_write", on_each!(coherence::own_write))
            .about("a thread reads back what it stored, beside a store of 2", "CoWR: Alglave et al., TOPLAS 2014")
            .allows(pairs(&[(1, 1), (1, 2), (2, 2)])),
        entry("atomicity", on_each!(coherence::two_additions))
            .about("two fetch_add: what each found, and the last value", "RC11 atomicity: Lahav et al., PLDI 2017")
            .allows(outcomes([vec![0, 1, 2], vec![1, 0, 2]])),
        entry("owner/owners_read", on_each!(coherence::owners_read))
            .about("one thread counts twice by load_owned and store; two looks", "CoRR")
            .allows(pairs(&ASCENDING)),
        entry("claim/exchange_alone", on_each!(coherence::exchange_alone))
            .about("one thread exchanges 0 -> 1; two looks", "CoRR")
            .allows(pairs(&[(0, 0), (0, 1), (1, 1)])),
    ]
}

/// What loom is known to get wrong. The engine refuses the last three programs; here loom is asked all the same.
fn known_differences() -> Vec<Entry> {
    const REPLACED: &str = "a store that is read after one's own is no longer known to be older than its thread's next";
    const NEWEST: &str = "an exchange that fails is a load, but reads the newest write only";
    const FORGETS: &str =
        "only the last 7 writes of an atomic are kept; the engine refuses a cell where more could matter";
    const MIXED: &str =
        "a read-modify-write may be taken for newer than a store that follows it; the engine refuses the cell";
    const HOLE: &str = "of each atomic only the latest access is remembered, so a thread's own load hides the reader's";
    let unseen = || pairs(&[(0, 1), (1, 1)]);
    vec![
        entry("owner/plain_load", on_each!(coherence::plain_owner_load))
            .about("one thread counts twice by a plain load and store; two looks", "CoRR")
            .allows(pairs(&ASCENDING))
            .pinned(Loom, Expectation::Misses(pairs(&ASCENDING[1..])), HOLE, "tokio-rs/loom #166"),
        entry("claim/look_then_exchange", on_each!(coherence::look_then_exchange))
            .about("one thread looks, then exchanges 0 -> 1; two looks", "CoRR")
            .allows(pairs(&[(0, 0), (0, 1), (1, 1)]))
            .pinned(Loom, Expectation::Misses(unseen()), HOLE, "tokio-rs/loom #166"),
        entry("mark/look_then_raise", on_each!(coherence::look_then_raise))
            .about("one thread looks at a mark, then raises it by fetch_max; two looks", "CoRR")
            .allows(pairs(&[(0, 0), (0, 1), (1, 1)]))
            .pinned(Loom, Expectation::Misses(unseen()), HOLE, "tokio-rs/loom #166"),
        entry("coherence/overwritten", on_each!(coherence::overwritten))
            .about("a thread stores 1 and reads it back, beside stores of 2, then 3; the last value", "CoWR, CoRW")
            .allows(pairs(&[(1, 1), (1, 3), (2, 3), (3, 3)]))
            .pinned(Loom, Expectation::Invents(pairs(&[(2, 2)])), REPLACED, "loom 0.7.3, `apply_load_coherence`"),
        entry("stale_exchange", on_each!(coherence::stale_exchange))
            .about("message passing, the data read by an exchange that fails", "C++20 [atomics.types.operations]")
            .allows(pairs(&[(0, 0), (0, 1), (1, 0), (1, 1)]))
            .interleaves(pairs(&[(0, 0), (0, 1), (1, 1)]))
            .pinned(Loom, Expectation::Misses(pairs(&[(1, 0)])), NEWEST, "loom 0.7.3, `match_rmw_to_stores`"),
        entry("far_behind", on_each!(coherence::far_behind))
            .about("20 stores and a flag, all relaxed; the reader's flag and value", "MP: Alglave et al., TOPLAS 2014")
            .allows(behind(0..=coherence::HISTORY))
            .interleaves(behind(coherence::HISTORY..=coherence::HISTORY))
            .pinned(
                Loom,
                Expectation::Misses(outcomes((0..=13).map(|value| vec![1, value]))),
                FORGETS,
                "tokio-rs/loom #111, `MAX_ATOMIC_HISTORY`",
            ),
        entry("addition_beside_store", on_each!(coherence::addition_beside_store))
            .about("store 10 beside fetch_add 1: what it found, and the last value", "RC11 atomicity")
            .allows(pairs(&[(0, 10), (10, 11)]))
            .pinned(Loom, Expectation::Invents(pairs(&[(0, 1)])), MIXED, "tokio-rs/loom #254, #282, #389"),
        entry("swap_beside_store", on_each!(coherence::swap_beside_store))
            .about("store 10 beside swap 1: what it found, and the last value", "RC11 atomicity")
            .allows(pairs(&[(0, 10), (10, 1)]))
            .pinned(Loom, Expectation::Invents(pairs(&[(0, 1)])), MIXED, "tokio-rs/loom #254, #389"),
    ]
}

fn thread_entries() -> Vec<Entry> {
    vec![
        entry("mutex", on_each!(threads::mutex))
            .about("what is done under a mutex is seen under it", "C++20 [thread.mutex.requirements]")
            .allows(pairs(&[(0, 0), (1, 1)])),
        entry("spawn", on_each!(threads::spawn))
            .about("what is done before a spawn is seen by the child", "std::thread::spawn")
            .allows(outcomes([vec![1]]))
            // The threads never run at once, so there is no priority to change.
            .not_on(ShuttlePct),
        entry("join", on_each!(threads::join))
            .about("what a thread did is seen after its join", "std::thread::JoinHandle::join")
            .allows(outcomes([vec![1]]))
            // The threads never run at once, so there is no priority to change.
            .not_on(ShuttlePct),
        entry("exit", on_each!(threads::exit))
            .about("what the destructor of a thread's own value did is seen after its join", "JoinHandle::join")
            .allows(outcomes([vec![1]]))
            // The threads never run at once, so there is no priority to change.
            .not_on(ShuttlePct),
    ]
}

fn ends() -> Vec<Entry> {
    const NO_CLAIM: &str = "who writes a cell is not checked: the owner's read is an ordinary load";
    const READ: &str = "engine/shuttle.rs, `load_owned`";
    vec![
        entry("six_threads", on_each!(threads::six_threads))
            .about("six threads alive at once, the main one included", "none of them does anything")
            .allows(outcomes([vec![]]))
            .pinned(
                Loom,
                Expectation::Instead([Answer::Truncated].into()),
                "at most 5 threads, the main one included",
                "loom::MAX_THREADS",
            ),
        entry("out_of_budget", on_each!(coherence::two_additions))
            .about("an exploration that may not come to its end is truncated", "the engine's contract")
            .allows([Answer::Truncated].into())
            .budget(Budget { executions: 1, samples: u64::MAX, time: Duration::from_millis(20) }),
        entry("deadlock", on_each!(threads::deadlock))
            .about("two mutexes, taken in opposite orders, are a failure", "the engine's contract")
            .allows(fails(Claim::NoDeadlock))
            // Real threads would hang.
            .not_on(Std),
        entry("panic", on_each!(threads::panic))
            .about("a panic in a thread is a failure", "the engine's contract")
            .allows(fails(Claim::NoPanic)),
        entry("second_writer", on_each!(threads::second_writer))
            .about("two threads count in one cell by load_owned and store", "the contract of load_owned")
            .allows(fails(Claim::SingleWriter))
            .pinned(ShuttleDfs, Expectation::Instead(outcomes([vec![1], vec![2]])), NO_CLAIM, READ)
            .pinned(ShuttleRandom, Expectation::Instead(outcomes([vec![1], vec![2]])), NO_CLAIM, READ)
            .pinned(ShuttlePct, Expectation::Instead(outcomes([vec![1], vec![2]])), NO_CLAIM, READ)
            // Which of the outcomes real threads show is up to the machine.
            .not_on(Std),
    ]
}

/// The two looks at a cell that goes from 0 by 1 to 2.
const ASCENDING: [(u64, u64); 6] = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)];

fn entry(name: &'static str, program: PerEngine<fn() -> Program>) -> Entry {
    let (allowed, interleaved) = (BTreeSet::new(), BTreeSet::new());
    let (pins, without) = (Vec::new(), Vec::new());
    Entry { name, about: "", source: "", allowed, interleaved, budget: BUDGET, program, pins, without }
}

impl Entry {
    fn about(self, about: &'static str, source: &'static str) -> Self {
        Self { about, source, ..self }
    }

    /// What the memory model allows; interleavings too, unless it is said that they do not.
    fn allows(self, allowed: BTreeSet<Answer>) -> Self {
        Self { interleaved: allowed.clone(), allowed, ..self }
    }

    fn interleaves(self, interleaved: BTreeSet<Answer>) -> Self {
        Self { interleaved, ..self }
    }

    fn budget(self, budget: Budget) -> Self {
        Self { budget, ..self }
    }

    fn pinned(
        mut self,
        engine: EngineName,
        expectation: Expectation,
        reason: &'static str,
        source: &'static str,
    ) -> Self {
        self.pins.push(Pin { engine, expectation, reason, source });
        self
    }

    fn not_on(mut self, engine: EngineName) -> Self {
        self.without.push(engine);
        self
    }
}

fn outcomes(outcomes: impl IntoIterator<Item = Vec<u64>>) -> BTreeSet<Answer> {
    outcomes.into_iter().map(|values| Answer::Sees(Outcome(values))).collect()
}

fn pairs(pairs: &[(u64, u64)]) -> BTreeSet<Answer> {
    outcomes(pairs.iter().map(|(first, second)| vec![*first, *second]))
}

fn fails(claim: Claim) -> BTreeSet<Answer> {
    [Answer::Fails(claim)].into()
}

/// The outcomes of `length` zeros and ones that are allowed.
fn bits(length: u32, is_allowed: fn(&[u64]) -> bool) -> BTreeSet<Answer> {
    let all = (0..1_u64 << length).map(|bits| (0..length).map(|bit| bits >> bit & 1).collect::<Vec<_>>());
    outcomes(all.filter(|seen| is_allowed(seen)))
}

/// One of the stores of 1 and 2 is first, for everybody: the thread that stored 2 reads 1 only if that is the later, and
/// nobody sees the values go back.
fn agreeing_looks() -> BTreeSet<Answer> {
    let order = |values: [u64; 3], read_back: &[u64]| {
        let looks = ASCENDING.map(|(first, second)| [first, second].map(|position| values[position as usize]));
        let with = |own: &u64| looks.map(|[first, second]| vec![*own, first, second]);
        outcomes(read_back.iter().flat_map(with))
    };
    &order([0, 1, 2], &[2]) | &order([0, 2, 1], &[2, 1])
}

/// Without the flag any of the values can be read, with it these.
fn behind(with_flag: impl Iterator<Item = u64>) -> BTreeSet<Answer> {
    let without_flag = outcomes((0..=coherence::HISTORY).map(|value| vec![0, value]));
    &without_flag | &outcomes(with_flag.map(|value| vec![1, value]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_entries_have_names_of_their_own_and_the_graph_engine_has_no_pin() {
        let entries = entries();
        let names: BTreeSet<_> = entries.iter().map(|entry| entry.name).collect();
        assert_eq!(names.len(), entries.len());
        for entry in &entries {
            assert_eq!(entry.expectation(EngineName::Graph), Expectation::Complete, "{}", entry.name);
            assert!(entry.interleaved.is_subset(&entry.allowed) || entry.allowed.len() == 1, "{}", entry.name);
            assert!(entry.pins.iter().all(|pin| entry.engines().contains(&pin.engine)), "{}", entry.name);
        }
    }
}
