//! What the blocks say of each mode beside its setting's reference.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::group::Group;
use crate::measurement::{Role, Row};
use crate::statistics::{Interval, interval, median};

/// A mode in a setting, beside the reference.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Comparison {
    pub(crate) group: Group,
    pub(crate) sizes: &'static str,
    pub(crate) workers: usize,
    pub(crate) mode: &'static str,
    /// `None` of the reference itself.
    pub(crate) against: Option<&'static str>,
    /// The median of all runs of the mode.
    pub(crate) ns_per_operation: f64,
    /// The mode's time over the reference's: one ratio for each block.
    pub(crate) ratio: Ratio,
    /// The blocks that were on the other side of 1 than the median.
    pub(crate) adverse: usize,
    /// The same of the mode beside itself.
    pub(crate) control: Ratio,
    /// How far the worse of the two controls, the mode's and the reference's, is from 1.
    pub(crate) control_error: f64,
}

/// Ratios of the time that two modes took, one for each block.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Ratio {
    pub(crate) median: f64,
    pub(crate) interval: Option<Interval>,
    pub(crate) observations: Vec<f64>,
}

/// A comparison whose control is further from 1 is marked.
const TOLERATED: f64 = 0.025;

impl Comparison {
    /// Whether a mode differed from itself by so much that small ratios mean nothing.
    pub(crate) fn is_marked(&self) -> bool {
        self.control_error > TOLERATED
    }
}

impl Ratio {
    /// `None` of nothing.
    fn of(observations: Vec<f64>) -> Option<Self> {
        Some(Self { median: median(&observations)?, interval: interval(&observations), observations })
    }

    /// The lower end of the interval, or the median where there is none.
    pub(crate) fn least(&self) -> f64 {
        self.interval.map_or(self.median, |interval| interval.low)
    }

    fn error(&self) -> f64 {
        (self.median - 1.0).abs()
    }
}

/// Compares what was measured, in the order in which it first was.
pub(crate) fn comparisons(rows: &[Row]) -> Vec<Comparison> {
    let mut found: Vec<Comparison> = Vec::new();
    for of_setting in by_setting(rows) {
        let Some(reference) = of_setting.iter().find(|row| !row.control && row.role == Role::Reference) else {
            continue;
        };
        let Some(of_reference) = ratio(&of_setting, reference.mode, true) else { continue };
        let modes = unique(of_setting.iter().map(|row| row.block));
        found.extend(modes.into_iter().filter_map(|mode| {
            let is_reference = mode == reference.mode;
            let control = ratio(&of_setting, mode, true)?;
            let ratio = ratio(&of_setting, mode, is_reference)?;
            let times: Vec<_> =
                of_setting.iter().filter(|row| row.mode == mode).map(|row| row.ns_per_operation()).collect();
            Some(Comparison {
                group: reference.group,
                sizes: reference.sizes,
                workers: reference.workers,
                mode,
                against: (!is_reference).then_some(reference.mode),
                ns_per_operation: median(&times)?,
                adverse: ratio.observations.iter().filter(|one| (**one > 1.0) != (ratio.median > 1.0)).count(),
                control_error: control.error().max(of_reference.error()),
                ratio,
                control,
            })
        }));
    }
    found
}

/// The ratios of a mode's blocks: those beside itself, or those beside the reference.
fn ratio(rows: &[&Row], mode: &str, control: bool) -> Option<Ratio> {
    let mut rounds: BTreeMap<usize, [f64; 2]> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.block == mode && row.control == control) {
        rounds.entry(row.round).or_default()[row.role as usize] += row.ns_per_operation();
    }
    Ratio::of(rounds.into_values().map(|[of_reference, of_mode]| of_mode / of_reference).collect())
}

/// The rows of each setting, in the order of the first of each.
fn by_setting(rows: &[Row]) -> Vec<Vec<&Row>> {
    let setting = |row: &Row| (row.group, row.sizes, row.workers);
    let settings = unique(rows.iter().map(setting));
    settings.into_iter().map(|wanted| rows.iter().filter(|row| setting(row) == wanted).collect()).collect()
}

/// Each once, in the order in which they first come.
pub(crate) fn unique<T: PartialEq>(all: impl Iterator<Item = T>) -> Vec<T> {
    let mut found = Vec::new();
    for one in all {
        if !found.contains(&one) {
            found.push(one);
        }
    }
    found
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::measurement::COMPILER;

    /// A block of a setting with one worker, in which each run took so many nanoseconds for one operation.
    fn block(round: usize, [reference, mode]: [&'static str; 2], times: [u64; 4]) -> [Row; 4] {
        let roles = [Role::Reference, Role::Mode, Role::Mode, Role::Reference];
        std::array::from_fn(|run| Row {
            compiler: COMPILER,
            group: Group::Record,
            sizes: "fixed",
            workers: 1,
            round,
            mode: if roles[run] == Role::Mode { mode } else { reference },
            block: mode,
            control: mode == reference,
            role: roles[run],
            operations: 1,
            elapsed_ns: times[run],
            verified_events: Some(1),
        })
    }

    /// `slow` takes three times as long as `slots`, but for one block of three.
    fn rows(slots_again: u64) -> Vec<Row> {
        let mut rows = Vec::new();
        for (round, slow) in [300, 300, 50].into_iter().enumerate() {
            rows.extend(block(round, ["slots", "slots"], [100, slots_again, slots_again, 100]));
            rows.extend(block(round, ["slow", "slow"], [300; 4]));
            rows.extend(block(round, ["slots", "slow"], [90, slow, slow, 110]));
        }
        rows
    }

    #[test]
    fn the_ratio_is_the_modes_time_over_the_references_in_the_same_block() {
        let found = comparisons(&rows(100));
        let [reference, slow] = &found[..] else { panic!("{found:?}") };
        assert_eq!((reference.mode, reference.against), ("slots", None));
        assert_eq!(reference.ratio.observations, [1.0; 3]);
        assert_eq!((slow.mode, slow.against), ("slow", Some("slots")));
        assert_eq!(slow.ratio.observations, [3.0, 3.0, 0.5]);
        assert_eq!((slow.ratio.median, slow.ns_per_operation), (3.0, 300.0));
    }

    #[test]
    fn an_observation_on_the_other_side_of_one_is_adverse() {
        assert_eq!(comparisons(&rows(100)).iter().map(|found| found.adverse).collect::<Vec<_>>(), [0, 1]);
    }

    #[test]
    fn a_control_that_leaves_the_tolerated_range_marks_the_reference_and_whatever_is_compared_with_it() {
        let marked = |rows: &[Row]| comparisons(rows).iter().map(Comparison::is_marked).collect::<Vec<_>>();
        assert_eq!(marked(&rows(102)), [false, false]);
        assert_eq!(marked(&rows(103)), [true, true]);
        assert_eq!(marked(&rows(97)), [true, true]);
    }
}
