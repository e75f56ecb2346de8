//! Threads for programs under test, in the shape of [`std::thread`].

use std::panic::Location;
use std::sync::{Arc, Mutex, PoisonError};

use crate::model::event::{Operation, ThreadId};
use crate::run::driver::{self, hang, perform, settle, with};
use crate::run::step::stepper::Run;

/// A thread that can be waited for.
pub struct JoinHandle<T> {
    child: ThreadId,
    result: Arc<Mutex<Option<T>>>,
}

/// Starts a thread. What the caller did before happens-before what the thread does.
#[track_caller]
pub fn spawn<T: Send + 'static>(body: impl FnOnce() -> T + Send + 'static) -> JoinHandle<T> {
    let result = Arc::new(Mutex::new(None));
    let Some(child) = with(Run::name_child).flatten() else {
        // Nothing runs any more; waiting for it would be in vain.
        return JoinHandle { child: ThreadId::MAX, result };
    };
    perform(Operation::Spawn { child }, Location::caller());
    let slot = Arc::clone(&result);
    let body = move || {
        let value = body();
        *slot.lock().unwrap_or_else(PoisonError::into_inner) = Some(value);
    };
    driver::spawn(child, Box::new(body));
    settle(Run::hold_back);
    JoinHandle { child, result }
}

/// Lets other threads run, which changes nothing here, where every order is tried; but a loop that does nothing else must
/// end.
pub fn yield_now() {
    settle(Run::idle);
}

impl<T> JoinHandle<T> {
    /// Waits for the thread's end, and gives what its closure returned. What it did happens-before the return.
    ///
    /// # Errors
    ///
    /// None: a thread that panics ends the exploration. The result is that of [`std::thread::JoinHandle::join`] for the sake
    /// of programs that are written for both.
    #[track_caller]
    pub fn join(self) -> std::thread::Result<T> {
        perform(Operation::Join { child: self.child }, Location::caller());
        let value = self.result.lock().unwrap_or_else(PoisonError::into_inner).take();
        // Only a thread that is being unwound can be here too early.
        Ok(value.unwrap_or_else(|| hang()))
    }
}
