//! Threads exit at the same time. What they record is recorded beforehand, in turn: an alloc by the first, its free by the
//! second, and so on.
//!
//! Claimed: in use is *never negative* in any snapshot beside the exits, each snapshot counts each thread *once*, and a
//! last one is *exact*.
//!
//! Never to be seen: an exit that overwrites what another adds, or that hands over a free before another has handed over
//! its alloc (mimalloc #1410).
//!
//! To be seen, where there is no reader: either exit after the other, and both at once.

use std::sync::Arc;

use countersign::Recorder;

use crate::engine::{Engine, EngineName, JoinHandle};
use crate::scenario::events::{event, nothing, outcome, take_snapshots};
use crate::scenario::interface::{Required, Scenario, Size};
use crate::scenario::overlap::{self, Overlap};
use crate::subject::Subject;
use crate::verdict::Oracle;
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

    fn required(size: Size) -> Vec<Required> {
        if size.snapshots == 0 { overlap::required(size) } else { Vec::new() }
    }

    fn run<E: Engine>(layout: Arc<dyn Subject>, size: Size) -> Result<Outcome, Violation> {
        let mut all = nothing(size.classes);
        let recorders: Vec<_> = (0..size.threads).map(|_| Arc::clone(&layout).register()).collect();
        for (index, recorder) in recorders.iter().enumerate() {
            let (event, class) = event(index, size.classes);
            recorder.record(event, class);
            all[class].count(event);
        }
        // A reader sees what there is to see, and would multiply what the threads see of each other.
        let overlap = (size.snapshots == 0).then(|| Overlap::<E>::of(size.threads));
        let exit = |(index, recorder): (usize, Box<dyn Recorder + Send>)| {
            let overlap = overlap.clone();
            E::spawn(move || match overlap {
                Some(overlap) => Some(overlap.run(index, || drop(recorder)).1),
                None => {
                    drop(recorder);
                    None
                }
            })
        };
        let threads: Vec<_> = recorders.into_iter().enumerate().map(exit).collect();
        let snapshots = take_snapshots::<E>(&*layout, size.snapshots);
        let met = threads.into_iter().filter_map(JoinHandle::join).collect();

        let oracle = Oracle::new(layout.claims());
        for snapshot in &snapshots {
            oracle.in_use_never_negative(snapshot)?;
            oracle.folded_once(snapshot, &all, &all)?;
        }
        oracle.reader(&snapshots, &all, &all)?;
        oracle.after_exits(&layout.snapshot(), &all)?;
        Ok(outcome(&snapshots).and(met))
    }
}
