//! The layouts' own source, on the graph engine.

use std::collections::HashSet;
use std::sync::Arc;

use countersign::{Counts, Event, Folding, Layout, Recorder, Sharded, Shared, Slots};
use countersign_models::engine::{Engine, Graph, JoinHandle, Program, complete, search};
use countersign_models::verdict::{Claim, Execution, Exploration, Outcome, Verdict};

/// Explores a program, and checks that it was explored to the end and no execution visited twice.
fn explore(program: impl Fn() -> Outcome + Send + Sync + 'static) -> Exploration {
    let mut seen = HashSet::new();
    let explored = complete(search(Arc::new(move || Ok(program()))).run_with(|complete| {
        assert!(seen.insert(complete.fingerprint()), "visited twice: {}", complete.execution());
    }));
    assert_eq!(explored.verdict, Verdict::Exhaustive);
    explored
}

/// Threads that each register, record `events` allocs and retire, and a main thread that takes one or two snapshots
/// meanwhile and one at the end.
fn race<L: Layout>(threads: usize, events: u64, snapshots: usize) -> Exploration {
    let explored = explore(move || {
        let layout = Arc::new(L::On::<Graph>::default());
        let spawn = |_| {
            let layout = Arc::clone(&layout);
            Graph::spawn(move || {
                let recorder = layout.register();
                (0..events).for_each(|_| recorder.record(Event::Alloc, 0));
            })
        };
        let handles: Vec<_> = (0..threads).map(spawn).collect();
        let allocs = || layout.snapshot().classes()[0].allocs;
        let seen: Vec<u64> = (0..snapshots).map(|_| allocs()).collect();
        handles.into_iter().for_each(JoinHandle::join);
        assert_eq!(allocs(), threads as u64 * events, "exact");
        assert!(seen.is_sorted(), "monotonic");
        Outcome(seen)
    });
    // Whatever is monotonic and bounded can be seen.
    let total = threads as u64 * events;
    let firsts = (0..=total).map(|first| if snapshots == 2 { total - first + 1 } else { 1 });
    assert_eq!(explored.outcomes.len() as u64, firsts.sum::<u64>());
    explored
}

#[test]
fn slots() {
    race::<Slots<1, 2>>(2, 2, 2);
    // The third thread adopts the slot of one that has retired, or counts in the overflow.
    race::<Slots<1, 2>>(3, 1, 1);
}

#[test]
fn sharded_and_shared() {
    race::<Sharded<1, 2>>(2, 2, 2);
    race::<Shared<1>>(3, 1, 2);
}

/// Complete executions as GenMC counts them, and how many blocked graphs are visited besides; without the saving for
/// locks that are released there are 208 and 1,194 blocked ones with two threads.
#[test]
fn folding() {
    let count = |[threads, snapshots]: [usize; 2]| {
        let explored = explore(move || {
            let layout = Arc::new(Folding::<1, Graph>::default());
            let spawn = |_| {
                let layout = Arc::clone(&layout);
                Graph::spawn(move || layout.register().record(Event::Alloc, 0))
            };
            let handles: Vec<_> = (0..threads).map(spawn).collect();
            let seen = (0..snapshots).map(|_| layout.snapshot().classes()[0].allocs).collect();
            handles.into_iter().for_each(JoinHandle::join);
            Outcome(seen)
        });
        (explored.executions, explored.blocked)
    };
    assert_eq!([[2, 1], [2, 2]].map(count), [(54, 56), (254, 237)]);
    assert_eq!(count([3, 1]).0, 1548);
    race::<Folding<1>>(2, 2, 2);
}

/// Two threads that each register and record an alloc, and a main thread that takes a snapshot beside them.
fn recorders<L: Layout>() -> Program {
    Arc::new(|| {
        let layout = Arc::new(L::default());
        let spawn = |_| {
            let layout = Arc::clone(&layout);
            Graph::spawn(move || layout.register().record(Event::Alloc, 0))
        };
        let handles: Vec<_> = (0..2).map(spawn).collect();
        let seen = layout.snapshot().classes()[0].allocs;
        handles.into_iter().for_each(JoinHandle::join);
        assert_eq!(layout.snapshot().classes()[0].allocs, 2);
        Ok(Outcome(vec![seen]))
    })
}

fn schedule(execution: &Execution) -> &str {
    execution.schedule.as_deref().expect("a graph can be repeated")
}

#[test]
fn every_execution_of_a_layout_is_repeated_from_its_schedule() {
    fn check<L: Layout>() {
        let mut executions: Vec<(Execution, Outcome)> = Vec::new();
        let explored = search(recorders::<L>())
            .run_with(|complete| executions.push((complete.execution(), complete.outcome().clone())));
        assert!(executions.len() > 10 && complete(explored).verdict == Verdict::Exhaustive);
        for (execution, outcome) in &executions {
            let again = Graph::replay(recorders::<L>(), schedule(execution)).expect("the schedule is this program's");
            assert_eq!(again.result.as_ref(), Ok(outcome));
            assert_eq!(&again.execution, execution);
        }
        let other = Graph::replay(recorders::<Sharded<1, 2, Graph>>(), schedule(&executions[0].0));
        assert!(other.unwrap_err().to_string().contains("expected a schedule"));
    }
    check::<Slots<1, 2, Graph>>();
    check::<Folding<1, Graph>>();
}

#[test]
fn a_panic_is_a_failure_and_the_destructors_of_recorders_have_no_effect() {
    // The recorders' destructors store, lock, and fold, in the thread that panics and in the one that is abandoned.
    fn check<L: Layout>() {
        let program = Arc::new(|| {
            let layout = Arc::new(L::default());
            let other = Graph::spawn({
                let layout = Arc::clone(&layout);
                move || {
                    let recorder = layout.register();
                    recorder.record(Event::Alloc, 0);
                }
            });
            let recorder = layout.register();
            recorder.record(Event::Alloc, 0);
            assert!(layout.snapshot().classes()[0].allocs < 2, "both are counted");
            drop(recorder);
            other.join();
            Ok(Outcome::default())
        });
        let explored = complete(search(program).run());
        let Verdict::Failed(violation) = explored.verdict else { panic!("it panics in some execution") };
        assert_eq!(violation.claim, Claim::NoPanic);
        assert!(violation.seen.ends_with(": both are counted"), "{}", violation.seen);
    }
    check::<Slots<1, 2, Graph>>();
    check::<Folding<1, Graph>>();
}
