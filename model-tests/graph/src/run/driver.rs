//! The run that is going on, where the program's operations find it, and the threads that it runs.
//!
//! The run is kept in a thread-local. It is borrowed only for the length of a step, never while a thread is entered or left.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, Location, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicU64, Ordering};

use super::coroutine::{self, Progress};
use super::names::MAIN;
use super::step::fault::{Fault, Panic};
use super::step::reply::{End, Reply, Stop};
use super::step::stepper::Run;
use crate::model::event::{Operation, ThreadId};
use crate::verdict::Program;

/// What a thread is unwound with when its run is given up.
struct Abandoned;

thread_local! {
    static RUN: RefCell<Option<Run>> = const { RefCell::new(None) };
    /// Whether a thread could not be unwound to its end.
    static HANGS: Cell<bool> = const { Cell::new(false) };
}

/// Does `work` on the run that is going on on this OS thread; `None` if there is none.
pub(crate) fn with<R>(work: impl FnOnce(&mut Run) -> R) -> Option<R> {
    // The thread-local is gone only while its OS thread is torn down.
    RUN.try_with(|run| run.try_borrow_mut().ok()?.as_mut().map(work)).ok().flatten()
}

/// Does an operation of the running thread, and gives the value read. `None` if operations have no effect: outside of an
/// exploration, and while a thread is unwound.
pub(crate) fn perform(operation: Operation, at: &'static Location<'static>) -> Option<u64> {
    settle(|run| run.step(operation, at))
}

/// Does `step` until the running thread need not wait any more.
pub(crate) fn settle(step: impl Fn(&mut Run) -> Reply) -> Option<u64> {
    loop {
        match with(&step).unwrap_or(Reply::NoEffect) {
            Reply::Done(value) => return Some(value),
            Reply::NoEffect => return None,
            Reply::Wait => {
                suspend();
                // Not asked as a step: while another thread is being unwound this one would be taken for that one.
                if with(|run| run.abandoned) == Some(true) {
                    resume_unwind(Box::new(Abandoned));
                }
            }
            Reply::Unwind => resume_unwind(Box::new(Abandoned)),
            Reply::Hang => hang(),
        }
    }
}

/// Leaves the running thread for good: it waits, while it is being unwound, for what will not come.
///
/// Its stack is leaked, as that of a thread that sleeps for ever would be, and the exploration ends.
pub(crate) fn hang() -> ! {
    HANGS.set(true);
    if with(|run| run.current).flatten().is_none() {
        // On the scheduler's own stack, where a thread is dropped that never ran.
        resume_unwind(Box::new(Abandoned));
    }
    loop {
        suspend();
    }
}

/// Makes a thread that will run `body`.
pub(crate) fn spawn(child: ThreadId, body: Box<dyn FnOnce()>) {
    let guarded = move || {
        let ran = catch_unwind(AssertUnwindSafe(|| {
            body();
            perform(Operation::End, Location::caller());
        }));
        if let Err(payload) = ran
            && !payload.is::<Abandoned>()
        {
            // Usually the hook has reported it already, and this changes nothing.
            with(|run| run.stop(Stop::Fault(Fault::Panicked(Panic::new(None, None, &*payload)))));
        }
    };
    coroutine::make(child, Box::new(guarded));
    with(|run| run.start(child));
}

/// Unwinds a thread that is not running, if it can be. Gives up the run.
pub(crate) fn unwind(thread: ThreadId) {
    with(|run| run.abandoned = true);
    match coroutine::progress(thread) {
        Progress::Left => enter(thread),
        // What the thread would have owned is dropped, and may want to do operations.
        Progress::Fresh => coroutine::drop_fresh(thread),
        Progress::Absent => {}
    }
}

/// Runs the program once, along and beyond the graph at hand.
pub(crate) fn run_once(program: &Program) -> End {
    static RUNS: AtomicU64 = AtomicU64::new(1);
    // Relaxed: the number need only be unique.
    with(|run| run.begin(RUNS.fetch_add(1, Ordering::Relaxed)));
    let main = program.clone();
    let main = move || {
        let result = main();
        with(|run| run.result = Some(result));
    };
    spawn(MAIN, Box::new(main));
    while let Some(thread) = with(Run::schedule).flatten() {
        enter(thread);
    }
    let end = with(Run::end).expect("a run is going on");
    (0..coroutine::count()).for_each(unwind);
    coroutine::clear();
    match end {
        End::Blocked if HANGS.get() => End::Stopped(Stop::Truncated(
            "a destructor waits for another thread while its own is unwound because its execution ends blocked"
                .to_owned(),
        )),
        end => end,
    }
}

/// Makes `run` the one that is going on while `work` is done, on an OS thread of its own: whatever a program leaves behind
/// there (a thread that cannot be unwound leaves its panic uncaught) ends with it.
pub(crate) fn during<R: Send>(run: Run, work: impl FnOnce() -> R + Send) -> R {
    let on_it = || {
        RUN.set(Some(run));
        let result = work();
        RUN.set(None);
        result
    };
    let result = std::thread::scope(|scope| scope.spawn(on_it).join());
    result.unwrap_or_else(|payload| resume_unwind(payload))
}

fn enter(thread: ThreadId) {
    let previous = with(|run| run.current.replace(thread)).flatten();
    coroutine::enter(thread);
    with(|run| run.current = previous);
}

fn suspend() {
    if let Some(thread) = with(|run| run.current).flatten() {
        // `current` is the thread that was entered last and not left.
        coroutine::suspend(thread);
    }
}
