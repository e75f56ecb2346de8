//! What a thread counts for itself: plain integers, which nobody else sees before they are returned.

use countersign::{ClassCounts, Event, Llgo};

/// The classes of the profiles that are stressed.
pub(super) const CLASSES: usize = Llgo::COUNT;

/// Events of each class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally(pub(super) [ClassCounts; CLASSES]);

/// A place where one tally is smaller than another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Smaller {
    pub(super) class: usize,
    pub(super) event: Event,
    pub(super) is: u64,
    pub(super) other: u64,
}

impl Tally {
    /// Adds other events.
    pub(super) fn add(&mut self, other: &Self) {
        for (sum, counts) in self.0.iter_mut().zip(other.0) {
            *sum = sum.plus(counts);
        }
    }

    /// Both.
    pub(super) fn plus(mut self, other: &Self) -> Self {
        self.add(other);
        self
    }

    /// Raises each count to that of the other tally, if that is greater.
    pub(super) fn raise(&mut self, other: &Self) {
        for (own, other) in self.0.iter_mut().zip(other.0) {
            own.allocs = own.allocs.max(other.allocs);
            own.frees = own.frees.max(other.frees);
        }
    }

    /// Where this tally is smaller than the other.
    pub(super) fn smaller(&self, other: &Self) -> impl Iterator<Item = Smaller> {
        self.0.into_iter().zip(other.0).enumerate().flat_map(|(class, (own, other))| {
            let pairs = [(Event::Alloc, own.allocs, other.allocs), (Event::Free, own.frees, other.frees)];
            pairs.into_iter().filter(|(_, is, other)| is < other).map(move |(event, is, other)| Smaller {
                class,
                event,
                is,
                other,
            })
        })
    }

    /// The first class with more frees than allocs.
    pub(super) fn negative(&self) -> Option<(usize, ClassCounts)> {
        self.0.into_iter().enumerate().find(|(_, counts)| counts.frees > counts.allocs)
    }

    /// All events.
    pub(super) fn events(&self) -> u64 {
        self.0.iter().map(|counts| counts.allocs + counts.frees).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(class: usize, allocs: u64, frees: u64) -> Tally {
        let mut tally = Tally::default();
        tally.0[class] = ClassCounts { allocs, frees };
        tally
    }

    #[test]
    fn a_tally_is_smaller_where_any_count_is() {
        let (three, four) = (one(2, 3, 1), one(2, 4, 0));
        let smaller = |event, is, other| Smaller { class: 2, event, is, other };
        assert_eq!(three.smaller(&four).collect::<Vec<_>>(), [smaller(Event::Alloc, 3, 4)]);
        assert_eq!(four.smaller(&three).collect::<Vec<_>>(), [smaller(Event::Free, 0, 1)]);
        assert_eq!(three.smaller(&three).next(), None);
        let mut both = three;
        both.raise(&four);
        assert_eq!(both, one(2, 4, 1));
    }

    #[test]
    fn in_use_is_negative_in_the_class_that_has_more_frees() {
        assert_eq!(one(5, 3, 3).negative(), None);
        // Another class's allocs do not make up for it.
        assert_eq!(one(5, 3, 4).plus(&one(6, 9, 0)).negative(), Some((5, ClassCounts { allocs: 3, frees: 4 })));
    }

    #[test]
    fn events_are_those_of_all_classes() {
        assert_eq!(one(0, 2, 1).plus(&one(CLASSES - 1, 4, 3)).events(), 10);
    }
}
