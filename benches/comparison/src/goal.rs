//! What the project promises of its default layout, as ratios within one run.

use serde::Serialize;

use crate::comparison::{Comparison, Ratio};
use crate::group::Group;
use crate::statistics::Interval;

/// A promise, and what was measured of it.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Goal {
    pub(crate) promise: &'static str,
    pub(crate) sizes: &'static str,
    pub(crate) workers: usize,
    /// Which mode was compared with the reference.
    pub(crate) mode: &'static str,
    pub(crate) bound: Bound,
    pub(crate) measured: Ratio,
    /// How far the controls of the comparison are from 1.
    pub(crate) control_error: f64,
    pub(crate) outcome: Outcome,
}

/// What the mode's time over the reference's must be.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) enum Bound {
    AtLeast(f64),
    AtMost(f64),
}

/// What the interval says of the bound, when it is made wider by as much as the controls are off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) enum Outcome {
    /// All of it keeps the bound.
    Met,
    /// None of it keeps the bound.
    Missed,
    /// Part of it does, or there is none.
    Undecided,
}

/// A promise about every setting that it fits.
struct Promise {
    text: &'static str,
    group: Group,
    /// Any, if there are none.
    sizes: &'static [&'static str],
    workers: &'static [usize],
    /// The mode with the lowest ratio of these, at the lower end of its interval if it has one.
    modes: &'static [&'static str],
    bound: Bound,
}

/// Made for one and two threads, as there are two cores where they are measured.
const FEW: &[usize] = &[1, 2];

const PROMISES: &[Promise] = &[
    Promise {
        text: "slots: a record takes at most 1.10 x a plain increment (so that takes at least 1 / 1.10 of it)",
        group: Group::Record,
        sizes: &[],
        workers: FEW,
        modes: &["floor"],
        bound: Bound::AtLeast(1.0 / 1.10),
    },
    Promise {
        text: "sharded: a record takes at least 3 x one in slots, all in one class",
        group: Group::Record,
        sizes: &["fixed"],
        workers: FEW,
        modes: &["sharded"],
        bound: Bound::AtLeast(3.0),
    },
    Promise {
        text: "sharded: a record takes at least 5 x one in slots, over all classes",
        group: Group::Record,
        sizes: &["mixed"],
        workers: FEW,
        modes: &["sharded"],
        bound: Bound::AtLeast(5.0),
    },
    Promise {
        text: "the fastest exact peer: a record takes at least 2 x one in slots",
        group: Group::Record,
        sizes: &[],
        workers: FEW,
        modes: &["contatori", "fast-counter", "prometheus"],
        bound: Bound::AtLeast(2.0),
    },
    Promise {
        text: "the fastest exact peer: an alloc takes at least 2 x a counted one",
        group: Group::Alloc,
        sizes: &[],
        workers: FEW,
        modes: &["stats_alloc", "accounting-allocator", "alloc-metrics"],
        bound: Bound::AtLeast(2.0),
    },
    Promise {
        text: "sharded: a snapshot takes at least 5 x one of slots, with four threads",
        group: Group::Snapshot,
        sizes: &[],
        workers: &[4],
        modes: &["sharded"],
        bound: Bound::AtLeast(5.0),
    },
    Promise {
        text: "slots: 200 exited threads add at most a tenth to a snapshot",
        group: Group::Snapshot,
        sizes: &[],
        workers: &[1, 4, 16, 64],
        modes: &["slots after exits"],
        bound: Bound::AtMost(1.10),
    },
    Promise {
        text: "the example takes at most 1.02 x as long when its blocks are counted",
        group: Group::Program,
        sizes: &[],
        workers: FEW,
        modes: &["counting"],
        bound: Bound::AtMost(1.02),
    },
];

/// The goals that `comparisons` say something about. Workers who share the `cores` say nothing.
pub(crate) fn goals(comparisons: &[Comparison], cores: usize) -> Vec<Goal> {
    PROMISES.iter().flat_map(|promise| promise.goals(comparisons, cores)).collect()
}

impl Promise {
    fn goals(&self, comparisons: &[Comparison], cores: usize) -> Vec<Goal> {
        let fits = |found: &&Comparison| {
            found.group == self.group
                && (self.sizes.is_empty() || self.sizes.contains(&found.sizes))
                && self.workers.contains(&found.workers)
                // The threads of a snapshot do nothing.
                && (found.workers <= cores || found.group == Group::Snapshot)
                && self.modes.contains(&found.mode)
        };
        let fitting: Vec<_> = comparisons.iter().filter(fits).collect();
        // Of several modes in one setting, the one with the lowest ratio.
        let is_lowest = |found: &Comparison| {
            let mut rivals =
                fitting.iter().filter(|rival| (rival.sizes, rival.workers) == (found.sizes, found.workers));
            rivals.all(|rival| rival.ratio.least() >= found.ratio.least())
        };
        fitting.iter().filter(|found| is_lowest(found)).map(|found| self.goal(found)).collect()
    }

    fn goal(&self, found: &Comparison) -> Goal {
        Goal {
            promise: self.text,
            sizes: found.sizes,
            workers: found.workers,
            mode: found.mode,
            bound: self.bound,
            measured: found.ratio.clone(),
            control_error: found.control_error,
            outcome: self.bound.outcome(found.ratio.interval, found.control_error),
        }
    }
}

impl Bound {
    fn outcome(self, interval: Option<Interval>, control_error: f64) -> Outcome {
        let Some(Interval { low, high }) = interval else { return Outcome::Undecided };
        match (self.keeps(low * (1.0 - control_error)), self.keeps(high * (1.0 + control_error))) {
            (true, true) => Outcome::Met,
            (false, false) => Outcome::Missed,
            _ => Outcome::Undecided,
        }
    }

    fn keeps(self, ratio: f64) -> bool {
        match self {
            Self::AtLeast(bound) => ratio >= bound,
            Self::AtMost(bound) => ratio <= bound,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_is_met_by_the_whole_interval_or_not_at_all() {
        let outcome = |bound: Bound, low, high| bound.outcome(Some(Interval { low, high }), 0.0);
        assert_eq!(outcome(Bound::AtLeast(3.0), 3.0, 4.0), Outcome::Met);
        assert_eq!(outcome(Bound::AtLeast(3.0), 2.9, 4.0), Outcome::Undecided);
        assert_eq!(outcome(Bound::AtLeast(3.0), 2.0, 2.9), Outcome::Missed);
        assert_eq!(outcome(Bound::AtMost(1.02), 1.0, 1.02), Outcome::Met);
        assert_eq!(outcome(Bound::AtMost(1.02), 1.0, 1.03), Outcome::Undecided);
        assert_eq!(outcome(Bound::AtMost(1.02), 1.03, 1.04), Outcome::Missed);
        assert_eq!(Bound::AtMost(1.02).outcome(None, 0.0), Outcome::Undecided);
    }

    #[test]
    fn what_the_controls_are_off_counts_against_a_verdict() {
        let outcome = |bound: Bound, low, high| bound.outcome(Some(Interval { low, high }), 0.01);
        assert_eq!(outcome(Bound::AtLeast(3.0), 3.01, 4.0), Outcome::Undecided);
        assert_eq!(outcome(Bound::AtLeast(3.0), 3.04, 4.0), Outcome::Met);
        assert_eq!(outcome(Bound::AtMost(1.02), 1.025, 1.04), Outcome::Undecided);
        assert_eq!(outcome(Bound::AtMost(1.02), 1.031, 1.04), Outcome::Missed);
    }

    #[test]
    fn every_promise_is_about_modes_that_are_measured() {
        for promise in PROMISES {
            let settings = crate::group::settings(&[promise.group]);
            let measured = |mode| settings.iter().any(|setting| setting.modes.iter().any(|found| found.name == mode));
            assert!(promise.modes.iter().all(|mode| measured(*mode)), "{}", promise.text);
            let fits =
                |setting: &&crate::group::Setting| promise.sizes.is_empty() || promise.sizes.contains(&setting.sizes);
            let workers: Vec<_> = settings.iter().filter(fits).map(|setting| setting.workers).collect();
            assert!(promise.workers.iter().all(|wanted| workers.contains(wanted)), "{}", promise.text);
        }
    }
}
