//! What can be wrong with a program whatever it claims, as data; [`diagnosis`](crate::show::diagnosis) has the words.

use std::any::Any;

use crate::model::event::{PlaceId, Step, ThreadId};

/// What a program did that no program may.
#[derive(Clone, Debug)]
pub(crate) enum Fault {
    /// A thread panicked.
    Panicked(Panic),
    /// Threads wait for each other, and for nothing else.
    Deadlock(Vec<Waiting>),
    /// A cell that a thread reads as its owner's is written by another, in no order.
    SecondWriter { read: Step, write: Step },
    /// A thread's next event is `recorded`, and when the execution is replayed it does something else, or nothing.
    OtherStep { recorded: Step, replayed: Option<Step> },
    /// A place is made with another value than its reads have read.
    OtherInitial { place: PlaceId, known: u64, made: u64 },
    /// When an execution is replayed, no thread can go on though events are left.
    Stuck,
    /// It uses a cell that another execution, or none, made.
    Foreign,
}

/// A panic.
#[derive(Clone, Debug)]
pub(crate) struct Panic {
    /// The thread; `None` if no hook saw the panic, since the program resumed one.
    pub(crate) thread: Option<ThreadId>,
    /// Where in the source, if that is known.
    pub(crate) at: Option<String>,
    pub(crate) message: String,
}

/// A thread that is left, and what it waits for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Waiting {
    pub(crate) thread: ThreadId,
    pub(crate) awaited: Awaited,
}

/// What a thread waits for in a deadlock.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Awaited {
    /// The end of this thread.
    End(ThreadId),
    /// A mutex: the lock that is blocked, and the one that holds it.
    Mutex { lock: Step, held: Step },
}

impl Panic {
    pub(crate) fn new(thread: Option<ThreadId>, at: Option<String>, payload: &(dyn Any + Send)) -> Self {
        let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
        Self { thread, at, message: text.unwrap_or_else(|| "no message".to_owned()) }
    }
}
