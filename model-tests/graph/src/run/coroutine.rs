//! The threads of the program under test, as coroutines on the one OS thread that explores.
//!
//! Nothing here knows what a thread does, or why it is entered or left. The coroutines are kept in a thread-local, which is
//! never borrowed while one of them is entered or left.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use corosensei::stack::DefaultStack;
use corosensei::{Coroutine, CoroutineResult, Yielder};

use crate::model::event::ThreadId;

/// The coroutines of a run, and stacks for more.
#[derive(Default)]
struct Coroutines {
    /// By thread; `None` for one that has ended, or that is entered at the moment.
    threads: Vec<Option<Thread>>,
    /// By thread: what its coroutine is left through, once it was entered.
    yielders: Vec<Option<*const Yielder<(), ()>>>,
    stacks: Vec<DefaultStack>,
}

type Thread = Coroutine<(), (), (), DefaultStack>;

/// How far a thread has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Progress {
    /// It was made, and never entered.
    Fresh,
    /// It was entered, and left before its end.
    Left,
    /// It has ended, is entered at the moment, or was never made.
    Absent,
}

/// The address space of a coroutine's stack; memory is taken only as it is used.
const STACK_SIZE: usize = 1 << 20;

thread_local! {
    static COROUTINES: RefCell<Coroutines> = RefCell::default();
}

/// Makes a thread that will run `body`, which must not unwind.
pub(crate) fn make(thread: ThreadId, body: Box<dyn FnOnce()>) {
    let stack = with(|all| all.stacks.pop());
    let stack = stack.unwrap_or_else(|| DefaultStack::new(STACK_SIZE).expect("there is memory for a thread's stack"));
    let coroutine = Coroutine::with_stack(stack, move |yielder: &Yielder<(), ()>, ()| {
        with(|all| *slot(&mut all.yielders, thread) = Some(std::ptr::from_ref(yielder)));
        body();
    });
    with(|all| *slot(&mut all.threads, thread) = Some(coroutine));
}

/// How far a thread has come.
pub(crate) fn progress(thread: ThreadId) -> Progress {
    with(|all| match all.threads.get(thread as usize) {
        Some(Some(coroutine)) if coroutine.started() => Progress::Left,
        Some(Some(_)) => Progress::Fresh,
        _ => Progress::Absent,
    })
}

/// Runs a thread until it suspends itself or ends. Does nothing with one that is absent.
pub(crate) fn enter(thread: ThreadId) {
    let Some(mut coroutine) = with(|all| slot(&mut all.threads, thread).take()) else { return };
    let result = coroutine.resume(());
    with(|all| match result {
        CoroutineResult::Yield(()) => *slot(&mut all.threads, thread) = Some(coroutine),
        CoroutineResult::Return(()) => all.stacks.push(coroutine.into_stack()),
    });
}

/// Leaves `thread`, which must be the one that was entered last and not left: the caller runs on it.
pub(crate) fn suspend(thread: ThreadId) {
    let yielder = with(|all| *slot(&mut all.yielders, thread));
    if let Some(yielder) = yielder {
        // SAFETY: the yielder lies on the stack of the thread's coroutine, which put the pointer there when it was entered
        // after it was made, and lives as long as the coroutine does. The caller runs on that coroutine's stack.
        unsafe { &*yielder }.suspend(());
    }
}

/// Drops what a thread that was never entered owns, and with it the thread.
pub(crate) fn drop_fresh(thread: ThreadId) {
    let Some(mut coroutine) = with(|all| slot(&mut all.threads, thread).take()) else { return };
    match catch_unwind(AssertUnwindSafe(|| coroutine.force_unwind())) {
        Ok(()) => with(|all| all.stacks.push(coroutine.into_stack())),
        // Dropping it would drop once more what is half dropped.
        Err(_) => std::mem::forget(coroutine),
    }
}

/// How many threads were made since the last [`clear`].
pub(crate) fn count() -> ThreadId {
    with(|all| all.threads.len() as ThreadId)
}

/// Forgets all threads; those that have not ended are leaked.
pub(crate) fn clear() {
    with(|all| {
        all.threads.drain(..).flatten().for_each(std::mem::forget);
        all.yielders.clear();
    });
}

fn with<R>(work: impl FnOnce(&mut Coroutines) -> R) -> R {
    COROUTINES.with_borrow_mut(work)
}

fn slot<T>(threads: &mut Vec<Option<T>>, thread: ThreadId) -> &mut Option<T> {
    let index = thread as usize;
    if index >= threads.len() {
        threads.resize_with(index + 1, || None);
    }
    &mut threads[index]
}
