//! The core's example: JSON parsed and written, with the blocks counted and not.

use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::setting::{Mode, Run};
use crate::workload::clock::{Task, elapsed};
use crate::workload::orders;
use crate::workload::switch::{self, COUNTING};

/// More workers, with the main thread, would not all find a slot, and only slots show what one thread recorded.
pub(super) const MOST_WORKERS: usize = 32;

/// `system` is the reference: the same allocator, not counting.
pub(super) fn modes(workers: usize) -> Vec<Mode> {
    let texts: Rc<[Text]> = (0..workers as u64).map(Text::new).collect();
    let run = move |documents| run(&texts, documents);
    let counting = {
        let run = run.clone();
        move |documents| {
            let (run, verified) = switch::counted(|| run(documents));
            Run { verified: Some(verified), ..run }
        }
    };
    vec![
        Mode { name: "system", run: Box::new(move |documents| run(documents).0) },
        Mode { name: "counting", run: Box::new(counting) },
    ]
}

/// What a worker parses, again and again.
struct Text {
    json: String,
    /// The allocs of parsing it once, counted plainly.
    allocs: u64,
}

impl Text {
    fn new(seed: u64) -> Self {
        let json = orders::document(seed);
        let allocs = switch::allocs_of(|| _ = orders::parsed_and_written(&json));
        Self { json, allocs }
    }
}

/// A text for each worker, and how often it parses that.
struct Parsing<'a> {
    texts: &'a [Text],
    documents: u64,
    /// The documents of which all allocs were counted.
    verified: AtomicU64,
}

/// The run, and how many documents were counted to the event, if anything was.
fn run(texts: &[Text], documents: u64) -> (Run, u64) {
    let task = Parsing { texts, documents, verified: AtomicU64::new(0) };
    let elapsed_ns = elapsed(texts.len(), &task).as_nanos() as u64;
    let run = Run { operations: texts.len() as u64 * documents, elapsed_ns, verified: None };
    // Relaxed: the workers were joined.
    (run, task.verified.load(Relaxed))
}

impl Parsing<'_> {
    /// The allocs of `documents` documents on this thread.
    fn parse(&self, worker: usize, documents: u64) -> u64 {
        let json = &self.texts[worker].json;
        let parse = || (0..documents).map(|_| orders::parsed_and_written(json)).sum::<usize>();
        let (_, events) = COUNTING.allocs_in(parse).expect("there are more slots than workers");
        events.totals().allocs
    }
}

impl Task for Parsing<'_> {
    fn warm_up(&self, worker: usize) {
        self.parse(worker, 1);
    }

    fn work(&self, worker: usize) {
        if self.parse(worker, self.documents) == self.documents * self.texts[worker].allocs {
            // Relaxed: read after the workers were joined.
            self.verified.fetch_add(self.documents, Relaxed);
        }
    }
}
