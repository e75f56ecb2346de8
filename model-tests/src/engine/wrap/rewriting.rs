//! Another operation in place of one that is written in the source: with a weaker ordering, or as a load and a store
//! instead of one read-modify-write. So the suite can ask whether the operation must be as it is.
//!
//! What is rewritten belongs to an OS thread, since an engine that explores runs all threads of a program on one, and takes
//! a new one for each exploration. Real threads are not rewritten.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::panic::Location;
use std::sync::atomic::Ordering::{self, AcqRel, Acquire, Relaxed, Release, SeqCst};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Operations to do instead of those that are written, by where these are written.
#[derive(Debug, Default)]
pub struct Rewriting {
    instead: HashMap<Site, Instead>,
    /// The sites that were met.
    met: Mutex<HashSet<Site>>,
}

/// An ordering in the source: where it is written, and which of an operation's orderings it is. An operation that is given
/// its ordering by a caller is a site for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Site {
    /// The file, as the compiler was given it.
    pub file: &'static str,
    /// The line of the operation.
    pub line: u32,
    /// Its column.
    pub column: u32,
    /// What the ordering is of.
    pub role: Role,
    /// The ordering that is written.
    pub order: Ordering,
}

/// What an ordering is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// A load.
    Load,
    /// The owner's load of its own cell, which has no ordering to choose.
    LoadOwned,
    /// A store.
    Store,
    /// A swap.
    Swap,
    /// An addition.
    FetchAdd,
    /// A raise.
    FetchMax,
    /// A compare-exchange that succeeds.
    Success,
    /// A compare-exchange that fails.
    Failure,
}

/// What to do instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instead {
    /// The same operation with this ordering.
    Order(Ordering),
    /// A load, and then a store, in place of a read-modify-write, with the ordering that is written.
    LoadThenStore,
}

thread_local! {
    static CURRENT: RefCell<Option<Arc<Rewriting>>> = const { RefCell::new(None) };
}

/// From now on, does the operations of the calling OS thread by this rewriting, or as they are written.
pub(crate) fn begin(rewriting: Option<&Arc<Rewriting>>) {
    CURRENT.set(rewriting.cloned());
}

/// What to do at the caller's site.
#[track_caller]
pub(super) fn at(role: Role, order: Ordering) -> Instead {
    let at = Location::caller();
    CURRENT.with_borrow(|rewriting| {
        let Some(rewriting) = rewriting else { return Instead::Order(order) };
        let site = Site { file: at.file(), line: at.line(), column: at.column(), role, order };
        rewriting.met().insert(site);
        rewriting.instead.get(&site).copied().unwrap_or(Instead::Order(order))
    })
}

/// The ordering of an operation that is not a read-modify-write.
#[track_caller]
pub(super) fn order(role: Role, written: Ordering) -> Ordering {
    match at(role, written) {
        Instead::Order(order) => order,
        Instead::LoadThenStore => written,
    }
}

/// The orderings of the load and of the store that together do what a read-modify-write does, but not at once.
pub(super) const fn halves(order: Ordering) -> (Ordering, Ordering) {
    match order {
        Acquire => (Acquire, Relaxed),
        Release => (Relaxed, Release),
        AcqRel => (Acquire, Release),
        SeqCst => (SeqCst, SeqCst),
        _ => (Relaxed, Relaxed),
    }
}

/// The orderings, the weakest first; Acquire and Release are as strong.
const STRENGTH: [Ordering; 5] = [Relaxed, Acquire, Release, AcqRel, SeqCst];

/// The stronger of two orderings of a load.
pub(super) fn stronger(one: Ordering, other: Ordering) -> Ordering {
    let strength = |order| STRENGTH.iter().position(|weaker| *weaker == order);
    if strength(one) < strength(other) { other } else { one }
}

impl Rewriting {
    /// The rewriting in which each of these sites is another.
    pub fn new(instead: impl IntoIterator<Item = (Site, Instead)>) -> Self {
        Self { instead: instead.into_iter().collect(), met: Mutex::default() }
    }

    /// The sites that executions under this rewriting met, in the order of the source.
    pub fn sites(&self) -> Vec<Site> {
        let mut sites: Vec<_> = self.met().iter().copied().collect();
        sites.sort_by_key(|Site { file, line, column, role, order }| {
            (*file, *line, *column, *role, STRENGTH.iter().position(|weaker| weaker == order))
        });
        sites
    }

    fn met(&self) -> MutexGuard<'_, HashSet<Site>> {
        self.met.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Role {
    /// The operation's name, and which of its orderings it is if it has two.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Load => "load",
            Self::LoadOwned => "load_owned",
            Self::Store => "store",
            Self::Swap => "swap",
            Self::FetchAdd => "fetch_add",
            Self::FetchMax => "fetch_max",
            Self::Success => "compare_exchange",
            Self::Failure => "compare_exchange, failure",
        }
    }

    /// The method's name.
    pub const fn method(self) -> &'static str {
        match self {
            Self::Success | Self::Failure => "compare_exchange",
            other => other.as_str(),
        }
    }

    /// Whether the operation reads and writes at once.
    pub const fn is_read_modify_write(self) -> bool {
        matches!(self, Self::Swap | Self::FetchAdd | Self::FetchMax | Self::Success)
    }

    /// The orderings that are weaker than `order` and that an operation of this role can have, the weakest first.
    const fn weaker(self, order: Ordering) -> &'static [Ordering] {
        match (self, order) {
            (Self::LoadOwned, _) | (_, Relaxed) => &[],
            (Self::Load | Self::Failure, SeqCst) => &[Relaxed, Acquire],
            (Self::Store, SeqCst) => &[Relaxed, Release],
            (_, SeqCst) => &[Relaxed, Acquire, Release, AcqRel],
            (_, AcqRel) => &[Relaxed, Acquire, Release],
            _ => &[Relaxed],
        }
    }
}

impl Site {
    /// Everything weaker than what is written, the weakest first.
    pub fn weaker(self) -> Vec<Instead> {
        let orders = self.role.weaker(self.order).iter().map(|order| Instead::Order(*order));
        orders.chain(self.role.is_read_modify_write().then_some(Instead::LoadThenStore)).collect()
    }
}

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, column, role, order } = self;
        write!(f, "{file}:{line}:{column} {}, {order:?}", role.as_str())
    }
}

impl fmt::Display for Instead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Order(order) => f.pad(&format!("{order:?}")),
            Self::LoadThenStore => f.pad("load, then store"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weaker_orderings_are_those_that_the_operation_can_have() {
        assert_eq!(Role::Load.weaker(SeqCst), [Relaxed, Acquire]);
        assert_eq!(Role::Store.weaker(SeqCst), [Relaxed, Release]);
        assert_eq!(Role::FetchAdd.weaker(AcqRel), [Relaxed, Acquire, Release]);
        assert_eq!(Role::Failure.weaker(Acquire), [Relaxed]);
        assert!(Role::Success.weaker(Relaxed).is_empty() && Role::LoadOwned.weaker(Relaxed).is_empty());
    }

    #[test]
    fn the_halves_of_a_read_modify_write_keep_its_ordering() {
        assert_eq!(
            [Relaxed, Acquire, Release].map(halves),
            [(Relaxed, Relaxed), (Acquire, Relaxed), (Relaxed, Release)]
        );
        assert_eq!([AcqRel, SeqCst].map(halves), [(Acquire, Release), (SeqCst, SeqCst)]);
        assert_eq!((stronger(Relaxed, Acquire), stronger(SeqCst, Acquire)), (Acquire, SeqCst));
    }

    #[test]
    fn a_site_is_met_where_it_is_written_and_done_as_it_is_rewritten() {
        let (line, column) = (line!() + 1, 23);
        let here = || order(Role::Load, Acquire);
        assert_eq!(here(), Acquire);
        let site = Site { file: file!(), line, column, role: Role::Load, order: Acquire };
        let rewriting = Arc::new(Rewriting::new([(site, Instead::Order(Relaxed))]));
        begin(Some(&rewriting));
        assert_eq!((here(), order(Role::Load, Acquire)), (Relaxed, Acquire));
        begin(None);
        assert_eq!(here(), Acquire);
        assert_eq!(rewriting.sites().len(), 2);
        assert!(rewriting.sites().contains(&site), "{rewriting:?}");
    }
}
