//! How far apart two threads' slots must be.
//!
//! Two threads count in slots beside each other, one in the last line of its slot, the other in the first of the next.
//! Processors share whole lines, of 64 bytes mostly, and some fetch them in pairs, so neighbours may disturb each other
//! from a line apart. The slots are stand-ins: those of the core have one alignment.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use countersign::Go;

use super::setting::{Mode, Run};
use crate::workload::clock::{Task, elapsed};

/// One for each slot.
pub(super) const WORKERS: usize = 2;

/// `128 bytes` is the reference, being what the core uses on x86-64.
pub(super) fn modes() -> Vec<Mode> {
    vec![
        Mode { name: "128 bytes", run: Box::new(run::<Aligned128>) },
        Mode { name: "64 bytes", run: Box::new(run::<Aligned64>) },
        Mode { name: "256 bytes", run: Box::new(run::<Aligned256>) },
    ]
}

/// An alloc and a free counter for each class, as in a slot of as many classes as make a difference: 17, 18 or 20 lines of
/// 64 bytes, by the alignment.
type Cells = [AtomicU64; CELLS];

const CELLS: usize = 2 * Go::COUNT;

/// Two slots, of which the first begins on a line that is even however lines are paired.
#[repr(align(256))]
#[derive(Default)]
struct Pair<S>([S; WORKERS]);

trait Slot: Default + Sync {
    fn cells(&self) -> &Cells;
}

macro_rules! slots {
    ($($name:ident: $align:literal;)*) => {$(
        #[repr(align($align))]
        struct $name(Cells);

        impl Slot for $name {
            fn cells(&self) -> &Cells {
                &self.0
            }
        }

        impl Default for $name {
            fn default() -> Self {
                Self(std::array::from_fn(|_| AtomicU64::new(0)))
            }
        }
    )*};
}

slots! {
    Aligned64: 64;
    Aligned128: 128;
    Aligned256: 256;
}

/// Two slots, and in each the cell that one worker counts in.
struct Neighbours<'a> {
    cells: [&'a AtomicU64; WORKERS],
    units: u64,
}

/// A unit: an increment takes little longer than to look whether it was the last.
const UNIT: u64 = 4096;

fn run<S: Slot>(units: u64) -> Run {
    let slots: Box<Pair<S>> = Box::default();
    let [first, second] = neighbours(&slots);
    let task = Neighbours { cells: [first, second], units };
    let elapsed_ns = elapsed(WORKERS, &task).as_nanos() as u64;
    // Relaxed: the workers were joined.
    let counted = first.load(Relaxed) + second.load(Relaxed);
    Run { operations: WORKERS as u64 * units * UNIT, elapsed_ns, verified: Some(counted) }
}

/// The last cell of the first slot and the first of the second.
fn neighbours<S: Slot>(Pair([first, second]): &Pair<S>) -> [&AtomicU64; WORKERS] {
    [&first.cells()[CELLS - 1], &second.cells()[0]]
}

impl Task for Neighbours<'_> {
    fn warm_up(&self, worker: usize) {
        // Relaxed: nothing is read through it.
        self.cells[worker].store(0, Relaxed);
    }

    fn work(&self, worker: usize) {
        let cell = self.cells[worker];
        for _ in 0..self.units * UNIT {
            // Relaxed: only this worker writes it.
            cell.store(cell.load(Relaxed) + 1, Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines of 64 bytes that the two cells are in, counted from the first slot's.
    fn lines<S: Slot>() -> [usize; WORKERS] {
        let slots: Box<Pair<S>> = Box::default();
        let line = |cell: &AtomicU64| (cell.as_ptr().addr() - (&raw const *slots).addr()) / 64;
        neighbours(&slots).map(line)
    }

    #[test]
    fn each_alignment_puts_the_neighbours_elsewhere() {
        // In one pair of lines; in the next pair; and in the next two pairs.
        assert_eq!(lines::<Aligned64>(), [16, 17]);
        assert_eq!(lines::<Aligned128>(), [16, 18]);
        assert_eq!(lines::<Aligned256>(), [16, 20]);
    }
}
