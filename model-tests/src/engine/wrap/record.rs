//! What the threads of an execution did, written down as they do it, and the primitives that do so.

mod log;
pub(crate) mod primitives;

pub(crate) use self::log::{LOCK, Record, Turn, UNLOCK, add, apart, begin, end, enter, enter_apart, make_place};
pub(crate) use self::primitives::{Recorded, RecordedMutex};
pub(crate) use super::sources::Memory;
