//! A hang is a failure: whoever makes no progress for long enough is given up.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use super::plan::Ending;

/// How far a run has come. Nothing but a report and the watchdog depends on it, so that all of it is relaxed: it adds no
/// edge between the threads that report.
#[derive(Debug, Default)]
pub(super) struct Progress {
    steps: AtomicU64,
    phase: AtomicU64,
    generation: AtomicU64,
}

/// What the threads of a generation are doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    Recording,
    EndingReaders,
    ReadingAtRest,
}

impl Phase {
    const ALL: [Self; 3] = [Self::Recording, Self::EndingReaders, Self::ReadingAtRest];

    fn as_str(self) -> &'static str {
        match self {
            Self::Recording => "while threads record and exit",
            Self::EndingReaders => "while the readers take their last snapshots",
            Self::ReadingAtRest => "while a snapshot is taken with all threads joined",
        }
    }
}

impl Progress {
    /// A thread has recorded some events, or come to its end.
    pub(super) fn step(&self) {
        self.steps.fetch_add(1, Relaxed);
    }

    /// A phase begins.
    pub(super) fn enter(&self, phase: Phase) {
        self.phase.store(phase as u64, Relaxed);
        self.step();
    }

    /// A generation begins.
    pub(super) fn next_generation(&self) {
        self.generation.fetch_add(1, Relaxed);
    }

    /// Where everything stands.
    pub(super) fn place(&self) -> String {
        let phase = Phase::ALL[self.phase.load(Relaxed) as usize];
        format!("in generation {}, {}", self.generation.load(Relaxed), phase.as_str())
    }
}

/// Runs `run` on a thread of its own, for as long as it makes progress.
pub(super) fn watch<R: Send + 'static>(
    stall: Duration,
    run: impl FnOnce(&Arc<Progress>) -> R + Send + 'static,
) -> Result<R, Ending> {
    let progress = Arc::new(Progress::default());
    let (give, take) = mpsc::channel();
    let runner = thread::spawn({
        let progress = Arc::clone(&progress);
        move || {
            // Nobody takes it when the run was given up.
            let _ = give.send(run(&progress));
        }
    });
    let (mut steps, mut idle_polls) = (0, 0);
    loop {
        match take.recv_timeout(stall / POLLS) {
            Ok(result) => {
                // It has nothing more to do than to exit.
                let _ = runner.join();
                return Ok(result);
            }
            Err(RecvTimeoutError::Disconnected) => {
                let what = runner.join().err().and_then(|payload| {
                    let text = payload.downcast_ref::<String>().map(String::as_str);
                    text.or_else(|| payload.downcast_ref::<&str>().copied()).map(str::to_owned)
                });
                let what = what.unwrap_or_else(|| "a panic without words".to_owned());
                return Err(Ending::Panicked { place: progress.place(), what });
            }
            Err(RecvTimeoutError::Timeout) => {
                // Polls are counted, not time: a process that was stopped for a while is not taken to hang.
                let now = progress.steps.load(Relaxed);
                idle_polls = if now == steps { idle_polls + 1 } else { 0 };
                steps = now;
                if idle_polls >= POLLS {
                    return Err(Ending::Hung { place: progress.place() });
                }
            }
        }
    }
}

/// How often the watchdog looks before it gives up.
const POLLS: u32 = 20;

#[cfg(test)]
mod tests {
    use super::*;

    const STALL: Duration = Duration::from_millis(200);

    #[test]
    fn who_makes_progress_is_waited_for_and_who_ends_is_not() {
        // Longer altogether than the watchdog waits for one step.
        let slow = |progress: &Arc<Progress>| {
            for _ in 0..100 {
                thread::sleep(Duration::from_millis(25));
                progress.step();
            }
            "done"
        };
        assert_eq!(watch(Duration::from_secs(2), slow), Ok("done"));
        assert_eq!(watch(Duration::from_secs(3_600), |_| 7), Ok(7));
    }

    #[test]
    fn who_makes_none_hangs_and_is_told_where() {
        let hang = |progress: &Arc<Progress>| {
            progress.next_generation();
            progress.enter(Phase::EndingReaders);
            loop {
                thread::park();
            }
        };
        let ending: Result<(), _> = watch(STALL, hang);
        let place = "in generation 1, while the readers take their last snapshots".to_owned();
        assert_eq!(ending, Err(Ending::Hung { place }));
    }

    #[test]
    fn who_panics_is_told_why() {
        let ending: Result<(), _> = watch(STALL * 50, |_| std::panic::resume_unwind(Box::new("too bad".to_owned())));
        let place = "in generation 0, while threads record and exit".to_owned();
        assert_eq!(ending, Err(Ending::Panicked { place, what: "too bad".to_owned() }));
    }
}
