//! Where a program may fail without harm: an OS thread of its own, quiet, that can be left behind.
//!
//! A panic in a program under test is a finding, not an accident. It must become a verdict, with its message and
//! place, and must print nothing; and no destructor of the program may turn it into an abort of the process.

use std::any::Any;
use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError};
use std::thread;

use super::record::{self, Record};
use crate::verdict::{Claim, Verdict, Violation};

/// A panic of a program, or of an engine's library on its behalf.
#[derive(Clone, Debug)]
pub(crate) struct Panic {
    /// What it said.
    pub(crate) message: String,
    /// The file, line and column.
    pub(crate) place: String,
}

impl From<Panic> for Verdict {
    fn from(Panic { message, place }: Panic) -> Self {
        Self::Failed(Box::new(Violation {
            claim: Claim::NoPanic,
            claimed: "that no thread panics".to_owned(),
            seen: format!("a panic at {place}: {message}"),
        }))
    }
}

/// How a contained exploration ended: with a verdict of its own, or with a panic that the engine has to interpret.
pub(crate) type End = Result<Verdict, Panic>;

/// How a contained exploration ended, and what was recorded of its last execution.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) end: End,
    pub(crate) record: Record,
}

/// The containment that the current OS thread belongs to. It can be entered from further threads.
#[derive(Clone)]
pub(crate) struct Containment {
    first: Arc<Mutex<Option<Panic>>>,
    /// What further threads recorded that panicked, so that nobody could join them.
    left: Arc<Mutex<Vec<Record>>>,
    end: Sender<Ended>,
}

thread_local! {
    static CURRENT: RefCell<Option<Containment>> = const { RefCell::new(None) };
}

/// Unwinds to the containment, and ends it with this verdict.
struct Stop(Verdict);

/// Runs `body` contained, and says how it ended.
///
/// Panics on the thread, and on those that [enter](Containment::enter) the containment, print nothing.
pub(crate) fn contain(name: &str, body: impl FnOnce() -> Verdict + Send + 'static) -> Ended {
    install_hook();
    let (sender, receiver) = mpsc::channel();
    let containment = Containment { first: Arc::default(), left: Arc::default(), end: sender };
    let spawned = thread::Builder::new().name(name.to_owned()).spawn(move || {
        containment.clone().enter();
        let result = panic::catch_unwind(AssertUnwindSafe(body)).or_else(|payload| match payload.downcast::<Stop>() {
            Ok(stop) => Ok(stop.0),
            Err(payload) => Err(first_panic().unwrap_or_else(|| unseen(&*payload))),
        });
        containment.end(result);
    });
    if let Err(error) = spawned {
        return Ended::truncated(format!("no thread could be started for the engine: {error}"));
    }
    receiver.recv().unwrap_or_else(|_| Ended::truncated("the engine ended without a result".to_owned()))
}

/// Ends the exploration with `verdict` by unwinding to [`contain`]. No panic hook sees it.
pub(crate) fn stop(verdict: Verdict) -> ! {
    panic::resume_unwind(Box::new(Stop(verdict)))
}

/// Ends the exploration with `verdict` here and now. Nothing unwinds: this OS thread, and with it the stacks of all
/// threads of the program that live on it, is left behind for as long as the process lasts.
pub(crate) fn abandon(verdict: Verdict) -> ! {
    leave_behind(Ok(verdict))
}

/// [Abandons](abandon) the exploration because the program panicked.
pub(crate) fn abandon_panicked() -> ! {
    leave_behind(Err(first_panic().unwrap_or_else(|| Panic {
        message: "an unwinding that no panic hook saw".to_owned(),
        place: "an unknown place".to_owned(),
    })))
}

fn leave_behind(end: End) -> ! {
    if let Some(containment) = Containment::current() {
        containment.end(end);
    }
    loop {
        thread::park();
    }
}

/// The first panic in the current containment.
pub(crate) fn first_panic() -> Option<Panic> {
    Containment::current()?.first()
}

impl Containment {
    /// The containment that the calling thread is in.
    pub(crate) fn current() -> Option<Self> {
        CURRENT.with_borrow(Clone::clone)
    }

    /// Makes the calling thread, which must be a new one, a part of the containment.
    pub(crate) fn enter(self) {
        CURRENT.set(Some(self));
    }

    /// Leaves what a further thread recorded until it panicked.
    pub(crate) fn leave(&self, record: Record) {
        self.left.lock().unwrap_or_else(PoisonError::into_inner).push(record);
    }

    fn end(&self, end: End) {
        let mut record = record::end();
        self.left.lock().unwrap_or_else(PoisonError::into_inner).drain(..).for_each(|left| record.add(left));
        // The receiver waits for exactly one message, so it is there unless it already got one.
        let _ = self.end.send(Ended { end, record });
    }

    fn first(&self) -> Option<Panic> {
        self.first.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn note(&self, info: &PanicHookInfo<'_>) {
        let place = info.location().map_or_else(|| "an unknown place".to_owned(), ToString::to_string);
        let panic = Panic { message: message(info.payload()), place };
        self.first.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(panic);
    }
}

impl Ended {
    fn truncated(why: String) -> Self {
        Self { end: Ok(Verdict::Truncated { why }), record: Record::default() }
    }
}

/// To be held while the process's panic hook is exchanged: taking and setting it are two steps.
pub(crate) fn exchanging_hook() -> MutexGuard<'static, ()> {
    static EXCHANGE: Mutex<()> = Mutex::new(());
    EXCHANGE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes panics on contained threads silent, once for the process; every other thread keeps the hook it had.
pub(crate) fn install_hook() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let _exchange = exchanging_hook();
        let previous = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let contained = CURRENT.try_with(|current| current.borrow().clone()).ok().flatten();
            match contained {
                Some(containment) => containment.note(info),
                None => previous(info),
            }
        }));
    });
}

/// Runs `action`, which may exchange the panic hook, and puts the hook back.
pub(crate) fn with_hook_kept(action: impl FnOnce()) {
    let _exchange = exchanging_hook();
    let hook = panic::take_hook();
    action();
    panic::set_hook(hook);
}

fn unseen(payload: &(dyn Any + Send)) -> Panic {
    Panic { message: message(payload), place: "an unknown place".to_owned() }
}

fn message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<String>().map(String::as_str).or(payload.downcast_ref::<&str>().copied());
    text.unwrap_or("a panic without a message").trim().to_owned()
}
