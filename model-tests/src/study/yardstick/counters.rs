//! The size of a counter program.

use std::fmt;

/// The size of a counter program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counters {
    /// Threads that count.
    pub threads: usize,
    /// Events of each.
    pub events: usize,
    /// Cells: thread `i` counts in cell `i % cells`.
    pub cells: usize,
    /// How often the reader reads all cells.
    pub sweeps: usize,
}

impl Counters {
    pub(super) const fn new(threads: usize, events: usize, cells: usize, sweeps: usize) -> Self {
        Self { threads, events, cells, sweeps }
    }

    /// With a cell for each thread: the reader's values of a cell ascend from sweep to sweep, so there are
    /// C(events + sweeps, sweeps) of them for each cell. With one cell and no reader: the orders of all events.
    pub(super) fn graphs(self) -> Option<u64> {
        let Self { threads, events, cells, sweeps } = self;
        if cells == threads {
            let ascending = (1..=sweeps as u64).fold(1, |ways, k| ways * (events as u64 + k) / k);
            Some(ascending.pow(threads as u32))
        } else if cells == 1 && sweeps == 0 && events == 1 {
            Some((1..=threads as u64).product())
        } else {
            None
        }
    }
}

impl fmt::Display for Counters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { threads, events, cells, sweeps } = self;
        write!(f, "{threads},{events},{cells},{sweeps}")
    }
}
