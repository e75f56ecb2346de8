//! Whether each ordering of a layout is needed: every scenario, with one of them weakened at a time.
//!
//! Every operation knows the line of source it is written in, so "can this be Relaxed?" is a question that can be put to the
//! suite: the operation is [done otherwise](crate::engine::wrap::rewriting), every scenario is explored, and a claim breaks, or none
//! does. A read-modify-write is also tried as a load and then a store. Who does the judging is the graph engine, which
//! knows every execution and sees none that cannot happen. Only operations that some scenario reaches are known.
//!
//! What survives is either stronger than it need be, or there is a scenario missing, or no claim is about it: these last are
//! [named](ACCEPTED), with the reason.

mod accepted;
mod job;
mod ordering_audit;
mod source;
#[cfg(test)]
mod tests;

pub use accepted::{ACCEPTED, Accepted};
pub use job::Kill;
pub use ordering_audit::{AuditedSite, Fate, OrderingAudit, orderings};
