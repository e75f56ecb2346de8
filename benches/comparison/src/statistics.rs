//! What can be said of a handful of noisy ratios.

use serde::Serialize;

/// Where the median of a population lies, with 95 % confidence.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Interval {
    pub(crate) low: f64,
    pub(crate) high: f64,
}

/// Of fewer observations the median is outside even their whole range in more than 5 % of cases: 2 in 2^n.
const LEAST: usize = 6;

const RESAMPLES: usize = 2_000;

/// The median, or `None` of nothing.
pub(crate) fn median(observations: &[f64]) -> Option<f64> {
    let mut sorted = observations.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    let upper = *sorted.get(middle)?;
    Some(if sorted.len().is_multiple_of(2) { (sorted[middle - 1] + upper) / 2.0 } else { upper })
}

/// The percentile bootstrap of the median (Efron, 1979): how much the median varies when as many observations are drawn
/// from those at hand, with replacement. The same observations have the same interval.
pub(crate) fn interval(observations: &[f64]) -> Option<Interval> {
    if observations.len() < LEAST {
        return None;
    }
    let mut random = fastrand::Rng::with_seed(1);
    let mut resample = || {
        let drawn: Vec<_> = observations.iter().map(|_| observations[random.usize(..observations.len())]).collect();
        median(&drawn)
    };
    let mut medians: Vec<f64> = (0..RESAMPLES).filter_map(|_| resample()).collect();
    medians.sort_by(f64::total_cmp);
    let tail = medians.len() / 40;
    Some(Interval { low: medians[tail], high: medians[medians.len() - 1 - tail] })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle_or_halfway_between_two() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), Some(2.5));
    }

    #[test]
    fn five_observations_have_no_interval() {
        assert_eq!(interval(&[1.0, 2.0, 3.0, 4.0, 5.0]), None);
    }

    #[test]
    fn equal_observations_have_an_interval_of_no_width() {
        assert_eq!(interval(&[2.0; 6]), Some(Interval { low: 2.0, high: 2.0 }));
    }

    #[test]
    fn one_outlier_of_many_does_not_reach_the_interval() {
        let mut observations = vec![1.0; 20];
        observations.push(100.0);
        assert_eq!(interval(&observations), Some(Interval { low: 1.0, high: 1.0 }));
    }

    #[test]
    fn an_interval_covers_the_median_that_it_is_about_as_often_as_it_says() {
        // 500 samples from a uniform distribution around 1: the interval misses 1 in about 5 % of them.
        let mut random = fastrand::Rng::with_seed(7);
        for observations in [LEAST, 10, 15] {
            let sample = |random: &mut fastrand::Rng| (0..observations).map(|_| 0.5 + random.f64()).collect::<Vec<_>>();
            let covers =
                |sample: Vec<f64>| interval(&sample).is_some_and(|found| found.low <= 1.0 && 1.0 <= found.high);
            let covered = (0..500).filter(|_| covers(sample(&mut random))).count();
            assert!((460..=495).contains(&covered), "{covered} of 500 samples of {observations}");
        }
    }
}
