//! The core's example: JSON parsed and written, with the blocks counted and not.

use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::{Mode, Run};
use crate::clock::{Task, elapsed};
use crate::orders;
use crate::switch::{self, COUNTING};

/// `system` is the reference: the same allocator, not counting.
pub(super) fn modes(workers: usize) -> Vec<Mode> {
    let texts: Rc<[String]> = (0..workers as u64).map(orders::document).collect();
    let run = move |documents| run(&texts, documents);
    let counting = {
        let run = run.clone();
        move |documents| switch::counted(|| run(documents))
    };
    vec![Mode { name: "system", run: Box::new(run) }, Mode { name: "counting", run: Box::new(counting) }]
}

/// A text for each worker, and how often it parses that.
struct Parsing<'a> {
    texts: &'a [String],
    documents: u64,
    /// The allocs of one document, by worker.
    allocs: Vec<AtomicU64>,
    verified: AtomicU64,
}

/// Each worker parses its text; the allocs of all documents must be those of one, so many times.
fn run(texts: &[String], documents: u64) -> Run {
    let allocs = texts.iter().map(|_| AtomicU64::new(0)).collect();
    let task = Parsing { texts, documents, allocs, verified: AtomicU64::new(0) };
    let elapsed_ns = elapsed(texts.len(), &task).as_nanos() as u64;
    // Relaxed, both: the workers were joined.
    let is_counting = task.allocs.iter().all(|allocs| allocs.load(Relaxed) > 0);
    let verified = is_counting.then(|| task.verified.load(Relaxed));
    Run { operations: texts.len() as u64 * documents, elapsed_ns, verified }
}

impl Parsing<'_> {
    /// The allocs of `documents` documents on this thread.
    fn parse(&self, worker: usize, documents: u64) -> u64 {
        let parse = || (0..documents).map(|_| orders::parsed_and_written(&self.texts[worker])).sum::<usize>();
        let (_, events) = COUNTING.allocs_in(parse).expect("there are more slots than workers");
        events.totals().allocs
    }
}

impl Task for Parsing<'_> {
    fn warm_up(&self, worker: usize) {
        // Relaxed: the same thread reads it, or one that has joined it.
        self.allocs[worker].store(self.parse(worker, 1), Relaxed);
    }

    fn work(&self, worker: usize) {
        let counted = self.parse(worker, self.documents);
        // Relaxed: as in `warm_up`.
        if counted == self.documents * self.allocs[worker].load(Relaxed) {
            // Relaxed: read after the workers were joined.
            self.verified.fetch_add(self.documents, Relaxed);
        }
    }
}
