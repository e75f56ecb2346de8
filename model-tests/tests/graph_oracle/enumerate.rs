//! Enumerates the executions of a litmus program.
//!
//! A candidate is built up event by event, so program order and reads-from have no cycle. A read reads from any write
//! that is there, or waits for one that is still to come; a write gets any place in the modification order. The next
//! event is always that of the first thread whose read, if it has one, does not wait: so each candidate is built in one
//! order only, and once.
//!
//! A candidate that the axioms reject is not built further. They are unions and compositions of relations that an added
//! event only makes larger, so what they reject stays rejected.

use std::collections::{BTreeMap, HashSet};

use countersign_models::study::litmus::{Litmus, Order, Statement};

use super::axioms::Axioms;
use super::candidate::{Action, Candidate, Event, Id};
use super::fault::Fault;
use super::relation::Relation;

/// The answer: the outcomes, and how many executions have each.
pub(crate) type Answer = BTreeMap<String, u64>;

/// A program somewhere in a candidate execution.
#[derive(Clone)]
struct State {
    candidate: Candidate,
    threads: Vec<ThreadState>,
}

#[derive(Clone)]
struct ThreadState {
    next: usize,
    registers: Vec<i64>,
    /// The writes that the next read does not read from: those that were there when it began to wait.
    refused: Vec<Id>,
}

/// What a statement does to memory.
struct Effect {
    variable: usize,
    /// The register and the ordering of its read.
    read: Option<(usize, Order)>,
    /// The value and the ordering of its write.
    write: Option<(i64, Order)>,
}

/// Enumerates the executions of `litmus`. `None` if that takes more than `limit` steps, or an execution has more events
/// than a relation can hold.
pub(crate) fn enumerate(litmus: &Litmus, axioms: Axioms, limit: usize) -> Option<Answer> {
    let mut answer = Answer::new();
    let mut complete = HashSet::new();
    let mut pending: Vec<State> = State::start(litmus).into_iter().collect();
    let mut steps = 0;
    while let Some(state) = pending.pop() {
        steps += 1;
        if steps > limit || state.candidate.size() > Relation::MOST_EVENTS {
            return None;
        }
        if state.is_complete(litmus) {
            *answer.entry(state.outcome(litmus)).or_default() += 1;
            assert!(complete.insert(state.candidate), "the oracle built a candidate twice");
        } else {
            let next = state.step(litmus, axioms).into_iter();
            pending.extend(
                next.filter(|next| next.candidate.size() > Relation::MOST_EVENTS || axioms.admit(&next.candidate)),
            );
        }
    }
    Some(answer)
}

impl State {
    /// Before the first access; `None` if some thread never comes so far.
    fn start(litmus: &Litmus) -> Option<Self> {
        let initial: Vec<i64> = litmus.variables.iter().map(|variable| variable.initial).collect();
        let threads = litmus.threads.iter().map(|thread| ThreadState {
            next: 0,
            registers: vec![0; thread.registers.len()],
            refused: Vec::new(),
        });
        let mut state = Self { candidate: Candidate::new(&initial, litmus.threads.len()), threads: threads.collect() };
        (0..litmus.threads.len()).all(|thread| state.go_to_access(litmus, thread)).then_some(state)
    }

    fn is_complete(&self, litmus: &Litmus) -> bool {
        self.threads.iter().zip(&litmus.threads).all(|(state, thread)| state.next == thread.statements.len())
    }

    fn outcome(&self, litmus: &Litmus) -> String {
        let registers: Vec<Vec<i64>> = self.threads.iter().map(|thread| thread.registers.clone()).collect();
        litmus.outcome(&registers, &self.candidate.last_values())
    }

    /// The states after the next event, in all ways. A state in which an assumption does not hold leads to no execution
    /// and is left out, and so is one in which a read waits in vain.
    fn step(&self, litmus: &Litmus, axioms: Axioms) -> Vec<Self> {
        let mut states = Vec::new();
        for (thread, ThreadState { next, registers, refused }) in self.threads.iter().enumerate() {
            let Some(statement) = litmus.threads[thread].statements.get(*next) else { continue };
            let Effect { variable, read, .. } = effect(statement, registers, 0, axioms);
            if read.is_none() {
                states = self.access(litmus, axioms, thread, None);
                break;
            }
            let writes = &self.candidate.modification[variable];
            let sources: Vec<Id> = writes.iter().copied().filter(|write| !refused.contains(write)).collect();
            if !sources.is_empty() {
                let mut waiting = self.clone();
                waiting.threads[thread].refused.clone_from(writes);
                states.push(waiting);
                states.extend(sources.into_iter().flat_map(|source| self.access(litmus, axioms, thread, Some(source))));
                break;
            }
        }
        states
    }

    /// The states after the next access of `thread`, whose read, if it has one, reads from `source`.
    fn access(&self, litmus: &Litmus, axioms: Axioms, thread: usize, source: Option<Id>) -> Vec<Self> {
        let ThreadState { next, registers, .. } = &self.threads[thread];
        let value = source.map_or(0, |source| self.candidate.value(source));
        let Effect { variable, read, write } =
            effect(&litmus.threads[thread].statements[*next], registers, value, axioms);
        let mut state = self.clone();
        state.threads[thread].next += 1;
        state.threads[thread].refused.clear();
        if let Some((source, (into, order))) = source.zip(read) {
            state.candidate.events[thread + 1].push(Event { action: Action::Read { variable, source }, order });
            state.threads[thread].registers[into] = value;
        }
        let mut states = match write {
            None => vec![state],
            Some((value, order)) => {
                let action = Action::Write { variable, value, modifies: read.is_some() };
                state.candidate.events[thread + 1].push(Event { action, order });
                state.placements(thread, variable).collect()
            }
        };
        states.retain_mut(|state| state.go_to_access(litmus, thread));
        states
    }

    /// The last write of `thread` in every place of the modification order after the initial write.
    fn placements(&self, thread: usize, variable: usize) -> impl Iterator<Item = Self> {
        let write = (thread + 1, self.candidate.events[thread + 1].len() - 1);
        (1..=self.candidate.modification[variable].len()).map(move |place| {
            let mut state = self.clone();
            state.candidate.modification[variable].insert(place, write);
            state
        })
    }

    /// Executes what `thread` does before its next access. False if it ends at an assumption that does not hold.
    fn go_to_access(&mut self, litmus: &Litmus, thread: usize) -> bool {
        let ThreadState { next, registers, .. } = &mut self.threads[thread];
        while let Some(statement) = litmus.threads[thread].statements.get(*next) {
            match statement {
                Statement::Store { .. }
                | Statement::Load { .. }
                | Statement::FetchAdd { .. }
                | Statement::Exchange { .. }
                | Statement::CompareExchange { .. } => return true,
                &Statement::Fence(order) => {
                    self.candidate.events[thread + 1].push(Event { action: Action::Fence, order });
                }
                &Statement::Compute { into, value } => registers[into] = value.value(registers),
                Statement::If { condition, otherwise } if !condition.holds(|atom| atom.value(registers)) => {
                    *next = *otherwise;
                    continue;
                }
                &Statement::Else { end } => *next = end,
                Statement::Assume(condition) if !condition.holds(|atom| atom.value(registers)) => return false,
                Statement::If { .. } | Statement::End | Statement::Assume(_) | Statement::Check(_) => {}
            }
            *next += 1;
        }
        true
    }
}

/// What an access does in a thread with these registers if its read, if it has one, gets `read_value`.
fn effect(statement: &Statement, registers: &[i64], read_value: i64, axioms: Axioms) -> Effect {
    let modify = |variable, into, value, order| Effect {
        variable,
        read: Some((into, read_half(order))),
        write: Some((value, write_half(order))),
    };
    match *statement {
        Statement::Store { variable, value, order } => {
            Effect { variable, read: None, write: Some((value.value(registers), order)) }
        }
        Statement::Load { into, variable, order } => Effect { variable, read: Some((into, order)), write: None },
        Statement::FetchAdd { into, variable, addend, order } => {
            modify(variable, into, read_value.wrapping_add(addend.value(registers)), order)
        }
        Statement::Exchange { into, variable, value, order } => modify(variable, into, value.value(registers), order),
        Statement::CompareExchange { into, variable, current, new, success, failure } => {
            if current.value(registers) == read_value {
                modify(variable, into, new.value(registers), success)
            } else if axioms.fault == Some(Fault::FailureHasSuccessOrder) {
                Effect { variable, read: Some((into, read_half(success))), write: None }
            } else {
                Effect { variable, read: Some((into, failure)), write: None }
            }
        }
        _ => unreachable!("a thread stands at an access or at its end"),
    }
}

/// The ordering of the read of a read-modify-write.
const fn read_half(order: Order) -> Order {
    match order {
        Order::Acquire | Order::AcqRel => Order::Acquire,
        Order::SeqCst => Order::SeqCst,
        Order::Plain | Order::Relaxed | Order::Release => Order::Relaxed,
    }
}

/// The ordering of the write of a read-modify-write.
const fn write_half(order: Order) -> Order {
    match order {
        Order::Release | Order::AcqRel => Order::Release,
        Order::SeqCst => Order::SeqCst,
        Order::Plain | Order::Relaxed | Order::Acquire => Order::Relaxed,
    }
}
