//! Threads exit at the same time. What they record is recorded beforehand, in turn: an alloc by the first, its free by the
//! second, and so on.
//!
//! Claimed: in use is *never negative* in any snapshot beside the exits, each snapshot counts each thread *once*, and a
//! last one is *exact*.
//!
//! Never to be seen: an exit that overwrites what another adds, or that hands over a free before another has handed over
//! its alloc (mimalloc #1410).
//!
//! To be seen: the one outcome.

use std::sync::Arc;

use super::{Required, Scenario, Size, event, nothing, outcome, take_snapshots};
use crate::engine::{Engine, EngineName, JoinHandle};
use crate::oracle::Oracle;
use crate::subject::Subject;
use crate::verdict::{Outcome, Violation};

/// See the [module](self).
pub enum ExitWhileExit {}

impl Scenario for ExitWhileExit {
    const NAME: &'static str = "exit_while_exit";
    const CLAIM: &'static str = "threads that exit at the same time are each counted exactly once";

    fn sizes(engine: EngineName) -> Vec<Size> {
        let size = |threads, snapshots| Size { threads, events: 1, snapshots, classes: 1, slots: 2 };
        match engine {
            EngineName::Std | EngineName::ShuttleRandom | EngineName::ShuttlePct => vec![size(2, 2), size(8, 4)],
            EngineName::ShuttleDfs => vec![size(2, 0), size(2, 1)],
            EngineName::Loom => vec![size(2, 0), size(2, 1), size(2, 2)],
            EngineName::Graph => vec![size(2, 0), size(2, 2), size(3, 1), size(3, 2)],
        }
    }

    fn required(_: Size) -> Vec<Required> {
        Vec::new()
    }

    fn run<E: Engine>(layout: Arc<dyn Subject>, size: Size) -> Result<Outcome, Violation> {
        let mut all = nothing(size.classes);
        let recorders: Vec<_> = (0..size.threads).map(|_| Arc::clone(&layout).register()).collect();
        for (index, recorder) in recorders.iter().enumerate() {
            let (event, class) = event(index, size.classes);
            recorder.record(event, class);
            all[class].count(event);
        }
        let threads: Vec<_> = recorders.into_iter().map(|recorder| E::spawn(move || drop(recorder))).collect();
        let snapshots = take_snapshots::<E>(&*layout, size.snapshots);
        threads.into_iter().for_each(JoinHandle::join);

        let oracle = Oracle::new(layout.claims());
        for snapshot in &snapshots {
            oracle.in_use_never_negative(snapshot)?;
            oracle.folded_once(snapshot, &all, &all)?;
        }
        oracle.reader(&snapshots, &all, &all)?;
        oracle.after_exits(&layout.snapshot(), &all)?;
        Ok(outcome(&snapshots))
    }
}
