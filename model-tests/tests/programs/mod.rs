//! Small programs whose outcomes are known, for checking the engines themselves.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::Ordering::{self, Relaxed};
use std::time::Duration;

use countersign::{Atomic, Event, Layout, Primitives};
use countersign_models::engine::{Budget, Engine, JoinHandle, Program};
use countersign_models::subject::{self, Subject};
use countersign_models::verdict::{Claim, Exploration, Outcome, Verdict, Violation};

/// The atomic of an engine.
pub(crate) type Cell<E> = <E as Primitives>::AtomicU64;

/// Enough for every program here that is meant to be explored to its end.
pub(crate) const AMPLE: Budget = Budget { executions: 100_000, samples: 2_000, time: Duration::from_secs(60) };

/// Explores a program that keeps every claim.
pub(crate) fn outcomes_of<E: Engine>(program: impl Fn() -> Vec<u64> + Send + Sync + 'static) -> Exploration {
    E::explore(Arc::new(move || Ok(Outcome(program()))), &AMPLE)
}

/// The distinct outcomes of an exploration, in order.
pub(crate) fn seen(exploration: &Exploration) -> Vec<Vec<u64>> {
    exploration.outcomes.keys().map(|outcome| outcome.0.clone()).collect()
}

/// One thread stores data and then a flag; the other loads the flag and then the data: (flag, data).
pub(crate) fn message_passing<E: Engine>(publish: Ordering, observe: Ordering) -> Exploration {
    outcomes_of::<E>(move || {
        let cells = Arc::new((Cell::<E>::new(0), Cell::<E>::new(0)));
        let theirs = Arc::clone(&cells);
        let writer = E::spawn(move || {
            theirs.0.store(1, Relaxed);
            theirs.1.store(1, publish);
        });
        let flag = cells.1.load(observe);
        let data = cells.0.load(Relaxed);
        writer.join();
        vec![flag, data]
    })
}

/// `writers` threads that each `fetch_add` `events` times on one of `shards` cells, and a reader that sums them once.
pub(crate) fn sharded<E: Engine>(writers: usize, events: usize, shards: usize) -> Program {
    Arc::new(move || {
        let cells: Arc<[Cell<E>]> = (0..shards).map(|_| Cell::<E>::new(0)).collect();
        let writers: Vec<_> = (0..writers)
            .map(|writer| {
                let cells = Arc::clone(&cells);
                E::spawn(move || {
                    for _ in 0..events {
                        cells[writer % shards].fetch_add(1, Relaxed);
                    }
                })
            })
            .collect();
        let sum = cells.iter().map(|cell| cell.load(Relaxed)).sum();
        writers.into_iter().for_each(JoinHandle::join);
        Ok(Outcome(vec![sum]))
    })
}

/// Threads that record one alloc each through recorders of their own, made beforehand, and a snapshot beside them: its
/// count, and the count at the end.
pub(crate) fn recording<E: Engine, L: Layout>(threads: usize) -> Exploration {
    outcomes_of::<E>(move || {
        let subject = subject::make::<L::On<E>>();
        let threads: Vec<_> = (0..threads)
            .map(|_| {
                let recorder = Arc::clone(&subject).register();
                E::spawn(move || recorder.record(Event::Alloc, 0))
            })
            .collect();
        let during = allocs(&*subject);
        threads.into_iter().for_each(JoinHandle::join);
        vec![during, allocs(&*subject)]
    })
}

fn allocs(subject: &dyn Subject) -> u64 {
    subject.snapshot().iter().map(|counts| counts.allocs).sum()
}

/// Which thread of [`panicking`] panics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Panicking {
    /// The first thread.
    Main,
    /// A thread that the first one waits for.
    Spawned,
}

/// A panic in one thread while both threads have live recorders.
pub(crate) fn panicking<E: Engine, L: Layout>(who: Panicking) -> Exploration {
    outcomes_of::<E>(move || {
        let subject = subject::make::<L::On<E>>();
        let theirs = Arc::clone(&subject).register();
        let mine = Arc::clone(&subject).register();
        let other = E::spawn(move || {
            theirs.record(Event::Alloc, 0);
            assert!(who != Panicking::Spawned, "a planted panic");
        });
        mine.record(Event::Alloc, 0);
        assert!(who != Panicking::Main, "a planted panic");
        other.join();
        vec![]
    })
}

/// A violation to be reported.
pub(crate) fn planted() -> Violation {
    Violation { claim: Claim::Exact, claimed: "0".to_owned(), seen: "1".to_owned() }
}

/// The violation that an exploration found.
#[track_caller]
pub(crate) fn violation(exploration: &Exploration) -> &Violation {
    match &exploration.verdict {
        Verdict::Failed(violation) => violation,
        other => panic!("expected a failure, got {other:?}"),
    }
}

/// Why an exploration did not come to its end.
#[track_caller]
pub(crate) fn why_truncated(exploration: &Exploration) -> &str {
    match &exploration.verdict {
        Verdict::Truncated { why } => why,
        other => panic!("expected a truncated exploration, got {other:?}"),
    }
}

/// That an exploration failed because of the planted panic, and says where it is.
#[track_caller]
pub(crate) fn assert_planted_panic(exploration: &Exploration) {
    let violation = violation(exploration);
    assert_eq!(violation.claim, Claim::NoPanic);
    assert!(violation.seen.contains("a planted panic"), "{violation}");
    let here = Path::new(file!()).file_name().and_then(|name| name.to_str()).unwrap();
    assert!(violation.seen.contains(here), "{violation}");
}

/// What this test binary writes to stderr when it runs the tests of the module `filter` and no others.
pub(crate) fn stderr_of(module: &str) -> String {
    let this = std::env::current_exe().unwrap();
    let child = Command::new(this).args([&format!("{module}::"), "--nocapture"]).output().unwrap();
    let stdout = String::from_utf8_lossy(&child.stdout);
    assert!(child.status.success(), "{stdout}");
    assert!(!stdout.contains("running 0 tests"), "there is no test in `{module}`");
    String::from_utf8(child.stderr).unwrap()
}
