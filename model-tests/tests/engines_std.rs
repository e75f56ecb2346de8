//! The engine of real threads, checked on programs whose outcomes are known.

mod programs;

use std::sync::Arc;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::time::Duration;

use countersign::{Folding, Slots};
use countersign_models::engine::{Budget, Engine, RealThreads};
use countersign_models::verdict::{Outcome, Verdict};

use programs::{AMPLE, Panicking};

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
