//! A thread that takes snapshots, one after another, while others record.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{Receiver, SyncSender};
use std::thread;

use crate::study::stress::profile::Profile;
use crate::study::stress::tally::{Smaller, Tally};

/// What a reader saw.
pub(super) struct Readings {
    pub(super) snapshots: u64,
    /// Snapshots that were smaller somewhere than one that happened before.
    pub(super) backwards: u64,
    pub(super) first_backwards: Option<Smaller>,
    /// Snapshots with a class that has more frees than allocs.
    pub(super) negative: u64,
    pub(super) first_negative: Option<String>,
    /// The greatest of each count that the reader saw or was told of.
    pub(super) greatest: Tally,
}

impl Readings {
    /// Of a reader that has seen a snapshot of that size, before it began.
    pub(super) fn since(before: &Tally) -> Self {
        Self { snapshots: 0, backwards: 0, first_backwards: None, negative: 0, first_negative: None, greatest: *before }
    }

    /// Judges a snapshot that was taken after all that the reader has seen or was told of.
    pub(super) fn judge(&mut self, snapshot: &Tally) {
        self.snapshots += 1;
        if let Some(smaller) = snapshot.smaller(&self.greatest).next() {
            self.backwards += 1;
            self.first_backwards.get_or_insert(smaller);
        }
        if let Some((class, counts)) = snapshot.negative() {
            self.negative += 1;
            self.first_negative.get_or_insert_with(|| {
                format!("a snapshot counted {} frees and {} allocs in class {class}", counts.frees, counts.allocs)
            });
        }
        self.greatest.raise(snapshot);
    }
}

/// Takes snapshots until it is told to stop, and at least one. Each comes after all of this reader's, and after those that
/// the other reader has sent.
pub(super) fn read<P: Profile>(
    before: &Tally,
    stop: &AtomicBool,
    (give, take): (SyncSender<Tally>, Receiver<Tally>),
) -> Readings {
    let mut readings = Readings::since(before);
    loop {
        // Relaxed: when to stop tells nothing about what was recorded.
        let is_last = stop.load(Relaxed);
        if let Ok(theirs) = take.try_recv() {
            readings.greatest.raise(&theirs);
        }
        let snapshot = P::snapshot();
        readings.judge(&snapshot);
        if is_last {
            return readings;
        }
        // Where the other has not yet taken the last one, or has stopped, this one is not sent.
        let _ = give.try_send(snapshot);
        thread::yield_now();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(allocs: u64, frees: u64) -> Tally {
        let mut tally = Tally::default();
        (tally.0[3].allocs, tally.0[3].frees) = (allocs, frees);
        tally
    }

    #[test]
    fn a_snapshot_is_judged_by_all_that_came_before() {
        let mut readings = Readings::since(&tally(5, 2));
        readings.judge(&tally(5, 2));
        assert_eq!((readings.backwards, readings.negative), (0, 0));
        readings.judge(&tally(4, 2));
        assert_eq!((readings.backwards, readings.negative), (1, 0));
        // Still smaller than the first.
        readings.judge(&tally(4, 2));
        assert_eq!((readings.backwards, readings.negative), (2, 0));
        readings.greatest.raise(&tally(9, 3));
        readings.judge(&tally(8, 9));
        assert_eq!((readings.backwards, readings.negative, readings.snapshots), (3, 1, 4));
        assert!(readings.first_negative.unwrap().contains("9 frees and 8 allocs in class 3"));
    }
}
