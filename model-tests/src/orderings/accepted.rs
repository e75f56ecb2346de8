//! Read-modify-writes and orderings that no claim is about.

use crate::engine::rewriting::{Instead, Role, Site};

/// What survives, and is meant to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// The file in which it is written.
    pub file: &'static str,
    /// The operation.
    pub role: Role,
    /// What survives in its place.
    pub instead: Instead,
    /// Why it is written nevertheless.
    pub why: &'static str,
}

/// All of them.
pub const ACCEPTED: &[Accepted] = &[Accepted {
    file: "src/layout/sharded.rs",
    role: Role::FetchAdd,
    instead: Instead::LoadThenStore,
    why: "counts are right in any shard; that threads get different ones is for speed, which no claim is about",
}];

impl Accepted {
    pub(super) fn of(site: &Site, instead: Instead) -> Option<&'static Self> {
        ACCEPTED.iter().find(|accepted| {
            site.file.ends_with(accepted.file) && accepted.role == site.role && accepted.instead == instead
        })
    }
}
