//! One generation of threads: all are started, all are joined, and then the counts must be right to the event.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc;
use std::thread;

use super::reader::{Readings, read};
use super::threads::{Done, EVENTS_PER_STEP, churn, joined, stay};
use crate::study::stress::plan::Row;
use crate::study::stress::profile::Profile;
use crate::study::stress::tally::{Smaller, Tally};
use crate::study::stress::watchdog::{Phase, Progress};

/// How many threads there are in a generation, and what they do.
#[derive(Clone, Copy, Debug)]
pub(in crate::study::stress) struct Size {
    /// The threads that stay.
    staying: usize,
    /// The steps of each.
    steps: usize,
    /// The threads that start others.
    churning: usize,
    /// How often each of them does.
    rounds: usize,
}

impl Size {
    /// Some four threads for each core, and a million events for all together.
    pub(in crate::study::stress) fn for_this_machine() -> Self {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let staying = (4 * cores).clamp(8, 64);
        Self { staying, steps: STEPS.div_ceil(staying), churning: 2, rounds: 14 }
    }
}

/// The steps of a generation.
const STEPS: usize = (1 << 20) / EVENTS_PER_STEP as usize;

/// Runs a generation, adds what was seen to `row`, and returns the counts at its end. `before` is the counts at its
/// beginning.
pub(in crate::study::stress) fn run<P: Profile>(
    size: Size,
    before: Tally,
    progress: &Arc<Progress>,
    row: &mut Row,
) -> Tally {
    progress.next_generation();
    progress.enter(Phase::Recording);
    let stop = Arc::new(AtomicBool::new(false));
    let readers = ring(2, || mpsc::sync_channel(1)).map(|ends| {
        let stop = Arc::clone(&stop);
        thread::spawn(move || read::<P>(&before, &stop, ends))
    });
    let readers: Vec<_> = readers.collect();
    let staying = ring(size.staying, mpsc::channel).enumerate().map(|(index, ends)| {
        let progress = Arc::clone(progress);
        thread::spawn(move || stay::<P>(size.steps, 5 * index, &before, ends, &progress))
    });
    let churning = (0..size.churning).map(|index| {
        let progress = Arc::clone(progress);
        thread::spawn(move || churn::<P>(size.rounds, 13 * index, &before, &progress))
    });
    let threads: Vec<_> = staying.chain(churning).collect();
    let mut recorded = Tally::default();
    for Done { recorded: of_one, own_readings, started } in threads.into_iter().map(joined) {
        progress.step();
        recorded.add(&of_one);
        row.threads += 1 + started;
        row.snapshots += own_readings.snapshots;
        row.short += own_readings.short;
        if own_readings.short > 0 {
            row.fault("short", || "a thread's own snapshot counted less than it knew to be recorded".to_owned());
        }
    }
    row.events += recorded.events();

    progress.enter(Phase::EndingReaders);
    // Relaxed: see the reader.
    stop.store(true, Relaxed);
    let mut readings = Readings::since(&before);
    for Readings { snapshots, backwards, first_backwards, negative, first_negative, greatest } in
        readers.into_iter().map(joined)
    {
        readings.snapshots += snapshots;
        readings.backwards += backwards;
        readings.first_backwards = readings.first_backwards.or(first_backwards);
        readings.negative += negative;
        readings.first_negative = readings.first_negative.or(first_negative);
        readings.greatest.raise(&greatest);
    }

    progress.enter(Phase::ReadingAtRest);
    let counted = P::snapshot();
    // It comes after all of the readers' snapshots.
    readings.judge(&counted);
    add_readings(&readings, row);
    compare(&counted, &before.plus(&recorded), row);
    counted
}

/// The ends of channels that lead from each of `length` threads to the next one, and from the last to the first.
fn ring<S, R>(length: usize, channel: impl Fn() -> (S, R)) -> impl Iterator<Item = (S, R)> {
    let (gives, mut takes): (Vec<_>, Vec<_>) = (0..length).map(|_| channel()).unzip();
    takes.rotate_right(1);
    gives.into_iter().zip(takes)
}

fn add_readings(readings: &Readings, row: &mut Row) {
    row.snapshots += readings.snapshots;
    row.backwards += readings.backwards;
    row.negative += readings.negative;
    if let Some(Smaller { class, event, is, other }) = readings.first_backwards {
        let event = format!("{event:?}").to_lowercase();
        row.fault("backwards", || {
            format!("a snapshot counted {is} {event}s in class {class} after one that counted {other}")
        });
    }
    if let Some(negative) = &readings.first_negative {
        row.fault("negative", || negative.clone());
    }
}

/// Compares what is counted when all threads are joined with what was recorded.
fn compare(counted: &Tally, expected: &Tally, row: &mut Row) {
    let generation = row.generations + 1;
    let mut say = |claim: &'static str, Smaller { class, event, .. }: Smaller, counted: u64, recorded: u64| {
        let event = format!("{event:?}").to_lowercase();
        row.fault(claim, || {
            format!(
                "{counted} {event}s counted and {recorded} recorded in class {class} at the end of generation {generation}"
            )
        });
    };
    let (mut lost, mut doubled) = (0, 0);
    for smaller in counted.smaller(expected) {
        lost += smaller.other - smaller.is;
        say("lost", smaller, smaller.is, smaller.other);
    }
    for smaller in expected.smaller(counted) {
        doubled += smaller.other - smaller.is;
        say("doubled", smaller, smaller.other, smaller.is);
    }
    row.lost += lost;
    row.doubled += doubled;
    row.generations = generation;
}
