//! The loom engine, checked on programs whose outcomes are known.

mod modelled;
mod programs;

use std::sync::Arc;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use countersign::{Atomic, Folding, Slots};
use countersign_models::engine::{Budget, Engine, JoinHandle, Loom};
use countersign_models::verdict::{Claim, Exploration, Verdict};

use programs::{AMPLE, Cell, Panicking};

#[test]
fn relaxed_message_passing_may_see_the_flag_without_the_data() {
    let exploration = programs::message_passing::<Loom>(Relaxed, Relaxed);
    assert_eq!(exploration.verdict, Verdict::Exhaustive);
    assert_eq!(programs::seen(&exploration), [[0, 0], [0, 1], [1, 0], [1, 1]]);
}

#[test]
fn released_message_passing_may_not() {
    let exploration = programs::message_passing::<Loom>(Release, Acquire);
    assert_eq!(exploration.verdict, Verdict::Exhaustive);
    assert_eq!(programs::seen(&exploration), [[0, 0], [0, 1], [1, 1]]);
}

#[test]
fn store_buffering_may_see_neither_store() {
    let exploration = modelled::store_buffering::<Loom>();
    assert_eq!(exploration.verdict, Verdict::Exhaustive);
    assert_eq!(programs::seen(&exploration), [[0, 0], [0, 1], [1, 0], [1, 1]]);
}

#[test]
fn executions_are_counted() {
    for (writers, events, executions) in [(2, 1, 60), (2, 2, 177), (3, 1, 1_176)] {
        let exploration = Loom::explore(programs::sharded::<Loom>(writers, events, writers), &AMPLE);
        assert_eq!(exploration.verdict, Verdict::Exhaustive);
        assert_eq!(exploration.executions, executions, "{writers} writers, {events} events");
        assert_eq!(exploration.outcomes.values().sum::<u64>(), executions);
        assert_eq!(exploration.outcomes.len(), writers * events + 1);
    }
}

/// One thread counts twice in a cell of its own, reading it in the given way; the other looks twice.
fn owned_cell(owner: impl Fn(&Cell<Loom>) -> u64 + Copy + Send + Sync + 'static) -> Exploration {
    programs::outcomes_of::<Loom>(move || {
        let cell = Arc::new(Cell::<Loom>::new(0));
        let theirs = Arc::clone(&cell);
        let writer = Loom::spawn(move || {
            for _ in 0..2 {
                theirs.store(owner(&theirs) + 1, Relaxed);
            }
        });
        let seen = vec![cell.load(Relaxed), cell.load(Relaxed)];
        writer.join();
        seen
    })
}

/// loom #166. If this fails, loom was mended, and the owner's read may become a plain load.
#[test]
fn a_plain_load_by_the_owner_hides_its_races() {
    let exploration = owned_cell(|cell| cell.load(Relaxed));
    assert_eq!(exploration.verdict, Verdict::Exhaustive);
    assert_eq!(programs::seen(&exploration), [[0, 0]]);
}

#[test]
fn an_owners_read_does_not() {
    let exploration = owned_cell(Atomic::load_owned);
    assert_eq!(exploration.verdict, Verdict::Exhaustive);
    assert_eq!(programs::seen(&exploration), [[0, 0], [0, 1], [0, 2], [1, 1], [1, 2], [2, 2]]);
}

#[test]
fn layouts_run_as_they_are() {
    for exploration in [programs::recording::<Loom, Slots<1, 2>>(2), programs::recording::<Loom, Folding<1>>(2)] {
        assert_eq!(exploration.verdict, Verdict::Exhaustive);
        assert_eq!(programs::seen(&exploration), [[0, 2], [1, 2], [2, 2]]);
    }
}

#[test]
fn the_budget_of_executions_truncates() {
    let program = programs::sharded::<Loom>(2, 1, 2);
    let exploration = Loom::explore(Arc::clone(&program), &Budget { executions: 10, ..AMPLE });
    assert_eq!(exploration.executions, 10);
    assert!(programs::why_truncated(&exploration).contains("budget of 10 executions"));

    let enough = Loom::explore(program, &Budget { executions: 60, ..AMPLE });
    assert_eq!(enough.verdict, Verdict::Exhaustive);
}

#[test]
fn the_budget_of_time_truncates() {
    let time = std::time::Duration::from_millis(50);
    let exploration = Loom::explore(programs::sharded::<Loom>(3, 2, 3), &Budget { time, ..AMPLE });
    assert!(exploration.executions > 0);
    assert!(programs::why_truncated(&exploration).contains("time of 50ms"));
}

#[test]
fn no_execution_at_all_proves_nothing() {
    let exploration = Loom::explore(programs::sharded::<Loom>(2, 1, 2), &Budget { executions: 0, ..AMPLE });
    assert_eq!(exploration.executions, 0);
    programs::why_truncated(&exploration);
}

/// Threads that do nothing, all of them alive at once.
fn idle(threads: usize) -> Exploration {
    programs::outcomes_of::<Loom>(move || {
        let threads: Vec<_> = (0..threads).map(|_| Loom::spawn(|| ())).collect();
        threads.into_iter().for_each(JoinHandle::join);
        vec![]
    })
}

#[test]
fn more_threads_than_loom_has_are_refused() {
    assert_eq!(idle(4).verdict, Verdict::Exhaustive);

    let exploration = idle(5);
    assert_eq!(exploration.executions, 0);
    assert!(programs::why_truncated(&exploration).contains("more than the 5 threads"));
}

/// What loom is known to get wrong, and does not get to judge.
mod refused {
    use countersign_models::engine::REFUSED;

    use super::*;

    type Body = fn(&Cell<Loom>) -> Vec<u64>;

    /// One thread beside another, and a look at the end.
    fn beside(theirs: Body, mine: Body) -> Exploration {
        programs::outcomes_of::<Loom>(move || {
            let cell = Arc::new(Cell::<Loom>::new(0));
            let their_cell = Arc::clone(&cell);
            let thread = Loom::spawn(move || theirs(&their_cell));
            let mut seen = mine(&cell);
            seen.extend(thread.join());
            seen.push(cell.load(Relaxed));
            seen
        })
    }

    fn stores<const N: u64>(cell: &Cell<Loom>) -> Vec<u64> {
        (1..=N).for_each(|value| cell.store(value, Relaxed));
        Vec::new()
    }

    fn look(cell: &Cell<Loom>) -> Vec<u64> {
        vec![cell.load(Relaxed)]
    }

    fn nothing(_: &Cell<Loom>) -> Vec<u64> {
        Vec::new()
    }

    #[track_caller]
    fn assert_refused(exploration: &Exploration, why: &str) {
        let reason = programs::why_truncated(exploration);
        assert!(reason.starts_with(REFUSED) && reason.contains(why), "{reason}");
    }

    #[test]
    fn a_reader_further_behind_than_loom_remembers() {
        let exploration = beside(stores::<6>, look);
        assert_eq!(exploration.verdict, Verdict::Exhaustive);
        assert_eq!(programs::seen(&exploration), [[0, 6], [1, 6], [2, 6], [3, 6], [4, 6], [5, 6], [6, 6]]);
        assert_refused(&beside(stores::<7>, look), "written 7 times");
    }

    #[test]
    fn but_no_reader_that_has_seen_the_writes() {
        // The look at the end is after a join, and the writer's own are after what it wrote.
        assert_eq!(beside(stores::<20>, nothing).verdict, Verdict::Exhaustive);
        let own = |cell: &Cell<Loom>| (0..20).flat_map(|_| [stores::<1>(cell), look(cell)].concat()).collect();
        assert_eq!(beside(own, nothing).verdict, Verdict::Exhaustive);
        // What was written before a spawn is known to the child.
        let exploration = programs::outcomes_of::<Loom>(|| {
            let cell = Arc::new(Cell::<Loom>::new(0));
            stores::<20>(&cell);
            Loom::spawn(move || look(&cell)).join()
        });
        assert_eq!((exploration.verdict.clone(), programs::seen(&exploration)), (Verdict::Exhaustive, vec![vec![20]]));
    }

    #[test]
    fn a_store_beside_a_read_modify_write() {
        let updates: [Body; 3] = [
            |cell| vec![cell.fetch_add(1, Relaxed)],
            |cell| vec![cell.swap(7, Relaxed)],
            |cell| vec![cell.fetch_max(7, Relaxed)],
        ];
        for update in updates {
            assert_refused(&beside(update, stores::<1>), "beside a read-modify-write");
            assert_refused(&beside(stores::<1>, update), "beside a read-modify-write");
        }
    }

    #[test]
    fn but_none_that_is_before_or_after_it() {
        let exploration = programs::outcomes_of::<Loom>(|| {
            let cell = Arc::new(Cell::<Loom>::new(0));
            stores::<1>(&cell);
            let theirs = Arc::clone(&cell);
            let child = Loom::spawn(move || theirs.fetch_add(1, Relaxed));
            let old = child.join();
            stores::<2>(&cell);
            vec![old, cell.fetch_add(1, Relaxed), cell.load(Relaxed)]
        });
        assert_eq!(
            (exploration.verdict.clone(), programs::seen(&exploration)),
            (Verdict::Exhaustive, vec![vec![1, 2, 3]])
        );
    }

    /// The owner word of a slot: who stores there has exchanged it before, and who exchanges it reads the store.
    #[test]
    fn and_no_exchange_that_the_store_permits() {
        let claim: Body = |cell| {
            let claims = (0..2).map(|_| {
                let claimed = cell.compare_exchange(0, 1, Acquire, Relaxed).is_ok();
                if claimed {
                    cell.store(0, Release);
                }
                u64::from(claimed)
            });
            claims.collect()
        };
        let exploration = beside(claim, claim);
        assert_eq!(exploration.verdict, Verdict::Exhaustive);
        assert!(programs::seen(&exploration).len() > 1);
    }
}

#[test]
fn a_program_that_spins_is_truncated() {
    assert!(programs::why_truncated(&modelled::spinning::<Loom>()).contains("it spins"));
}

#[test]
fn a_failure_is_recorded_and_repeated() {
    modelled::assert_repeated::<Loom>();
}

/// Explorations that fail. What they print is looked at by `failures_print_nothing`.
mod failing {
    use super::*;

    #[test]
    fn a_broken_claim_ends_the_exploration() {
        let exploration = modelled::broken_claim::<Loom>();
        assert_eq!(*programs::violation(&exploration), programs::planted());
        // The failed execution has no outcome, and was the last.
        assert_eq!(exploration.executions, exploration.outcomes.values().sum::<u64>() + 1);
    }

    #[test]
    fn a_second_writer_is_reported_as_such() {
        let exploration = programs::outcomes_of::<Loom>(|| {
            let cell = Arc::new(Cell::<Loom>::new(0));
            let theirs = Arc::clone(&cell);
            let other = Loom::spawn(move || theirs.store(theirs.load_owned() + 1, Relaxed));
            cell.store(cell.load_owned() + 1, Relaxed);
            other.join();
            vec![cell.load(Relaxed)]
        });
        let violation = programs::violation(&exploration);
        assert_eq!(violation.claim, Claim::SingleWriter);
        let here = format!("{}:", file!());
        assert!(violation.seen.matches(&here).count() >= 2, "both accesses have a place: {violation}");
    }

    #[test]
    fn a_panic_beside_live_recorders_is_a_failure() {
        for who in [Panicking::Main, Panicking::Spawned] {
            programs::assert_planted_panic(&programs::panicking::<Loom, Slots<1, 2>>(who));
            programs::assert_planted_panic(&programs::panicking::<Loom, Slots<1, 1>>(who));
            programs::assert_planted_panic(&programs::panicking::<Loom, Folding<1>>(who));
        }
    }

    #[test]
    fn a_panic_beside_a_held_lock_is_a_failure() {
        programs::assert_planted_panic(&modelled::panicking_beside_a_lock::<Loom>());
    }

    #[test]
    fn a_panic_within_a_lock_is_a_failure_and_the_end() {
        programs::assert_planted_panic(&modelled::panicking_within_a_lock::<Loom>());
        assert!(!modelled::RAN_DURING_A_PANIC.load(Relaxed));
    }

    #[test]
    fn a_deadlock_is_a_failure() {
        assert_eq!(programs::violation(&modelled::deadlock::<Loom>()).claim, Claim::NoDeadlock);
        assert_eq!(programs::violation(&modelled::locking_twice::<Loom>()).claim, Claim::NoDeadlock);
    }

    #[test]
    fn an_exploration_after_a_failed_one_is_complete() {
        for _ in 0..3 {
            programs::violation(&modelled::deadlock::<Loom>());
            programs::assert_planted_panic(&programs::panicking::<Loom, Folding<1>>(Panicking::Spawned));
            let exploration = Loom::explore(programs::sharded::<Loom>(2, 1, 2), &AMPLE);
            assert_eq!(exploration.verdict, Verdict::Exhaustive);
            assert_eq!(exploration.executions, 60);
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
        programs::violation(&modelled::broken_claim::<Loom>());
        panic!("outside of any exploration");
    }
}

#[test]
fn panics_that_are_not_a_programs_are_printed() {
    assert!(programs::stderr_of("elsewhere").contains("outside of any exploration"));
}
