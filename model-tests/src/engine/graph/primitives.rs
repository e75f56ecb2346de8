//! What the program under test is given: cells, a mutex, threads, fences and assumptions.
//!
//! Outside of an exploration, and while a thread is unwound because its run is given up, an operation is *inert*: no
//! event stands for it, and it works on a plain value that is kept beside. Destructors of recorders and guards then
//! do their operations as ever, and disturb nothing.

use std::cell::UnsafeCell;
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::panic::Location;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use countersign::{Atomic, Lock};

use super::coroutine::{hang, perform, settle, spawn, unwind, with};
use super::diagnosis::foreign_cell;
use super::event::{Change, FREE, Operation, PlaceId, ThreadId};
use super::run::{Reply, Run, Stop};

/// A 64-bit atomic on the graph engine. It belongs to the execution in which it was made.
pub struct GraphAtomicU64 {
    place: Place,
    /// What inert operations work on: the value that was read or written last.
    inert: AtomicU64,
}

/// A mutex on the graph engine: an order of critical sections. It belongs to the execution in which it was made.
pub struct GraphMutex<T> {
    place: Place,
    /// 0, or 1 + the thread that holds it. This, not the order of events, is what keeps `data` to one holder.
    holder: AtomicU32,
    data: UnsafeCell<T>,
}

/// Access to the data of a [`GraphMutex`].
pub struct GraphGuard<'a, T> {
    mutex: &'a GraphMutex<T>,
    /// Where it was locked, which stands for where it is unlocked: the end of a scope has no line of its own.
    locked_at: &'static Location<'static>,
    not_send: PhantomData<*const ()>,
}

/// A thread on the graph engine.
pub struct GraphJoinHandle<T> {
    child: ThreadId,
    result: Arc<Mutex<Option<T>>>,
}

/// A place, and the run that it belongs to.
#[derive(Clone, Copy)]
struct Place {
    run: u64,
    id: PlaceId,
}

/// A fence, as [`std::sync::atomic::fence`]. Panics, as that does, if `order` is `Relaxed`.
#[track_caller]
pub fn fence(order: Ordering) {
    assert!(order != Ordering::Relaxed, "there is no such thing as a relaxed fence");
    perform(Operation::Fence { order }, Location::caller());
}

/// Goes on only if `condition` holds. If not, the calling thread is blocked for good, and the execution counts as
/// blocked and not as one of the program's.
pub fn assume(condition: bool) {
    if !condition {
        settle(Run::block);
    }
}

/// Loads `cell` and goes on only with a value that satisfies `predicate`: a loop that waits for such a value, without
/// its idle rounds.
#[track_caller]
pub fn block_until(cell: &GraphAtomicU64, order: Ordering, predicate: impl FnOnce(u64) -> bool) -> u64 {
    let value = cell.load(order);
    assume(predicate(value));
    value
}

/// Starts a thread.
#[track_caller]
pub(super) fn spawn_thread<T: Send + 'static>(body: impl FnOnce() -> T + Send + 'static) -> GraphJoinHandle<T> {
    let result = Arc::new(Mutex::new(None));
    let Some(child) = with(Run::name_child).flatten() else {
        // Nothing runs any more; waiting for it would be in vain.
        return GraphJoinHandle { child: ThreadId::MAX, result };
    };
    perform(Operation::Spawn { child }, Location::caller());
    let slot = Arc::clone(&result);
    spawn(child, move || {
        let value = body();
        *slot.lock().unwrap_or_else(PoisonError::into_inner) = Some(value);
    });
    settle(Run::hold_back);
    GraphJoinHandle { child, result }
}

/// Lets other threads run, which on this engine changes nothing; but a loop that does nothing else must end.
pub(super) fn yield_now() {
    settle(Run::idle);
}

impl<T> GraphJoinHandle<T> {
    #[track_caller]
    pub(super) fn wait(self) -> T {
        perform(Operation::Join { child: self.child }, Location::caller());
        let value = self.result.lock().unwrap_or_else(PoisonError::into_inner).take();
        // Only a thread that is being unwound can be here too early.
        value.unwrap_or_else(|| hang())
    }
}

impl Atomic for GraphAtomicU64 {
    fn new(value: u64) -> Self {
        Self { place: Place::new(value), inert: AtomicU64::new(value) }
    }

    #[track_caller]
    fn load(&self, order: Ordering) -> u64 {
        assert!(!matches!(order, Ordering::Release | Ordering::AcqRel), "there is no such thing as a {order:?} load");
        self.read(false, order, Location::caller())
    }

    #[track_caller]
    fn load_owned(&self) -> u64 {
        self.read(true, Ordering::Relaxed, Location::caller())
    }

    #[track_caller]
    fn store(&self, value: u64, order: Ordering) {
        assert!(!matches!(order, Ordering::Acquire | Ordering::AcqRel), "there is no such thing as a {order:?} store");
        perform(Operation::Store { place: self.place.id(), value, order }, Location::caller());
        self.inert.store(value, Ordering::Relaxed);
    }

    #[track_caller]
    fn swap(&self, value: u64, order: Ordering) -> u64 {
        self.update(Change::Swap(value), order, Location::caller())
    }

    #[track_caller]
    fn fetch_add(&self, value: u64, order: Ordering) -> u64 {
        self.update(Change::Add(value), order, Location::caller())
    }

    #[track_caller]
    fn fetch_max(&self, value: u64, order: Ordering) -> u64 {
        self.update(Change::Max(value), order, Location::caller())
    }

    #[track_caller]
    fn compare_exchange(&self, current: u64, new: u64, success: Ordering, failure: Ordering) -> Result<u64, u64> {
        assert!(
            !matches!(failure, Ordering::Release | Ordering::AcqRel),
            "there is no such thing as a {failure:?} failure ordering"
        );
        let place = self.place.id();
        let operation = Operation::CompareExchange { place, current, new, success, failure };
        let read = perform(operation, Location::caller()).unwrap_or_else(|| self.inert.load(Ordering::Relaxed));
        self.inert.store(operation.updates(read).unwrap_or(read), Ordering::Relaxed);
        if read == current { Ok(read) } else { Err(read) }
    }
}

impl GraphAtomicU64 {
    fn read(&self, owned: bool, order: Ordering, at: &'static Location<'static>) -> u64 {
        let read = perform(Operation::Load { place: self.place.id(), order, owned }, at);
        read.unwrap_or_else(|| self.inert.load(Ordering::Relaxed))
    }

    fn update(&self, change: Change, order: Ordering, at: &'static Location<'static>) -> u64 {
        let read = perform(Operation::Update { place: self.place.id(), change, order }, at);
        let read = read.unwrap_or_else(|| self.inert.load(Ordering::Relaxed));
        self.inert.store(change.apply(read), Ordering::Relaxed);
        read
    }
}

impl<T: Send + 'static> Lock<T> for GraphMutex<T> {
    type Guard<'a> = GraphGuard<'a, T>;

    fn new(value: T) -> Self {
        Self { place: Place::new(FREE), holder: AtomicU32::new(0), data: UnsafeCell::new(value) }
    }

    #[track_caller]
    fn lock(&self) -> Self::Guard<'_> {
        perform(Operation::Lock { place: self.place.id() }, Location::caller());
        while !self.try_hold() {
            // Only a thread that is being unwound can be here. The holder is to be unwound too: it goes first.
            let holder = self.holder.load(Ordering::Relaxed);
            if let Some(holder) = holder.checked_sub(1) {
                unwind(holder);
            }
            if self.holder.load(Ordering::Relaxed) == holder {
                hang();
            }
        }
        GraphGuard { mutex: self, locked_at: Location::caller(), not_send: PhantomData }
    }
}

impl<T> GraphMutex<T> {
    fn try_hold(&self) -> bool {
        let holder = with(|run| run.current).flatten().map_or(u32::MAX, |thread| thread + 1);
        // Acquire, with the Release store in the guard's drop: for the case that a mutex is used outside of an
        // exploration, by several OS threads.
        self.holder.compare_exchange(0, holder, Ordering::Acquire, Ordering::Relaxed).is_ok()
    }
}

impl<T> Deref for GraphGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: there is one guard at a time: it is made after `holder` went from 0 to something else, which goes
        // back to 0 only when the guard is dropped.
        unsafe { &*self.mutex.data.get() }
    }
}

impl<T> DerefMut for GraphGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: as in `deref`, and the guard is borrowed exclusively.
        unsafe { &mut *self.mutex.data.get() }
    }
}

impl<T> Drop for GraphGuard<'_, T> {
    fn drop(&mut self) {
        // Release, with the Acquire in `try_hold`. Before the unlock's event, during which another thread may run.
        self.mutex.holder.store(0, Ordering::Release);
        perform(Operation::Unlock { place: self.mutex.place.id() }, self.locked_at);
    }
}

// SAFETY: the data is reached through a guard only, of which there is one at a time (see `Deref`), and what one holder
// did happens-before what the next does; so sharing the mutex only ever sends the data from one thread to another.
unsafe impl<T: Send> Sync for GraphMutex<T> {}

impl Place {
    fn new(initial: u64) -> Self {
        with(|run| run.make_place(initial).map(|id| Self { run: run.number, id }))
            .flatten()
            .unwrap_or(Self { run: 0, id: PlaceId::MAX })
    }

    /// The place, if it belongs to this run; if not, the run is given up.
    fn id(self) -> PlaceId {
        settle(|run| {
            if run.number == self.run || run.current.is_none() || run.abandoned {
                return Reply::Done(0);
            }
            run.stop(Stop::Failed(foreign_cell()))
        });
        self.id
    }
}

impl fmt::Debug for GraphAtomicU64 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("GraphAtomicU64").field(&self.inert).finish()
    }
}

impl<T> fmt::Debug for GraphMutex<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GraphMutex").finish_non_exhaustive()
    }
}
