//! The engine of real threads, checked on programs whose outcomes are known.

mod programs;

use std::sync::Arc;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::time::Duration;

use countersign::{Atomic, Folding, Lock, Locks, Slots};
use countersign_models::engine::{Budget, Engine, JoinHandle, Program, RealThreads};
use countersign_models::verdict::{Action, Source};
use countersign_models::verdict::{Exploration, Outcome, Verdict};

use programs::{AMPLE, Cell, Panicking};

/// The mutex of real threads.
type Mutex<T> = <RealThreads as Locks>::Mutex<T>;

#[test]
fn message_passing_never_sees_the_flag_without_the_data() {
    let exploration = programs::message_passing::<RealThreads>(Release, Acquire);
    assert_eq!(exploration.verdict, Verdict::Sampled);
    assert_eq!(exploration.executions, AMPLE.samples);
    assert_eq!(exploration.outcomes.values().sum::<u64>(), AMPLE.samples);
    assert!(!exploration.outcomes.contains_key(&Outcome(vec![1, 0])), "{:?}", exploration.outcomes);
}

#[test]
fn layouts_run_as_they_are() {
    for exploration in
        [programs::recording::<RealThreads, Slots<1, 2>>(2), programs::recording::<RealThreads, Folding<1>>(2)]
    {
        assert_eq!(exploration.verdict, Verdict::Sampled);
        assert!(programs::seen(&exploration).iter().all(|outcome| outcome[0] <= 2 && outcome[1] == 2));
    }
}

#[test]
fn many_threads_are_welcome() {
    let exploration =
        RealThreads::explore(programs::sharded::<RealThreads>(16, 2, 4), &Budget { samples: 20, ..AMPLE });
    assert_eq!(exploration.verdict, Verdict::Sampled);
    assert_eq!(exploration.executions, 20);
}

#[test]
fn the_budget_of_time_truncates() {
    let budget = Budget { time: Duration::from_millis(50), samples: u64::MAX, ..AMPLE };
    let exploration = RealThreads::explore(programs::sharded::<RealThreads>(2, 1, 2), &budget);
    assert!(exploration.executions > 0);
    assert!(programs::why_truncated(&exploration).contains("time of 50ms"));
}

#[test]
fn no_execution_at_all_proves_nothing() {
    let budget = Budget { samples: 0, ..AMPLE };
    let exploration = RealThreads::explore(programs::sharded::<RealThreads>(2, 1, 2), &budget);
    assert_eq!(exploration.executions, 0);
    programs::why_truncated(&exploration);
}

/// A thread that fails, or not, after it and the others did their part under a lock.
fn counting(broken: bool) -> Exploration {
    let program = move || {
        let shared = Arc::new((Mutex::new(0), Cell::<RealThreads>::new(0)));
        let threads: Vec<_> = (0..2)
            .map(|_| {
                let shared = Arc::clone(&shared);
                RealThreads::spawn(move || {
                    let mut count = shared.0.lock();
                    *count += 1;
                    shared.1.store(*count, Relaxed);
                })
            })
            .collect();
        threads.into_iter().for_each(JoinHandle::join);
        let seen = shared.1.load(Relaxed);
        if broken { Err(programs::planted()) } else { Ok(Outcome(vec![seen])) }
    };
    RealThreads::explore(Arc::new(program), &AMPLE)
}

#[test]
fn a_failure_is_recorded_and_cannot_be_repeated() {
    assert_eq!(counting(false).failing, None);
    for _ in 0..20 {
        let failing = counting(true).failing.unwrap();
        assert_eq!(failing.schedule, None);
        let trace = failing.trace;
        // The critical sections are in their order, so each store is the other's count and one.
        let stored: Vec<_> = trace.iter().filter(|row| row.action == Action::Store).map(|row| row.written).collect();
        assert_eq!(stored, [Some(1), Some(2)], "{trace:#?}");
        let locks: Vec<_> = trace.iter().filter(|row| row.action == Action::Lock).map(|row| row.source).collect();
        let first = trace.iter().position(|row| row.action == Action::Unlock).map(Source::Row);
        assert_eq!(locks, [Some(Source::Initial), first], "{trace:#?}");
        let last = trace.last().unwrap();
        assert_eq!((last.thread, last.read), (0, Some(2)));
        let store = trace.iter().rposition(|row| row.action == Action::Store).map(Source::Row);
        assert_eq!(last.source, store, "{trace:#?}");
        let mut accesses = trace.iter().filter(|row| row.place.is_some());
        assert!(accesses.all(|row| row.at.file.ends_with("engines_std.rs")), "{trace:#?}");
    }
    let program: Program = Arc::new(|| Ok(Outcome::default()));
    assert!(RealThreads::replay(program, "").unwrap_err().why().contains("real threads"));
}

#[test]
fn what_a_thread_did_before_it_panicked_is_recorded() {
    let exploration = programs::panicking::<RealThreads, Slots<1, 2>>(Panicking::Spawned);
    let trace = exploration.failing.unwrap().trace;
    assert!(trace.iter().any(|row| row.thread == 1 && row.action == Action::Store), "{trace:#?}");
}

/// Explorations that fail. What they print is looked at by `failures_print_nothing`.
mod failing {
    use super::*;

    #[test]
    fn a_broken_claim_ends_the_exploration() {
        let program = || if rare() { Err(programs::planted()) } else { Ok(Outcome::default()) };
        let exploration = RealThreads::explore(Arc::new(program), &AMPLE);
        assert_eq!(*programs::violation(&exploration), programs::planted());
        assert_eq!(exploration.executions, 3);
        assert_eq!(exploration.outcomes.values().sum::<u64>(), 2);
    }

    /// True at the third call.
    fn rare() -> bool {
        static CALLS: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);
        CALLS.fetch_add(1, Relaxed) == 2
    }

    #[test]
    fn a_panic_beside_live_recorders_is_a_failure() {
        for who in [Panicking::Main, Panicking::Spawned] {
            programs::assert_planted_panic(&programs::panicking::<RealThreads, Slots<1, 2>>(who));
            programs::assert_planted_panic(&programs::panicking::<RealThreads, Slots<1, 1>>(who));
            programs::assert_planted_panic(&programs::panicking::<RealThreads, Folding<1>>(who));
        }
    }

    #[test]
    fn a_panic_of_a_thread_that_nobody_joins_is_a_failure() {
        let exploration = programs::outcomes_of::<RealThreads>(|| {
            let done = Arc::new(());
            let theirs = Arc::clone(&done);
            RealThreads::spawn(move || {
                let _theirs = theirs;
                panic!("a planted panic");
            });
            while Arc::strong_count(&done) > 1 {
                RealThreads::yield_now();
            }
            vec![]
        });
        assert!(programs::violation(&exploration).seen.contains("a planted panic"));
    }
}

#[test]
fn failures_print_nothing() {
    assert_eq!(programs::stderr_of("failing"), "");
}

mod elsewhere {
    use super::*;

    #[test]
    #[should_panic(expected = "outside of any exploration")]
    fn a_panic() {
        programs::assert_planted_panic(&programs::panicking::<RealThreads, Folding<1>>(Panicking::Spawned));
        panic!("outside of any exploration");
    }
}

#[test]
fn panics_that_are_not_a_programs_are_printed() {
    assert!(programs::stderr_of("elsewhere").contains("outside of any exploration"));
}
