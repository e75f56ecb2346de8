//! The body of a thread with its type erased. Programs have many bodies: so each engine's library is compiled once for all.

use std::sync::{Arc, Mutex, PoisonError};

/// The body of a thread; what it returns goes into a [`Returned`].
pub(crate) type Body = Box<dyn FnOnce() + Send>;

/// Where a thread leaves what it returns. It is looked at after the thread is joined, so it adds no edge.
#[derive(Debug)]
pub(crate) struct Returned<T>(Arc<Mutex<Option<T>>>);

/// Erases the type of a body.
pub(crate) fn erase<T: Send + 'static>(body: impl FnOnce() -> T + Send + 'static) -> (Body, Returned<T>) {
    let returned = Arc::new(Mutex::new(None));
    let place = Arc::clone(&returned);
    let body = Box::new(move || {
        let value = body();
        *place.lock().unwrap_or_else(PoisonError::into_inner) = Some(value);
    });
    (body, Returned(returned))
}

impl<T> Returned<T> {
    /// What the thread returned, which has been joined.
    pub(crate) fn take(self) -> T {
        let value = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        value.expect("a thread that could be joined has come to its end")
    }
}
