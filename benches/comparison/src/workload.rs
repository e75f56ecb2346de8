//! What the workers of a run do, and for how long.

pub(crate) mod clock;
#[path = "../../../examples/profile/orders.rs"]
pub(crate) mod orders;
pub(crate) mod sizes;
pub(crate) mod switch;
