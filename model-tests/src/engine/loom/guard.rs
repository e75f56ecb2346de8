//! What loom would get wrong without a word, and what is refused instead.
//!
//! Two things that loom does not model depend on how an atomic is written (see the [engine's page](super)): only its
//! last 7 values can be read, and a read-modify-write may read past a store beside it. So each atomic keeps the list of
//! its writes here, with what each thread must know of it, and an operation that loom cannot be trusted with ends the
//! exploration as truncated, with the reason.
//!
//! What a thread knows of an atomic: its own writes, the write that it last read, and what it learned by spawn and join.
//! Edges through other atomics or a mutex are not followed, so a program that is ordered by those alone may be refused
//! without need, and none is let through by mistake.

use std::cell::{Cell, RefCell};
use std::sync::{Mutex, MutexGuard, PoisonError};

use loom::thread::ThreadId;

use crate::engine::wrap::containment;
use crate::verdict::Verdict;

/// How the reason of a refusal begins.
pub const REFUSED: &str = "loom cannot judge this";

/// How many writes of an atomic loom remembers, the initial value included.
const REMEMBERED: usize = 7;

/// The writes of one atomic.
pub(super) struct Writes(Mutex<State>);

struct State {
    /// In the order in which loom ran them; the first is the initial value.
    writes: Vec<Write>,
    /// The latest write that each thread has read or made.
    known: Vec<(ThreadId, usize)>,
}

#[derive(Clone, Copy)]
struct Write {
    value: u64,
    by: ThreadId,
    time: u64,
    is_update: bool,
}

/// What a thread knows of the others: up to which time.
type Clock = Vec<(ThreadId, u64)>;

thread_local! {
    /// Whether the current exploration is guarded. loom runs all threads of a program on one OS thread.
    static GUARDED: Cell<bool> = const { Cell::new(false) };
    /// Counts writes, spawns and joins in the current execution.
    static TIME: Cell<u64> = const { Cell::new(0) };
    /// The clock of each thread of the current execution.
    static CLOCKS: RefCell<Vec<(ThreadId, Clock)>> = const { RefCell::new(Vec::new()) };
}

/// To be called before each execution.
pub(super) fn begin(guarded: bool) {
    GUARDED.set(guarded);
    TIME.set(0);
    CLOCKS.take();
}

/// Makes what the calling thread knows known to its child.
pub(super) fn spawned(child: ThreadId) {
    let mut clock = clock_of(current());
    advance(&mut clock, current(), tick());
    learn(child, &clock);
}

/// Makes what an ended thread knew known to the calling thread.
pub(super) fn joined(child: ThreadId) {
    let mut clock = clock_of(child);
    advance(&mut clock, child, tick());
    learn(current(), &clock);
}

impl Writes {
    /// Those of a new atomic.
    pub(super) fn new(value: u64) -> Self {
        let initial = Write { value, by: current(), time: tick(), is_update: false };
        Self(Mutex::new(State { writes: vec![initial], known: Vec::new() }))
    }

    /// After a load that is not the owner's. It could read any write that its thread does not know to be replaced.
    pub(super) fn loaded(&self, value: u64) {
        let mut state = self.state();
        let stores = state.writes.len() - 1;
        let forgotten = state.known_to(current()) + REMEMBERED <= stores;
        if state.last().value == value {
            state.last_is_known();
        }
        drop(state);
        if forgotten {
            let most = REMEMBERED - 1;
            refuse(format!(
                "a cell that was written {stores} times is read by a thread that may be more than {most} writes behind, \
                 and loom forgets all but the last {REMEMBERED} values; record fewer events, or verify the layout on \
                 `graph`"
            ));
        }
    }

    /// After a compare-exchange that failed: loom lets it read the newest write only.
    pub(super) fn looked(&self, value: u64) {
        let mut state = self.state();
        if state.last().value == value {
            state.last_is_known();
        }
    }

    /// After a plain store.
    pub(super) fn stored(&self, value: u64) {
        let mut state = self.state();
        let known = state.known_to(current());
        let beside = state.writes.iter().skip(known + 1).any(|write| write.is_update);
        state.push(value, false);
        drop(state);
        if beside {
            refuse_mixed();
        }
    }

    /// After a read-modify-write that read `old` and wrote `new`.
    pub(super) fn updated(&self, old: u64, new: u64) {
        let mut state = self.state();
        let known = state.known_to(current());
        let beside = state.last().value != old && state.writes.iter().skip(known + 1).any(|write| !write.is_update);
        state.push(new, true);
        drop(state);
        if beside {
            refuse_mixed();
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn last(&self) -> Write {
        self.writes[self.writes.len() - 1]
    }

    /// The index of the latest write that a thread knows.
    fn known_to(&self, thread: ThreadId) -> usize {
        let own = self.known.iter().find(|(by, _)| *by == thread).map_or(0, |(_, index)| *index);
        let clock = clock_of(thread);
        let learned = |write: &Write| clock.iter().any(|(by, until)| *by == write.by && write.time < *until);
        own.max(self.writes.iter().rposition(learned).unwrap_or(0))
    }

    fn push(&mut self, value: u64, is_update: bool) {
        self.writes.push(Write { value, by: current(), time: tick(), is_update });
        self.last_is_known();
    }

    fn last_is_known(&mut self) {
        let (thread, last) = (current(), self.writes.len() - 1);
        match self.known.iter_mut().find(|(by, _)| *by == thread) {
            Some((_, index)) => *index = last,
            None => self.known.push((thread, last)),
        }
    }
}

fn refuse_mixed() {
    refuse(
        "a cell is stored to by one thread beside a read-modify-write by another, which loom may let read an older value \
         than the store's (tokio-rs/loom #254); make the store a read-modify-write, or verify the layout on `graph`"
            .to_owned(),
    );
}

fn refuse(why: String) {
    if GUARDED.get() {
        containment::stop(Verdict::Truncated { why: format!("{REFUSED}: {why}") });
    }
}

fn current() -> ThreadId {
    loom::thread::current().id()
}

fn tick() -> u64 {
    TIME.set(TIME.get() + 1);
    TIME.get()
}

fn clock_of(thread: ThreadId) -> Clock {
    CLOCKS
        .with_borrow(|clocks| clocks.iter().find(|(of, _)| *of == thread).map(|(_, clock)| clock.clone()))
        .unwrap_or_default()
}

fn learn(thread: ThreadId, news: &Clock) {
    CLOCKS.with_borrow_mut(|clocks| {
        let index = clocks.iter().position(|(of, _)| *of == thread).unwrap_or_else(|| {
            clocks.push((thread, Clock::new()));
            clocks.len() - 1
        });
        news.iter().for_each(|(of, until)| advance(&mut clocks[index].1, *of, *until));
    });
}

fn advance(clock: &mut Clock, of: ThreadId, until: u64) {
    match clock.iter_mut().find(|(by, _)| *by == of) {
        Some((_, known)) => *known = until.max(*known),
        None => clock.push((of, until)),
    }
}
