//! The threads of a generation that record: those that stay, and those that come and go.

use std::sync::mpsc::{Receiver, Sender};
use std::thread;

use super::worker::{OwnReadings, Touch, Worker, late_tally, touch};
use crate::study::stress::profile::Profile;
use crate::study::stress::tally::{CLASSES, Tally};
use crate::study::stress::watchdog::Progress;

/// What a thread returns when it is joined.
pub(super) struct Done {
    pub(super) recorded: Tally,
    pub(super) own_readings: OwnReadings,
    /// The threads that it started, all of which recorded.
    pub(super) started: u64,
}

/// The classes of blocks on their way to the thread that frees them.
pub(super) type Batch = [u8; HANDED_OVER];

/// The blocks that a step hands over.
const HANDED_OVER: usize = 16;

/// The blocks that a step allocates and frees itself.
const OWN: usize = 112;

/// The events of a step of a thread that stays, with those of its neighbour that frees what was handed over.
pub(super) const EVENTS_PER_STEP: u64 = 2 * (OWN + HANDED_OVER) as u64;

/// A thread that stays: it allocates and frees, hands blocks over to its neighbour, and frees what its other neighbour
/// hands over. That a block is freed after it was allocated is known by the channel alone.
pub(super) fn stay<P: Profile>(
    steps: usize,
    first_class: usize,
    before: &Tally,
    (give, take): (Sender<Batch>, Receiver<Batch>),
    progress: &Progress,
) -> Done {
    let mut worker = Worker::<P>::new();
    let mut own_readings = OwnReadings::default();
    let free_all =
        |worker: &mut Worker<P>, batch: Batch| batch.iter().for_each(|class| worker.free(usize::from(*class)));
    for step in 0..steps {
        for block in 0..OWN {
            let class = (first_class + step + block) % CLASSES;
            worker.alloc(class);
            worker.free(class);
        }
        let batch = std::array::from_fn(|block| ((first_class + step + block) % CLASSES) as u8);
        batch.iter().for_each(|class| worker.alloc(usize::from(*class)));
        // A neighbour that has panicked is reported when it is joined.
        let _ = give.send(batch);
        while let Ok(batch) = take.try_recv() {
            free_all(&mut worker, batch);
        }
        if step % STEPS_PER_OWN_READING == 0 {
            worker.read_own(before, &mut own_readings);
        }
        progress.step();
    }
    drop(give);
    for batch in take {
        free_all(&mut worker, batch);
    }
    progress.step();
    Done { recorded: worker.into_tally(), own_readings, started: 0 }
}

const STEPS_PER_OWN_READING: usize = 16;

/// A thread that starts others, four in a round, and joins them or lets their scope end: churn.
pub(super) fn churn<P: Profile>(rounds: usize, first_class: usize, before: &Tally, progress: &Progress) -> Done {
    let mut worker = Worker::<P>::new();
    let mut own_readings = OwnReadings::default();
    for round in 0..rounds {
        let class = (first_class + round) % CLASSES;
        // One of the visitors frees this block.
        worker.alloc(class);
        let visitors =
            [Visit::Freeing, Visit::InDestructorsOnly].map(|visit| thread::spawn(move || visit.run::<P>(class)));
        for visitor in visitors {
            worker.take_in(&joined(visitor));
            // One for each of its two destructors: the blocks that these left.
            worker.free(class);
            worker.free(class);
        }
        // The threads are not joined, and when the scope ends their thread-locals may be there still.
        thread::scope(|scope| {
            (0..SCOPED).for_each(|_| drop(scope.spawn(|| scoped::<P>(class))));
        });
        (0..SCOPED).for_each(|_| worker.take_in(&scoped_tally(class)));
        worker.read_own(before, &mut own_readings);
        progress.step();
    }
    Done { recorded: worker.into_tally(), own_readings, started: (rounds * (2 + SCOPED)) as u64 }
}

/// The threads of a scope.
const SCOPED: usize = 2;

/// What a thread that goes at once records.
#[derive(Clone, Copy)]
enum Visit {
    /// Frees a block of who started it, and has blocks of its own. Its destructors record too, before and after that of
    /// the profile's guard.
    Freeing,
    /// Records in destructors of thread-locals only: the first touches the profile for the first time there.
    InDestructorsOnly,
}

impl Visit {
    /// Returns what the thread will have recorded when it can be joined, its destructors included.
    fn run<P: Profile>(self, class: usize) -> Tally {
        let mut worker = Worker::<P>::new();
        touch::<P>(Touch::First, class);
        if let Self::Freeing = self {
            worker.free(class);
            for _ in 0..OWN {
                worker.alloc(class);
                worker.free(class);
            }
        }
        touch::<P>(Touch::Last, class);
        worker.take_in(&late_tally(class));
        worker.take_in(&late_tally(class));
        worker.into_tally()
    }
}

/// A thread of a scope: who started it counts its events, since it is not joined.
fn scoped<P: Profile>(class: usize) {
    for _ in 0..OWN {
        P::alloc(class);
        P::free(class);
    }
}

fn scoped_tally(class: usize) -> Tally {
    let mut tally = Tally::default();
    tally.0[class].allocs = OWN as u64;
    tally.0[class].frees = OWN as u64;
    tally
}

/// What a thread returned. Its panic is passed on.
pub(super) fn joined<R>(thread: thread::JoinHandle<R>) -> R {
    thread.join().unwrap_or_else(|payload| std::panic::resume_unwind(payload))
}
