//! Threads live one after another: each registers, records and retires before the next one comes.
//!
//! Claimed: *bounded memory*: when the last one is gone there are as many atomics as when the first was gone. Every cell of
//! a live thread is made of atomics, so a layout that keeps those of each thread has more. What a layout keeps that is no
//! atomic is not seen. And a snapshot at the end is *exact*.
//!
//! Never to be seen: memory that grows with the threads that ever lived (client_python #566), or until someone reads
//! (accounting-allocator).
//!
//! To be seen: the one outcome. Nothing is raced, so there is no other.

use std::sync::Arc;

use crate::engine::wrap::live_atomics;
use crate::engine::{Engine, EngineName, JoinHandle};
use crate::scenario::events::{outcome, record_events, recorded};
use crate::scenario::interface::{Required, Scenario, Size};
use crate::subject::Subject;
use crate::verdict::Oracle;
use crate::verdict::{Outcome, Violation};

/// See the [module](self).
pub enum ThreadsComeAndGo {}

impl Scenario for ThreadsComeAndGo {
    const NAME: &'static str = "threads_come_and_go";
    const CLAIM: &'static str = "memory does not grow with the threads that ever lived";

    fn sizes(engine: EngineName) -> Vec<Size> {
        let size = |threads| Size { threads, events: 1, snapshots: 0, classes: 1, slots: 1 };
        match engine {
            EngineName::Std | EngineName::ShuttleRandom => vec![size(3), size(32)],
            // The threads live one after the other, so there is no priority to change.
            EngineName::ShuttlePct => Vec::new(),
            // loom runs no more than 5 threads in an execution.
            EngineName::ShuttleDfs | EngineName::Loom => vec![size(2), size(4)],
            EngineName::Graph => vec![size(2), size(4), size(8)],
        }
    }

    fn required(_: Size) -> Vec<Required> {
        Vec::new()
    }

    fn run<E: Engine>(layout: Arc<dyn Subject>, size: Size) -> Result<Outcome, Violation> {
        let live = || {
            let recorder = Arc::clone(&layout).register();
            let thread = E::spawn(move || {
                record_events(&*recorder, size);
                recorder
            });
            // It retires here, so that it is this thread on which atomics are made and dropped, and counted.
            drop(thread.join());
            live_atomics()
        };
        let after_each: Vec<_> = (0..size.threads).map(|_| live()).collect();

        let oracle = Oracle::new(layout.claims());
        oracle.bounded_memory(after_each[0], after_each[size.threads - 1])?;
        let last = layout.snapshot();
        oracle.exact(&last, &recorded(size.threads, size.events, size.classes))?;
        Ok(outcome(&[last]))
    }
}
