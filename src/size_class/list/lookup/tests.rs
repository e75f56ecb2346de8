//! How the scale of a list is chosen.

use super::*;
use crate::size_class::list::go::GoBounds;
use crate::size_class::list::table::UpperBounds;

#[test]
fn a_list_with_no_two_bounds_in_one_step_is_looked_up_without_a_search() {
    assert_eq!(Scale::best(GoBounds::UPPER_BOUNDS).probes, 0);
}

#[test]
fn a_scale_may_have_as_many_steps_as_there_is_room_for() {
    let scale = Scale { min_shift: 0, steps_shift: 9, probes: 0 };
    let steps = MAX_STEPS as u64;
    assert_eq!((scale.probes_for(&[1, steps]), scale.probes_for(&[1, steps + 1])), (0, u32::MAX));
    let first = scale.first_classes(&[1, steps]);
    assert_eq!((first[0], first[1], first[MAX_STEPS - 1]), (0, 1, 1));
}

#[test]
fn the_search_is_as_long_as_the_most_bounds_within_one_step_need() {
    // Steps of 16: none, one, two, three and four bounds that are not at an edge.
    let scale = Scale { min_shift: 4, steps_shift: 0, probes: 0 };
    let probes = |bounds: &[u64]| scale.probes_for(bounds);
    assert_eq!(probes(&[16, 32, 64, 70]), 0);
    assert_eq!(probes(&[16, 17, 32, 64, 70]), 1);
    assert_eq!(probes(&[16, 17, 31, 32, 64, 70]), 2);
    assert_eq!(probes(&[1, 2, 3, 17, 70]), 2);
    assert_eq!(probes(&[1, 2, 3, 4, 17, 18, 70]), 3);
}

#[test]
fn of_scales_with_the_same_search_the_coarsest_is_the_best() {
    let crowded = &[3, 1 << 40, (1 << 40) + 1, (1 << 40) + 2, u64::MAX];
    assert_eq!(Scale::best(crowded), Scale { min_shift: 0, steps_shift: 0, probes: 2 });
}

#[test]
fn steps_are_as_wide_as_all_bounds_but_the_last_allow() {
    let scale = |bounds: &[u64]| Scale::best(bounds).min_shift;
    assert_eq!(scale(&[64, 128, 1_000_001]), 6);
    assert_eq!(scale(&[64, 136, 1_000_001]), 3);
    assert_eq!(scale(&[1_000_001]), 63);
}
