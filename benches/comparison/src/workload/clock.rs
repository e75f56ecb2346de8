//! The time that several threads take for something, without what it takes to start them.

use std::hint::spin_loop;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

/// What each worker does.
pub(crate) trait Task: Sync {
    /// Before the clock starts: registers the thread, touches its pages.
    fn warm_up(&self, worker: usize);
    /// What is timed.
    fn work(&self, worker: usize);
    /// After the clock has stopped, on the same thread.
    fn finish(&self, _worker: usize) {}
}

/// From the earliest start of any worker to the latest end. All threads are running and warm before any starts, and all
/// are gone, their thread-locals with them, on return.
pub(crate) fn elapsed(workers: usize, task: &impl Task) -> Duration {
    let ready = AtomicUsize::new(0);
    let run = |worker| {
        let arrival = Arrival(&ready);
        task.warm_up(worker);
        drop(arrival);
        // Relaxed: nothing is read through it. Threads that sleep at a barrier would start as they are woken.
        while ready.load(Relaxed) < workers {
            spin_loop();
            thread::yield_now();
        }
        let start = Instant::now();
        task.work(worker);
        let end = Instant::now();
        task.finish(worker);
        (start, end)
    };
    thread::scope(|scope| {
        let run = &run;
        let threads: Vec<_> = (0..workers).map(|worker| scope.spawn(move || run(worker))).collect();
        // Joining each waits for the destructors of its thread-locals; the end of the scope would not.
        let times: Vec<_> = threads.into_iter().map(|thread| thread.join().expect("a worker does not panic")).collect();
        let start = times.iter().map(|(start, _)| *start).min();
        let end = times.iter().map(|(_, end)| *end).max();
        start.zip(end).map_or(Duration::ZERO, |(start, end)| end - start)
    })
}

/// Counts a worker as ready when it is dropped, and so one that panics too: nobody must wait for it.
struct Arrival<'a>(&'a AtomicUsize);

impl Drop for Arrival<'_> {
    fn drop(&mut self) {
        // Relaxed: nothing is read through it.
        self.0.fetch_add(1, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;

    struct Panicking;

    impl Task for Panicking {
        fn warm_up(&self, worker: usize) {
            assert!(worker != 1, "planted");
        }

        fn work(&self, _: usize) {}
    }

    #[test]
    fn a_worker_that_panics_before_the_start_keeps_nobody_waiting() {
        assert!(catch_unwind(AssertUnwindSafe(|| elapsed(2, &Panicking))).is_err());
    }
}
