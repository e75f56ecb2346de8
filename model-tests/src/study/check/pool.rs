//! Jobs done by several OS threads at once.

use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;

/// How many jobs this machine can do at once.
pub fn cores() -> usize {
    thread::available_parallelism().map_or(1, Into::into)
}

/// Does all `jobs`, `at_once` at a time, and returns their results in order. Those that are `short` are begun last, so
/// that at the end no single long one is waited for. Each result is shown to `done` as soon as it is there.
pub fn run<J: Sync, R: Send>(
    jobs: &[J],
    at_once: usize,
    short: impl Fn(&J) -> bool,
    work: impl Fn(&J) -> R + Sync,
    mut done: impl FnMut(&R),
) -> Vec<R> {
    let mut waiting: Vec<_> = jobs.iter().enumerate().collect();
    // Taken from the end.
    waiting.reverse();
    waiting.sort_by_key(|(_, job)| !short(job));
    let waiting = Mutex::new(waiting);
    let mut results: Vec<_> = jobs.iter().map(|_| None).collect();
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..at_once.min(jobs.len()) {
            let (sender, waiting, work) = (sender.clone(), &waiting, &work);
            scope.spawn(move || {
                let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).pop();
                while let Some((index, job)) = next() {
                    if sender.send((index, work(job))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        for (index, result) in receiver {
            done(&result);
            results[index] = Some(result);
        }
    });
    // A job without a result would have panicked, and `scope` with it.
    results.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_jobs_and_short_jobs_are_begun_last() {
        let begun = Mutex::new(Vec::new());
        let mut done = 0;
        let work = |job: &u32| {
            begun.lock().unwrap().push(*job);
            job * 10
        };
        let results = run(&[1, 2, 3, 4], 1, |job| job % 2 == 1, work, |_| done += 1);
        assert_eq!((results, done), (vec![10, 20, 30, 40], 4));
        assert_eq!(begun.into_inner().unwrap(), [2, 4, 1, 3]);
    }
}
