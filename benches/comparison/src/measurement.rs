//! Runs settings, block by block, and keeps every run.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::group::{Group, Mode, Run, Setting};

/// One run, as it is reported.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Row {
    pub(crate) compiler: &'static str,
    pub(crate) group: Group,
    pub(crate) sizes: &'static str,
    pub(crate) workers: usize,
    pub(crate) round: usize,
    pub(crate) mode: &'static str,
    /// The mode whose block this run belongs to; in the block of the reference, which is its control, itself.
    pub(crate) block: &'static str,
    /// Whether the block compares its mode with itself.
    pub(crate) control: bool,
    /// Whether the run is one of the two of the block's mode, or of the two of what that is compared with.
    pub(crate) role: Role,
    pub(crate) operations: u64,
    pub(crate) elapsed_ns: u64,
    /// `null` where the mode shows nothing or counts nothing.
    pub(crate) verified_events: Option<u64>,
}

/// The part of a run in its block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) enum Role {
    Reference,
    Mode,
}

/// The version of the compiler that made this program.
pub(crate) const COMPILER: &str = env!("COMPILER");

/// Measures everything `rounds` times, in runs that take about `time`, or as long as a single unit of work. Every other
/// round goes through the modes backwards and turns the blocks around.
pub(crate) fn measure(settings: &[Setting], rounds: usize, time: Duration) -> Vec<Row> {
    let blocks: usize = settings.iter().map(|setting| 2 * setting.modes.len() - 1).sum();
    let progress = ProgressBar::new((rounds * blocks) as u64).with_style(
        ProgressStyle::with_template("{bar:30} {pos}/{len} blocks, {eta} left: {msg}").expect("the template is valid"),
    );
    progress.set_message("calibrating");
    let settings: Vec<_> = settings.iter().map(|setting| Calibrated::new(setting, time)).collect();
    let mut rows = Vec::new();
    for round in 0..rounds {
        for setting in &settings {
            let reference = setting.modes[0];
            let in_turn: Vec<_> =
                if is_even(round) { setting.modes.clone() } else { setting.modes.iter().rev().copied().collect() };
            for mode in in_turn {
                progress.set_message(format!("{} {} {}", setting.of.group, setting.of.sizes, mode.of.name));
                rows.extend(setting.block(round, mode, mode));
                progress.inc(1);
                if mode.of.name != reference.of.name {
                    rows.extend(setting.block(round, reference, mode));
                    progress.inc(1);
                }
            }
        }
    }
    progress.finish_and_clear();
    rows
}

/// A setting whose modes know how much to do.
struct Calibrated<'a> {
    of: &'a Setting,
    modes: Vec<CalibratedMode<'a>>,
}

#[derive(Clone, Copy)]
struct CalibratedMode<'a> {
    of: &'a Mode,
    units: u64,
}

impl<'a> Calibrated<'a> {
    fn new(setting: &'a Setting, time: Duration) -> Self {
        let time = (time * setting.longer).as_nanos() as u64;
        let modes = setting.modes.iter().map(|mode| CalibratedMode { of: mode, units: units(mode, time) }).collect();
        Self { of: setting, modes }
    }

    /// Four runs: reference, mode, mode, reference, or the other way round.
    fn block(&self, round: usize, reference: CalibratedMode<'_>, mode: CalibratedMode<'_>) -> [Row; 4] {
        let roles = if is_even(round) {
            [Role::Reference, Role::Mode, Role::Mode, Role::Reference]
        } else {
            [Role::Mode, Role::Reference, Role::Reference, Role::Mode]
        };
        roles.map(|role| {
            let ran = if role == Role::Mode { mode } else { reference };
            let Run { operations, elapsed_ns, verified } = (ran.of.run)(ran.units);
            Row {
                compiler: COMPILER,
                group: self.of.group,
                sizes: self.of.sizes,
                workers: self.of.workers,
                round,
                mode: ran.of.name,
                block: mode.of.name,
                control: reference.of.name == mode.of.name,
                role,
                operations,
                elapsed_ns,
                verified_events: verified,
            }
        })
    }
}

/// How many units take about so many nanoseconds: twice as many as before, until that can be told. Of three runs the
/// shortest counts, as whatever disturbs a run makes it longer.
fn units(mode: &Mode, time: u64) -> u64 {
    let mut units = 1;
    loop {
        let elapsed = (0..3).map(|_| (mode.run)(units).elapsed_ns).min().unwrap_or_default().max(1);
        if elapsed >= time / 4 {
            return (u128::from(units) * u128::from(time) / u128::from(elapsed)).max(1) as u64;
        }
        units *= 2;
    }
}

fn is_even(round: usize) -> bool {
    round.is_multiple_of(2)
}

impl Row {
    /// Nanoseconds that an operation took, by the clock on the wall, whatever the number of workers.
    pub(crate) fn ns_per_operation(&self) -> f64 {
        self.elapsed_ns as f64 / self.operations as f64
    }

    /// Whether what was counted, if it can be seen at all, is what was done.
    pub(crate) fn is_exact(&self) -> bool {
        self.verified_events.is_none_or(|verified| verified == self.operations)
    }
}
