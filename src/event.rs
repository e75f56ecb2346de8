//! What is recorded.

/// What is counted in a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    /// A block was allocated.
    Alloc,
    /// A block was freed.
    Free,
}
