//! The audit: programs whose answers are known, run on every engine, to know what an engine's verdict is worth.
//!
//! Each program comes with what the memory model allows it to show (RC11: C11 as repaired by Lahav et al., PLDI 2017,
//! without load buffering), written down by hand from the literature, and with what interleavings alone can show. An
//! engine that enumerates must show exactly that, one that samples nothing else, unless a difference is *pinned*: then
//! it must show exactly that difference. So nobody has to remember what an engine cannot see, and an upgrade that
//! changes it is noticed.
//!
//! The graph engine, on whose verdict the suite rests, has no pin.

mod children;
mod entry;
mod programs;
mod table;

pub use children::{entries_of, rows_of_child};
pub use entry::{Answer, Entry, Expectation, Pin, Row, answers};
pub use table::entries;
