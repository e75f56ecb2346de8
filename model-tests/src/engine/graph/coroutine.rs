//! The threads of the program under test, as coroutines on the one OS thread that explores.
//!
//! The run that is going on is kept in a thread-local: the program's operations must find it. It is borrowed only for
//! the length of a step, never while a coroutine is entered or left.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, Location, catch_unwind, resume_unwind};
use std::sync::Once;
use std::sync::atomic::{AtomicU64, Ordering};

use corosensei::stack::DefaultStack;
use corosensei::{Coroutine, CoroutineResult, Yielder};

use super::diagnosis::panicked;
use super::event::{Operation, ThreadId};
use super::names::MAIN;
use super::run::{End, Reply, Run, Stop};
use crate::engine::{Program, containment};

/// The coroutines of a run, and stacks for more.
#[derive(Default)]
pub(super) struct Coroutines {
    /// By thread; `None` for one that has ended, or that is entered at the moment.
    threads: Vec<Option<Thread>>,
    /// By thread: what its coroutine is left through, once it was entered.
    yielders: Vec<Option<*const Yielder<(), ()>>>,
    stacks: Vec<DefaultStack>,
}

type Thread = Coroutine<(), (), (), DefaultStack>;

/// What a thread is unwound with when its run is given up.
struct Abandoned;

/// The address space of a coroutine's stack; memory is taken only as it is used.
const STACK_SIZE: usize = 1 << 20;

thread_local! {
    static RUN: RefCell<Option<Run>> = const { RefCell::new(None) };
    /// Whether a thread could not be unwound to its end.
    static HANGS: Cell<bool> = const { Cell::new(false) };
}

/// Does `work` on the run that is going on on this OS thread; `None` if there is none.
pub(super) fn with<R>(work: impl FnOnce(&mut Run) -> R) -> Option<R> {
    // The thread-local is gone only while its OS thread is torn down.
    RUN.try_with(|run| run.try_borrow_mut().ok()?.as_mut().map(work)).ok().flatten()
}

/// Does an operation of the running thread, and gives the value read. `None` if operations are inert: outside of an
/// exploration, and while a thread is unwound.
pub(super) fn perform(operation: Operation, at: &'static Location<'static>) -> Option<u64> {
    settle(|run| run.step(operation, at))
}

/// Does `step` until the running thread need not wait any more.
pub(super) fn settle(step: impl Fn(&mut Run) -> Reply) -> Option<u64> {
    loop {
        match with(&step).unwrap_or(Reply::Inert) {
            Reply::Done(value) => return Some(value),
            Reply::Inert => return None,
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
pub(super) fn hang() -> ! {
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
pub(super) fn spawn(child: ThreadId, body: impl FnOnce() + 'static) {
    let stack = with(|run| run.coroutines.stacks.pop()).flatten();
    let stack = stack.unwrap_or_else(|| DefaultStack::new(STACK_SIZE).expect("there is memory for a thread's stack"));
    let coroutine = Coroutine::with_stack(stack, move |yielder: &Yielder<(), ()>, ()| {
        with(|run| *slot(&mut run.coroutines.yielders, child) = Some(std::ptr::from_ref(yielder)));
        let ran = catch_unwind(AssertUnwindSafe(|| {
            body();
            perform(Operation::End, Location::caller());
        }));
        if let Err(payload) = ran
            && !payload.is::<Abandoned>()
        {
            // Usually the hook has reported it already, and this changes nothing.
            with(|run| run.stop(Stop::Failed(panicked(&message(&*payload)))));
        }
    });
    with(|run| {
        *slot(&mut run.coroutines.threads, child) = Some(coroutine);
        run.start(child);
    });
}

/// Unwinds a thread that is not running, if it can be. Gives up the run.
pub(super) fn unwind(thread: ThreadId) {
    let started = with(|run| {
        run.abandoned = true;
        run.coroutines.threads.get(thread as usize)?.as_ref().map(Coroutine::started)
    });
    match started.flatten() {
        Some(true) => enter(thread),
        Some(false) => {
            if let Some(mut coroutine) = with(|run| slot(&mut run.coroutines.threads, thread).take()).flatten() {
                // What the thread would have owned is dropped here, and may want to do operations.
                match catch_unwind(AssertUnwindSafe(|| coroutine.force_unwind())) {
                    Ok(()) => _ = with(|run| run.coroutines.stacks.push(coroutine.into_stack())),
                    // Dropping it would drop once more what is half dropped.
                    Err(_) => std::mem::forget(coroutine),
                }
            }
        }
        None => {}
    }
}

/// Runs the program once, along and beyond the graph at hand.
pub(super) fn run_once(program: &Program) -> End {
    static RUNS: AtomicU64 = AtomicU64::new(1);
    // Relaxed: the number need only be unique.
    with(|run| run.begin(RUNS.fetch_add(1, Ordering::Relaxed)));
    let main = program.clone();
    spawn(MAIN, move || {
        let result = main();
        with(|run| run.result = Some(result));
    });
    while let Some(thread) = with(Run::schedule).flatten() {
        enter(thread);
    }
    let end = with(Run::end).expect("a run is going on");
    let threads = with(|run| run.coroutines.threads.len()).unwrap_or_default();
    for thread in 0..threads {
        unwind(thread as ThreadId);
    }
    with(|run| leak_rest(&mut run.coroutines));
    match end {
        End::Blocked if HANGS.get() => End::Stopped(Stop::Truncated(
            "a destructor waits for another thread while its own is unwound because its execution ends blocked"
                .to_owned(),
        )),
        end => end,
    }
}

/// Makes `run` the one that is going on while `work` is done.
pub(super) fn during<R>(run: Run, work: impl FnOnce() -> R) -> R {
    install_hook();
    RUN.set(Some(run));
    let result = work();
    RUN.set(None);
    result
}

fn enter(thread: ThreadId) {
    let entered = with(|run| {
        let coroutine = slot(&mut run.coroutines.threads, thread).take()?;
        Some((coroutine, run.current.replace(thread)))
    });
    let Some((mut coroutine, previous)) = entered.flatten() else { return };
    let result = coroutine.resume(());
    with(|run| {
        run.current = previous;
        match result {
            CoroutineResult::Yield(()) => *slot(&mut run.coroutines.threads, thread) = Some(coroutine),
            CoroutineResult::Return(()) => run.coroutines.stacks.push(coroutine.into_stack()),
        }
    });
}

fn suspend() {
    let yielder = with(|run| {
        let thread = run.current?;
        *slot(&mut run.coroutines.yielders, thread)
    });
    if let Some(yielder) = yielder.flatten() {
        // SAFETY: the yielder lies on the stack of the running thread's coroutine, which put the pointer there when
        // it was entered in this run, and lives as long as the coroutine does. `current` is the thread whose
        // coroutine was entered last and not left, so this code runs on that coroutine's stack.
        unsafe { &*yielder }.suspend(());
    }
}

/// Leaks the threads that could not be unwound.
fn leak_rest(coroutines: &mut Coroutines) {
    for coroutine in coroutines.threads.drain(..).flatten() {
        std::mem::forget(coroutine);
    }
    coroutines.yielders.clear();
}

fn slot<T>(threads: &mut Vec<Option<T>>, thread: ThreadId) -> &mut Option<T> {
    let index = thread as usize;
    if index >= threads.len() {
        threads.resize_with(index + 1, || None);
    }
    &mut threads[index]
}

/// Puts a hook before the process's panic hook that takes the panics of programs under test: they are verdicts, and
/// are not printed. Others go to the former hook.
pub(super) fn install_hook() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let _exchange = containment::exchanging_hook();
        let former = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            let taken = with(|run| {
                let thread = run.current?;
                let number = run.cast().number(thread);
                let message = message(info.payload());
                let seen = match info.location() {
                    Some(at) => format!("thread {number} panicked at {at}: {message}"),
                    None => format!("thread {number} panicked: {message}"),
                };
                run.stop(Stop::Failed(panicked(&seen)));
                Some(())
            });
            if taken.flatten().is_none() {
                former(info);
            }
        }));
    });
}

fn message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".to_owned())
}
