//! What every layout promises, and what it is used through.

use crate::event::Event;
use crate::primitives::Locks;
use crate::snapshot::Counts;

/// Counters of allocs and frees per class, and the protocol by which threads record into them.
///
/// # The contract
///
/// Any number of threads may call any method at any time. For the allocs and for the frees of each class, and for
/// their totals, a snapshot is
///
/// - **exact**: when the events of all recorders happen-before it, it equals what was recorded, to the event;
/// - **bounded**: it counts at least the events that happen-before its start, and at most all events except those
///   that happen-after its end (intermediate value linearizability, Rinberg and Keidar, DISC 2020, said with
///   happens-before in place of real time: under weak memory "finished earlier" is no lower bound);
/// - **monotonic**: of two snapshots ordered by happens-before, on one thread or on two, the later is nowhere
///   smaller;
/// - **folded once**: a thread's exit, at any moment, neither drops nor doubles a count, and nothing is owed to a
///   destructor that may run late: the counts are right before the recorder is dropped and after;
/// - **never negative in use**: `frees <= allocs` in each class, also when one thread allocates and another frees,
///   provided that the record of the alloc happens-before the record of its free;
/// - and the layout's **memory is bounded** by the most threads alive at once, never by how many ever lived.
///
/// In use is a difference of two counts, so it is itself neither bounded nor monotonic.
///
/// A layout that cannot promise one of these says so in [`CLAIMS`](Self::CLAIMS).
///
/// # Implementing one
///
/// Be generic over [`Primitives`](crate::Primitives), name the same layout on other primitives in [`On`](Self::On), and
/// the suite (`countersign-models`) runs the layout's own source under each of its engines.
pub trait Layout: Default + Send + Sync + 'static {
    /// How many classes there are. Events of a class beyond the last are counted in the last.
    const CLASSES: usize;

    /// What this layout promises. The suite asks for each claim that is `true` here, and for no other.
    const CLAIMS: Claims = Claims::ALL;

    /// The same layout on other primitives.
    type On<Q: Locks>: Layout<Snapshot = Self::Snapshot>;

    /// What [`snapshot`](Self::snapshot) gives: as a rule [`Snapshot<CLASSES>`](crate::Snapshot).
    type Snapshot: Counts;

    /// A thread's handle for recording.
    type Recorder<'a>: Recorder + Send
    where
        Self: 'a;

    /// Gives the caller a recorder. Dropping it *retires* it.
    ///
    /// A recorder is [`Send`]: it may be made on one thread and handed to another. It is never [`Sync`].
    fn register(&self) -> Self::Recorder<'_>;

    /// Records one event without a recorder: for a thread that has none yet, or none any more.
    ///
    /// Always possible and always exact; it may be slower than a recorder.
    fn record(&self, event: Event, class: usize);

    /// Counts the events recorded. Waits for no thread that records through a recorder.
    fn snapshot(&self) -> Self::Snapshot;
}

/// A thread's handle for recording into a [`Layout`]; dropping it retires the thread.
///
/// A recorder can be sent to another thread, but never shared by two:
///
/// ```compile_fail,E0277
/// use countersign::{Event, Layout, Recorder, Slots};
///
/// let layout = Slots::<1>::new();
/// let recorder = layout.register();
/// std::thread::scope(|scope| {
///     scope.spawn(|| recorder.record(Event::Alloc, 0));
/// });
/// ```
pub trait Recorder {
    /// Records one event, wait-free (where the target's atomic addition is).
    fn record(&self, event: Event, class: usize);
}

/// A recorder that can lend a [`Copy`] handle to the cells it owns.
///
/// A thread-local without a destructor can hold such a handle, and reading it costs no more than reading a plain
/// thread-local integer: `thread_profile!` is built on it.
pub trait LendHandle: Recorder {
    /// The handle. It is neither [`Send`] nor [`Sync`].
    type Handle: Handle;

    /// The handle to this recorder's own cells, or `None` where there is none to lend (all slots were
    /// taken, or the cells do not live long enough).
    ///
    /// The handle must be used on the thread that uses the recorder, and not after the recorder was dropped. Breaking
    /// this is no memory unsafety, but another owner of the cells may then lose counts.
    fn handle(&self) -> Option<Self::Handle>;
}

/// What [`LendHandle::handle`] gives.
pub trait Handle: Copy {
    /// Records one event, wait-free (where the target's atomic addition is).
    fn record(self, event: Event, class: usize);
}

/// The promises of the [`Layout`] contract, one by one. A layout withholds what it cannot keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claims {
    /// A snapshot at quiescence equals what was recorded.
    pub exact: bool,
    /// A concurrent snapshot lies between what had happened before it and what had not happened after it.
    pub bounded: bool,
    /// Of two ordered snapshots the later is nowhere smaller.
    pub monotonic: bool,
    /// A thread's exit neither drops nor doubles a count.
    pub folded_once: bool,
    /// Frees never exceed allocs in a class.
    pub in_use_never_negative: bool,
    /// Memory depends on the most threads alive at once, not on how many ever lived.
    pub bounded_memory: bool,
}

impl Claims {
    /// Every promise of the contract.
    pub const ALL: Self = Self {
        exact: true,
        bounded: true,
        monotonic: true,
        folded_once: true,
        in_use_never_negative: true,
        bounded_memory: true,
    };
}
