//! loom against the graph engine on every small program of one cell: what the loom engine does not refuse, it does not
//! get wrong by inventing an outcome. (What it misses is the audit's.)

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use countersign::{Atomic, Primitives};
use countersign_models::engine::{Budget, Engine, Graph, JoinHandle, Loom, Program, REFUSED};
use countersign_models::verdict::{Exploration, Outcome, Verdict};

const BUDGET: Budget = Budget { executions: 100_000, samples: 0, time: Duration::from_secs(60) };

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operation {
    Load,
    Store,
    Add,
    Swap,
}

use Operation::{Add, Load, Store, Swap};

/// What each of two threads does.
type Operations = [[Operation; 2]; 2];

/// Two threads that store without a read-modify-write, and one of them looks: loom may then forget that a store it read
/// was replaced. The engine does not refuse them, since a cell with two such writers is broken; the audit has it as
/// `coherence/overwritten`.
const KNOWN: [Operations; 2] = [[[Store, Load], [Store, Store]], [[Store, Store], [Store, Load]]];

/// The outcome is what each operation read (0 for a store), and the last value.
fn program<E: Engine>(operations: Operations) -> Program {
    fn run<E: Engine>(cell: &<E as Primitives>::AtomicU64, thread: usize, operations: [Operation; 2]) -> Vec<u64> {
        let steps = operations.into_iter().enumerate().map(|(index, operation)| {
            let own_value = 1 + (2 * thread + index) as u64;
            match operation {
                Load => cell.load(Relaxed),
                Store => {
                    cell.store(own_value, Relaxed);
                    0
                }
                Add => cell.fetch_add(10, Relaxed),
                Swap => cell.swap(own_value, Relaxed),
            }
        });
        steps.collect()
    }

    Arc::new(move || {
        let cell = Arc::new(<E as Primitives>::AtomicU64::new(0));
        let theirs = Arc::clone(&cell);
        let thread = E::spawn(move || run::<E>(&theirs, 1, operations[1]));
        let mut seen = run::<E>(&cell, 0, operations[0]);
        seen.extend(thread.join());
        seen.push(cell.load(Relaxed));
        Ok(Outcome(seen))
    })
}

fn all() -> impl Iterator<Item = Operations> {
    let operations = [Load, Store, Add, Swap];
    (0..256).map(move |code| [[0, 2], [4, 6]].map(|thread| thread.map(|shift| operations[code >> shift & 3])))
}

fn invents(loom: &Exploration, truth: &Exploration) -> bool {
    let truth: BTreeSet<_> = truth.outcomes.keys().collect();
    loom.outcomes.keys().any(|outcome| !truth.contains(outcome))
}

#[test]
fn what_loom_is_not_refused_it_does_not_invent() {
    let (mut refused, mut would_be_wrong) = (0, 0);
    let mut wrong = Vec::new();
    for operations in all() {
        let truth = Graph::explore(program::<Graph>(operations), &BUDGET);
        assert_eq!(truth.verdict, Verdict::Exhaustive);
        let guarded = Loom::explore(program::<Loom>(operations), &BUDGET);
        match guarded.verdict {
            Verdict::Exhaustive if invents(&guarded, &truth) => wrong.push(operations),
            Verdict::Exhaustive => {}
            Verdict::Truncated { why } if why.starts_with(REFUSED) => {
                let unguarded = Loom::explore_unguarded(program::<Loom>(operations), &BUDGET);
                refused += 1;
                would_be_wrong += u32::from(invents(&unguarded, &truth));
            }
            other => panic!("{operations:?}: {other:?}"),
        }
    }
    assert_eq!(wrong.len(), KNOWN.len(), "{wrong:?}");
    assert!(KNOWN.iter().all(|known| wrong.contains(known)), "{wrong:?}");
    // The guard is not for nothing, and costs little: nearly all that it refuses would be wrong.
    assert!(refused > 0 && would_be_wrong * 10 >= refused * 8, "{would_be_wrong} of {refused}");
}
