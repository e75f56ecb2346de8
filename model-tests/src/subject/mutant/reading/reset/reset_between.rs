//! The counters are reset between an increment and its decrement.
//!
//! Source: tikv #2940 (a gauge is removed and made anew while requests are under way). Breaks: in use never negative. It
//! forgets and says so, but it forgets allocs whose frees it counts. Every engine can catch it.

use std::sync::atomic::Ordering::Release;

use countersign::{Atomic, Claims, ClassCounts, Event, Locks};

use crate::subject::mutant::template::{Cells, Protocol};

/// See the [module](self). Here it is a registration that resets.
pub(crate) struct ResetBetween<const C: usize, P: Locks>(Cells<C, P>);

impl<const C: usize, P: Locks> Protocol<C> for ResetBetween<C, P> {
    const CLAIMS: Claims = Claims { exact: false, bounded: false, monotonic: false, folded_once: false, ..Claims::ALL };
    type On<Q: Locks> = ResetBetween<C, Q>;
    type Own = ();

    fn new() -> Self {
        Self(Cells::named(format_args!("")))
    }

    fn register(&self) {
        for cell in self.0.allocs.iter().chain(&self.0.frees) {
            // The fault. A swap, so that nothing but the reset is wrong.
            cell.swap(0, Release);
        }
    }

    fn count(&self, (): &(), event: Event, class: usize) {
        self.0.record_shared(event, class);
    }

    fn retire(&self, (): &()) {}

    fn count_unregistered(&self, event: Event, class: usize) {
        self.0.record_shared(event, class);
    }

    fn read(&self) -> [ClassCounts; C] {
        self.0.read()
    }
}
