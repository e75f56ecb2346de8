//! The graph engine, checked on the programs that the other engines are checked on.

mod graph_layouts;
mod modelled;
mod programs;

use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use countersign::{Folding, Slots};
use countersign_models::engine::{Engine, Graph};
use countersign_models::verdict::{Claim, Verdict};

use programs::{AMPLE, Panicking};

#[test]
fn message_passing_depends_on_the_orderings() {
    let exploration = programs::message_passing::<Graph>(Relaxed, Relaxed);
    assert_eq!(exploration.verdict, Verdict::Exhaustive);
    assert_eq!(programs::seen(&exploration), [[0, 0], [0, 1], [1, 0], [1, 1]]);
    let exploration = programs::message_passing::<Graph>(Release, Acquire);
    assert_eq!(programs::seen(&exploration), [[0, 0], [0, 1], [1, 1]]);
    assert_eq!(programs::seen(&modelled::store_buffering::<Graph>()), [[0, 0], [0, 1], [1, 0], [1, 1]]);
}

#[test]
fn layouts_run_as_they_are() {
    for exploration in [programs::recording::<Graph, Slots<1, 2>>(2), programs::recording::<Graph, Folding<1>>(2)] {
        assert_eq!(exploration.verdict, Verdict::Exhaustive);
        assert_eq!(programs::seen(&exploration), [[0, 2], [1, 2], [2, 2]]);
    }
}

#[test]
fn a_program_that_spins_is_truncated() {
    programs::why_truncated(&modelled::spinning::<Graph>());
}

#[test]
fn a_failure_is_recorded_and_repeated() {
    modelled::assert_repeated::<Graph>();
}

/// Explorations that fail. What they print is looked at by `failures_print_nothing`.
mod failing {
    use super::*;

    #[test]
    fn a_broken_claim_ends_the_exploration() {
        let exploration = modelled::broken_claim::<Graph>();
        assert_eq!(*programs::violation(&exploration), programs::planted());
        // The failed execution has no outcome, and was the last.
        assert_eq!(exploration.executions, exploration.outcomes.values().sum::<u64>() + 1);
    }

    #[test]
    fn a_panic_beside_live_recorders_is_a_failure() {
        for who in [Panicking::Main, Panicking::Spawned] {
            programs::assert_planted_panic(&programs::panicking::<Graph, Slots<1, 2>>(who));
            programs::assert_planted_panic(&programs::panicking::<Graph, Slots<1, 1>>(who));
            programs::assert_planted_panic(&programs::panicking::<Graph, Folding<1>>(who));
        }
    }

    #[test]
    fn a_panic_beside_a_lock_is_a_failure() {
        programs::assert_planted_panic(&modelled::panicking_beside_a_lock::<Graph>());
        programs::assert_planted_panic(&modelled::panicking_within_a_lock::<Graph>());
        assert!(!modelled::RAN_DURING_A_PANIC.load(Relaxed));
    }

    #[test]
    fn a_deadlock_is_a_failure() {
        assert_eq!(programs::violation(&modelled::deadlock::<Graph>()).claim, Claim::NoDeadlock);
        assert_eq!(programs::violation(&modelled::locking_twice::<Graph>()).claim, Claim::NoDeadlock);
    }

    #[test]
    fn an_exploration_after_a_failed_one_is_complete() {
        for _ in 0..3 {
            programs::violation(&modelled::deadlock::<Graph>());
            programs::assert_planted_panic(&programs::panicking::<Graph, Folding<1>>(Panicking::Spawned));
            let exploration = Graph::explore(programs::sharded::<Graph>(2, 1, 2), &AMPLE);
            assert_eq!(exploration.verdict, Verdict::Exhaustive);
            assert_eq!(exploration.outcomes.len(), 3);
        }
    }
}

#[test]
fn failures_print_nothing() {
    assert_eq!(programs::stderr_of("failing"), "");
}
