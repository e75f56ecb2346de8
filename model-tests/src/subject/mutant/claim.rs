//! What goes wrong with whose a cell is: claimed by two, by a dead thread, by none.

mod initialised_by_another;
mod orphaned_bag;
mod present_before_initialised;
mod recycled_id;
mod registers_twice;
mod slots;
mod stored_by_two;

pub(crate) use initialised_by_another::InitialisedByAnother;
pub(crate) use orphaned_bag::OrphanedBag;
pub(crate) use present_before_initialised::PresentBeforeInitialised;
pub(crate) use recycled_id::RecycledId;
pub(crate) use registers_twice::RegistersTwice;
pub(crate) use slots::{
    ClaimRelaxed, ClearedOnReuse, MarkNotReread, MarkRereadTooEarly, OverflowDropped, OverflowStored, ReleaseRelaxed,
    SlowPathIncrements,
};
pub(crate) use stored_by_two::StoredByTwo;
