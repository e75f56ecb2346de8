//! What engines have around the libraries that they are made of: a place where a program may fail without harm, a record of
//! what its threads did, primitives that can be rewritten, and the count of executions.

pub(crate) mod containment;
pub(crate) mod erased;
pub(crate) mod instrumented;
pub(crate) mod record;
pub mod rewriting;
mod sources;
pub(crate) mod tally;
pub(crate) mod unwindable;

pub use instrumented::{Instrumented, InstrumentedAtomic, live_atomics};
pub use record::primitives::{Recorded, RecordedGuard, RecordedMutex};
pub use unwindable::{Unwindable, UnwindableGuard, UnwindableMutex};
