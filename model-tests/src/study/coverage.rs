//! Whether an engine that claims to be exhaustive is: its outcomes against those of the graph engine.
//!
//! The reference is what the memory model allows: all execution graphs for an engine that knows weak memory (loom, and
//! real threads, which on machines without load buffering do less but never more), and the sequentially consistent ones
//! for shuttle. An engine whose verdict is exhaustive must reach every outcome of the reference; no engine may reach
//! another. Where a claim fails in the reference, as of a mutant, it must fail on the engine too.
//!
//! Where the cause of a difference is known it is [named](Known). A false alarm is then no failure. A lack is one all the
//! same, since it makes a green verdict an empty one, unless it is known of a mutant, about which nobody wants such a
//! verdict.

mod comparison;
mod judged;
mod known;

pub use comparison::{Comparison, cells, execution, reference};
pub use judged::{Judged, Judgement, Reached, Row, cause, compare, gone};
pub use known::{Difference, KNOWN, Known};
