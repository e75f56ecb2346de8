//! A place of shared memory, and the run that it belongs to.

use std::fmt;

use super::driver::{settle, with};
use super::step::fault::Fault;
use super::step::reply::{Reply, Stop};
use crate::model::event::PlaceId;

/// A place, and the run that it belongs to.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    run: u64,
    id: PlaceId,
}

impl Place {
    /// Makes a place that holds `initial`.
    pub(crate) fn new(initial: u64, name: Option<fmt::Arguments<'_>>) -> Self {
        with(|run| run.make_place(initial, name).map(|id| Self { run: run.number, id }))
            .flatten()
            .unwrap_or(Self { run: 0, id: PlaceId::MAX })
    }

    /// The place, if it belongs to this run; if not, the run is given up.
    pub(crate) fn id(self) -> PlaceId {
        settle(|run| {
            if run.number == self.run || run.current.is_none() || run.abandoned {
                return Reply::Done(0);
            }
            run.stop(Stop::Fault(Fault::Foreign))
        });
        self.id
    }
}
