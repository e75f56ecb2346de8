//! What a snapshot may be.
//!
//! Each claim of the layout contract is one comparison of counts. What happened before a snapshot, and what can have
//! happened by its end, is known to the scenario from spawn, join and hand-offs; the oracle computes nothing of it.

use countersign::{Claims, ClassCounts};

use super::exploration::{Claim, Violation};

/// Judges snapshots, asking only for what the layout claims.
#[derive(Clone, Copy, Debug)]
pub struct Oracle {
    claims: Claims,
}

impl Oracle {
    /// An oracle that asks for `claims`.
    pub const fn new(claims: Claims) -> Self {
        Self { claims }
    }

    /// *Exact*: everything in `recorded` happened before the snapshot, and nothing else.
    pub fn exact(&self, seen: &[ClassCounts], recorded: &[ClassCounts]) -> Result<(), Violation> {
        if self.claims.exact { equal(Claim::Exact, seen, recorded) } else { Ok(()) }
    }

    /// *Bounded*: what is in `before` happened before the snapshot, and what is not in `until` after it or never.
    pub fn bounded(
        &self,
        seen: &[ClassCounts],
        before: &[ClassCounts],
        until: &[ClassCounts],
    ) -> Result<(), Violation> {
        if self.claims.bounded { between(Claim::Bounded, seen, before, until) } else { Ok(()) }
    }

    /// *Folded once*: as bounded, for a snapshot beside a thread's exit.
    pub fn folded_once(
        &self,
        seen: &[ClassCounts],
        before: &[ClassCounts],
        until: &[ClassCounts],
    ) -> Result<(), Violation> {
        if self.claims.folded_once { between(Claim::FoldedOnce, seen, before, until) } else { Ok(()) }
    }

    /// *Monotonic*: `earlier` was taken before `later`.
    pub fn monotonic(&self, earlier: &[ClassCounts], later: &[ClassCounts]) -> Result<(), Violation> {
        if !self.claims.monotonic || at_most(earlier, later) {
            return Ok(());
        }
        let claimed = format!("nowhere less than the snapshot before it, {}", show(earlier));
        Err(Violation { claim: Claim::Monotonic, claimed, seen: show(later) })
    }

    /// *In use never negative*: each free's alloc happened before it.
    pub fn in_use_never_negative(&self, seen: &[ClassCounts]) -> Result<(), Violation> {
        if !self.claims.in_use_never_negative || seen.iter().all(|counts| counts.frees <= counts.allocs) {
            return Ok(());
        }
        let claimed = "no more frees than allocs in any class".to_owned();
        Err(Violation { claim: Claim::InUseNeverNegative, claimed, seen: show(seen) })
    }

    /// *Bounded memory*: threads lived one after another, and there were so many atomics when the first and when the last
    /// of them was gone.
    pub fn bounded_memory(&self, first: usize, last: usize) -> Result<(), Violation> {
        if !self.claims.bounded_memory || last <= first {
            return Ok(());
        }
        let claimed = format!("no more than the {first} atomics that there were when the first thread was gone");
        Err(Violation { claim: Claim::BoundedMemory, claimed, seen: format!("{last} when the last one was") })
    }

    /// All that holds of the snapshots that one reader took in turn: each bounded, each not smaller than the one before
    /// it, none with negative use.
    pub fn reader(
        &self,
        seen: &[Vec<ClassCounts>],
        before: &[ClassCounts],
        until: &[ClassCounts],
    ) -> Result<(), Violation> {
        for snapshot in seen {
            self.in_use_never_negative(snapshot)?;
            self.bounded(snapshot, before, until)?;
        }
        seen.windows(2).try_for_each(|pair| self.monotonic(&pair[0], &pair[1]))
    }

    /// All that holds of a snapshot when everything in `recorded` happened before it, the exits of threads included.
    pub fn after_exits(&self, seen: &[ClassCounts], recorded: &[ClassCounts]) -> Result<(), Violation> {
        self.in_use_never_negative(seen)?;
        self.folded_once(seen, recorded, recorded)?;
        self.exact(seen, recorded)
    }
}

/// Counts as text: `1 alloc 0 frees` for each class.
pub fn show(counts: &[ClassCounts]) -> String {
    let class = |counts: &ClassCounts| {
        let ClassCounts { allocs, frees } = counts;
        format!("{allocs} allocs {frees} frees")
    };
    counts.iter().map(class).collect::<Vec<_>>().join(" | ")
}

fn equal(claim: Claim, seen: &[ClassCounts], recorded: &[ClassCounts]) -> Result<(), Violation> {
    if seen == recorded {
        return Ok(());
    }
    Err(Violation { claim, claimed: format!("just what was recorded, {}", show(recorded)), seen: show(seen) })
}

fn between(claim: Claim, seen: &[ClassCounts], before: &[ClassCounts], until: &[ClassCounts]) -> Result<(), Violation> {
    if at_most(before, seen) && at_most(seen, until) {
        return Ok(());
    }
    let claimed = if before == until {
        format!("just {}", show(before))
    } else {
        format!("at least {} and at most {}", show(before), show(until))
    };
    Err(Violation { claim, claimed, seen: show(seen) })
}

/// Whether `left` is nowhere greater than `right`.
fn at_most(left: &[ClassCounts], right: &[ClassCounts]) -> bool {
    left.len() == right.len()
        && left.iter().zip(right).all(|(left, right)| left.allocs <= right.allocs && left.frees <= right.frees)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(allocs: u64, frees: u64) -> Vec<ClassCounts> {
        vec![ClassCounts { allocs, frees }]
    }

    #[test]
    fn each_claim_is_asked_and_can_be_withheld() {
        let asked = Oracle::new(Claims::ALL);
        let nothing = Claims {
            exact: false,
            bounded: false,
            monotonic: false,
            folded_once: false,
            in_use_never_negative: false,
            bounded_memory: false,
        };
        let withheld = Oracle::new(nothing);
        let broken = |oracle: Oracle| {
            [
                oracle.exact(&one(1, 0), &one(2, 0)),
                oracle.bounded(&one(1, 0), &one(2, 0), &one(3, 0)),
                oracle.bounded(&one(4, 0), &one(2, 0), &one(3, 0)),
                oracle.folded_once(&one(2, 0), &one(1, 0), &one(1, 0)),
                oracle.monotonic(&one(1, 1), &one(1, 0)),
                oracle.in_use_never_negative(&one(0, 1)),
                oracle.bounded_memory(2, 4),
            ]
        };
        assert!(broken(asked).iter().all(Result::is_err));
        assert!(broken(withheld).iter().all(Result::is_ok));
        assert_eq!(asked.exact(&one(2, 1), &one(2, 1)), Ok(()));
        assert_eq!(asked.bounded(&one(2, 0), &one(2, 0), &one(3, 0)), Ok(()));
        assert_eq!(asked.bounded(&one(3, 0), &one(2, 0), &one(3, 0)), Ok(()));
        assert_eq!(asked.monotonic(&one(1, 0), &one(1, 0)), Ok(()));
        assert_eq!(asked.in_use_never_negative(&one(1, 1)), Ok(()));
        assert_eq!(asked.bounded_memory(2, 2), Ok(()));
    }

    #[test]
    fn a_violation_says_what_was_claimed_and_what_was_seen() {
        let violation = Oracle::new(Claims::ALL).exact(&one(1, 0), &one(2, 0)).unwrap_err();
        assert_eq!(
            violation.to_string(),
            "exact: claimed just what was recorded, 2 allocs 0 frees; seen 1 allocs 0 frees"
        );
    }
}
