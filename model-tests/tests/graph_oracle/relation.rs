//! Relations on at most 64 events, as matrices of bits, with the operators that memory models are written in.

/// A set of events.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Set(u64);

/// A relation: row `a` holds the events that `a` is related to.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Relation(Vec<u64>);

impl Set {
    pub(crate) const EMPTY: Self = Self(0);

    pub(crate) fn of(members: impl IntoIterator<Item = usize>) -> Self {
        Self(members.into_iter().fold(0, |set, member| {
            assert!(member < Relation::MOST_EVENTS, "a row has a bit for each event");
            set | 1 << member
        }))
    }

    pub(crate) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(crate) const fn minus(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub(crate) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(crate) fn members(self) -> impl Iterator<Item = usize> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let member = rest.trailing_zeros() as usize;
            rest &= rest.wrapping_sub(1);
            (member < Relation::MOST_EVENTS).then_some(member)
        })
    }

    const fn contains(self, event: usize) -> bool {
        self.0 >> event & 1 == 1
    }
}

impl Relation {
    /// A row is one machine word.
    pub(crate) const MOST_EVENTS: usize = 64;

    pub(crate) fn empty(events: usize) -> Self {
        Self(vec![0; events])
    }

    /// On how many events the relation is.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// These pairs of `events` events.
    pub(crate) fn of(events: usize, pairs: impl IntoIterator<Item = (usize, usize)>) -> Self {
        let mut relation = Self::empty(events);
        for (a, b) in pairs {
            relation.0[a] |= Set::of([b]).0;
        }
        relation
    }

    /// `[S]`: the identity on a set.
    pub(crate) fn identity(&self, set: Set) -> Self {
        Self((0..self.0.len()).map(|event| set.0 & 1 << event).collect())
    }

    /// `self U other`
    pub(crate) fn or(&self, other: &Self) -> Self {
        Self(self.0.iter().zip(&other.0).map(|(a, b)| a | b).collect())
    }

    /// The pairs that are in both.
    pub(crate) fn and(&self, other: &Self) -> Self {
        Self(self.0.iter().zip(&other.0).map(|(a, b)| a & b).collect())
    }

    /// `self \ other`
    pub(crate) fn minus(&self, other: &Self) -> Self {
        Self(self.0.iter().zip(&other.0).map(|(a, b)| a & !b).collect())
    }

    /// `self ; other`
    pub(crate) fn then(&self, other: &Self) -> Self {
        let row = |&row| Set(row).members().fold(0, |reached, middle| reached | other.0[middle]);
        Self(self.0.iter().map(row).collect())
    }

    /// `self?`
    pub(crate) fn maybe(&self) -> Self {
        Self(self.0.iter().enumerate().map(|(event, row)| row | 1 << event).collect())
    }

    /// `self+`
    pub(crate) fn plus(&self) -> Self {
        let mut closed = self.clone();
        for middle in 0..closed.0.len() {
            let through = closed.0[middle];
            for row in &mut closed.0 {
                if *row >> middle & 1 == 1 {
                    *row |= through;
                }
            }
        }
        closed
    }

    /// `self*`
    pub(crate) fn star(&self) -> Self {
        self.plus().maybe()
    }

    /// `self^-1`
    pub(crate) fn inverse(&self) -> Self {
        Self::of(self.0.len(), (0..self.0.len()).flat_map(|a| Set(self.0[a]).members().map(move |b| (b, a))))
    }

    /// `[from] ; self ; [to]`
    pub(crate) fn between(&self, from: Set, to: Set) -> Self {
        let row = |(event, row): (usize, &u64)| if from.contains(event) { row & to.0 } else { 0 };
        Self(self.0.iter().enumerate().map(row).collect())
    }

    pub(crate) fn is_irreflexive(&self) -> bool {
        self.0.iter().enumerate().all(|(event, &row)| !Set(row).contains(event))
    }

    pub(crate) fn is_acyclic(&self) -> bool {
        self.plus().is_irreflexive()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().all(|&row| row == 0)
    }
}
