//! The shuttle engines, checked on programs whose outcomes are known.

mod modelled;
mod programs;

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use countersign::{Atomic, Folding, Slots};
use countersign_models::engine::{Budget, Dfs, Engine, JoinHandle, Pct, Program, Random, Shuttle};
use countersign_models::verdict::{Claim, Exploration, Outcome, Verdict};

use programs::{AMPLE, Panicking};

type Every = Shuttle<Dfs>;
type Some = Shuttle<Random>;
type Few = Shuttle<Pct>;

#[test]
fn message_passing_is_sequentially_consistent_whatever_the_orderings() {
    let exploration = programs::message_passing::<Every>(Relaxed, Relaxed);
    assert_eq!(exploration.verdict, Verdict::Exhaustive);
    assert_eq!(programs::seen(&exploration), [[0, 0], [0, 1], [1, 1]]);

    for exploration in
        [programs::message_passing::<Some>(Relaxed, Relaxed), programs::message_passing::<Few>(Relaxed, Relaxed)]
    {
        assert_eq!(exploration.verdict, Verdict::Sampled);
        assert_eq!(programs::seen(&exploration), [[0, 0], [0, 1], [1, 1]]);
    }
}

#[test]
fn store_buffering_sees_a_store() {
    let exploration = modelled::store_buffering::<Every>();
    assert_eq!(exploration.verdict, Verdict::Exhaustive);
    assert_eq!(programs::seen(&exploration), [[0, 1], [1, 0], [1, 1]]);
}

#[test]
fn executions_are_counted() {
    for (writers, events, executions) in [(2, 1, 181), (2, 2, 1_301), (3, 1, 32_180)] {
        let exploration = Every::explore(programs::sharded::<Every>(writers, events, writers), &AMPLE);
        assert_eq!(exploration.verdict, Verdict::Exhaustive);
        assert_eq!(exploration.executions, executions, "{writers} writers, {events} events");
        assert_eq!(exploration.outcomes.values().sum::<u64>(), executions);
        assert_eq!(exploration.outcomes.len(), writers * events + 1);
    }
}

#[test]
fn samples_are_counted_and_the_same_in_each_run() {
    let [first, second] = [(), ()].map(|()| Some::explore(programs::sharded::<Some>(3, 2, 3), &AMPLE));
    assert_eq!(first.verdict, Verdict::Sampled);
    assert_eq!(first.executions, AMPLE.samples);
    assert_eq!(first.outcomes, second.outcomes);
    assert_eq!(first.outcomes.len(), 7);
}

/// One thread takes many steps, and the other two, the first and the last of which must enclose them all.
fn far_ahead<E: Engine>() -> Exploration {
    programs::outcomes_of::<E>(|| {
        let cell = Arc::new(programs::Cell::<E>::new(0));
        let theirs = Arc::clone(&cell);
        let long = E::spawn(move || (0..20).map(|_| theirs.fetch_add(1, Relaxed)).sum::<u64>());
        let between = [cell.load(Relaxed), cell.load(Relaxed)];
        long.join();
        vec![u64::from(between == [0, 20])]
    })
}

#[test]
fn pct_lets_a_thread_run_far_ahead_where_random_schedules_do_not() {
    assert_eq!(programs::seen(&far_ahead::<Some>()), [[0]]);
    assert_eq!(programs::seen(&far_ahead::<Few>()), [[0], [1]]);
}

#[test]
fn pct_is_the_same_in_each_run() {
    let [first, second] = [(), ()].map(|()| Few::explore(programs::sharded::<Few>(3, 2, 3), &AMPLE));
    assert_eq!((first.verdict, first.executions), (Verdict::Sampled, AMPLE.samples));
    assert_eq!(first.outcomes, second.outcomes);
}

#[test]
fn pct_of_a_program_without_a_choice_proves_nothing() {
    let exploration = programs::outcomes_of::<Few>(Vec::new);
    assert!(programs::why_truncated(&exploration).contains("nothing to sample"));
}

#[test]
fn layouts_run_as_they_are() {
    for exploration in [programs::recording::<Every, Slots<1, 1>>(1), programs::recording::<Every, Folding<1>>(1)] {
        assert_eq!(exploration.verdict, Verdict::Exhaustive);
        assert_eq!(programs::seen(&exploration), [[0, 1], [1, 1]]);
    }
    for exploration in [
        programs::recording::<Some, Slots<1, 2>>(2),
        programs::recording::<Some, Folding<1>>(2),
        programs::recording::<Few, Slots<1, 2>>(2),
        programs::recording::<Few, Folding<1>>(2),
    ] {
        assert_eq!(exploration.verdict, Verdict::Sampled);
        assert_eq!(programs::seen(&exploration), [[0, 2], [1, 2], [2, 2]]);
    }
}

#[test]
fn many_threads_are_welcome() {
    for exploration in [
        Some::explore(programs::sharded::<Some>(32, 2, 4), &AMPLE),
        Few::explore(programs::sharded::<Few>(32, 2, 4), &AMPLE),
    ] {
        assert_eq!(exploration.verdict, Verdict::Sampled);
        assert_eq!(exploration.executions, AMPLE.samples);
    }
}

#[test]
fn the_budget_of_executions_truncates() {
    let program = programs::sharded::<Every>(2, 1, 2);
    let exploration = Every::explore(Arc::clone(&program), &Budget { executions: 10, ..AMPLE });
    assert_eq!(exploration.executions, 10);
    assert!(programs::why_truncated(&exploration).contains("budget of 10 executions"));

    let enough = Every::explore(program, &Budget { executions: 181, ..AMPLE });
    assert_eq!(enough.verdict, Verdict::Exhaustive);
}

#[test]
fn the_budget_of_time_truncates() {
    let budget = Budget { time: Duration::from_millis(50), samples: u64::MAX, ..AMPLE };
    for exploration in [
        Every::explore(programs::sharded::<Every>(3, 1, 3), &budget),
        Some::explore(programs::sharded::<Some>(3, 1, 3), &budget),
        Few::explore(programs::sharded::<Few>(3, 1, 3), &budget),
    ] {
        assert!(exploration.executions > 0);
        assert!(programs::why_truncated(&exploration).contains("time of 50ms"));
    }
}

#[test]
fn no_execution_at_all_proves_nothing() {
    let budget = Budget { executions: 0, samples: 0, ..AMPLE };
    for exploration in [
        Every::explore(programs::sharded::<Every>(2, 1, 2), &budget),
        Some::explore(programs::sharded::<Some>(2, 1, 2), &budget),
        Few::explore(programs::sharded::<Few>(2, 1, 2), &budget),
    ] {
        assert_eq!(exploration.executions, 0);
        programs::why_truncated(&exploration);
    }
}

#[test]
fn a_failure_is_recorded_and_repeated() {
    modelled::assert_repeated::<Every>();
}

#[test]
fn a_random_failure_is_recorded_and_repeated() {
    let program: Program = Arc::new(|| {
        let cell = Arc::new(programs::Cell::<Some>::new(0));
        let adds: Vec<_> = (0..3)
            .map(|number| {
                let cell = Arc::clone(&cell);
                Some::spawn(move || cell.store(number, Relaxed))
            })
            .collect();
        adds.into_iter().for_each(JoinHandle::join);
        let last = cell.load(Relaxed);
        if last == 0 { Err(programs::planted()) } else { Ok(Outcome(vec![last])) }
    });
    let exploration = Some::explore(Arc::clone(&program), &AMPLE);
    let failing = exploration.failing.as_deref().unwrap();
    let again = Some::replay(program, failing.schedule.as_deref().unwrap()).unwrap();
    assert_eq!((&again.result, &again.execution), (&Err(programs::planted()), failing));
    assert!(exploration.executions > 1);
}

/// Explorations that fail or are cut short. What they print is looked at by `failures_print_nothing`.
mod failing {
    use super::*;

    #[test]
    fn a_program_that_spins_is_truncated() {
        assert!(programs::why_truncated(&modelled::spinning::<Every>()).contains("it spins"));
        assert!(programs::why_truncated(&modelled::spinning::<Some>()).contains("it spins"));
        assert!(programs::why_truncated(&modelled::spinning::<Few>()).contains("it spins"));
    }

    #[test]
    fn the_time_is_up() {
        let budget = Budget { time: Duration::ZERO, ..AMPLE };
        programs::why_truncated(&Some::explore(programs::sharded::<Some>(2, 1, 2), &budget));
    }

    #[test]
    fn a_broken_claim_ends_the_exploration() {
        for exploration in
            [modelled::broken_claim::<Every>(), modelled::broken_claim::<Some>(), modelled::broken_claim::<Few>()]
        {
            assert_eq!(*programs::violation(&exploration), programs::planted());
            // The failed execution has no outcome, and was the last.
            assert_eq!(exploration.executions, exploration.outcomes.values().sum::<u64>() + 1);
        }
    }

    #[test]
    fn a_panic_beside_live_recorders_is_a_failure() {
        for who in [Panicking::Main, Panicking::Spawned] {
            programs::assert_planted_panic(&programs::panicking::<Every, Slots<1, 2>>(who));
            programs::assert_planted_panic(&programs::panicking::<Every, Slots<1, 1>>(who));
            programs::assert_planted_panic(&programs::panicking::<Every, Folding<1>>(who));
            programs::assert_planted_panic(&programs::panicking::<Some, Folding<1>>(who));
            programs::assert_planted_panic(&programs::panicking::<Few, Folding<1>>(who));
        }
    }

    #[test]
    fn a_panic_beside_a_held_lock_is_a_failure() {
        programs::assert_planted_panic(&modelled::panicking_beside_a_lock::<Every>());
        programs::assert_planted_panic(&modelled::panicking_beside_a_lock::<Some>());
    }

    #[test]
    fn a_panic_within_a_lock_is_a_failure_and_the_end() {
        programs::assert_planted_panic(&modelled::panicking_within_a_lock::<Every>());
        programs::assert_planted_panic(&modelled::panicking_within_a_lock::<Some>());
        assert!(!modelled::RAN_DURING_A_PANIC.load(Relaxed));
    }

    #[test]
    fn a_deadlock_is_a_failure() {
        assert_eq!(programs::violation(&modelled::deadlock::<Every>()).claim, Claim::NoDeadlock);
        assert_eq!(programs::violation(&modelled::locking_twice::<Every>()).claim, Claim::NoDeadlock);
        assert_eq!(programs::violation(&modelled::deadlock::<Some>()).claim, Claim::NoDeadlock);
        assert_eq!(programs::violation(&modelled::deadlock::<Few>()).claim, Claim::NoDeadlock);
    }

    #[test]
    fn an_exploration_after_a_failed_one_is_complete() {
        for _ in 0..3 {
            programs::violation(&modelled::deadlock::<Every>());
            programs::assert_planted_panic(&programs::panicking::<Every, Folding<1>>(Panicking::Spawned));
            let exploration = Every::explore(programs::sharded::<Every>(2, 1, 2), &AMPLE);
            assert_eq!(exploration.verdict, Verdict::Exhaustive);
            assert_eq!(exploration.executions, 181);
        }
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
        programs::violation(&modelled::broken_claim::<Every>());
        panic!("outside of any exploration");
    }
}

#[test]
fn panics_that_are_not_a_programs_are_printed_and_not_shuttles_way() {
    let stderr = programs::stderr_of("elsewhere");
    assert!(stderr.contains("outside of any exploration"));
    assert!(!stderr.contains("Task failed"), "{stderr}");
}
