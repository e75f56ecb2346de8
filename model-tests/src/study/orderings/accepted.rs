//! Read-modify-writes and orderings that no claim is about.

use super::source::Source;
use crate::engine::wrap::rewriting::{Instead, Site};

/// What survives, and is meant to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// The file in which it is written.
    pub file: &'static str,
    /// The operation, as it is written there.
    pub text: &'static str,
    /// What survives in its place.
    pub instead: Instead,
    /// Why it is written nevertheless.
    pub why: &'static str,
}

/// All of them.
pub const ACCEPTED: &[Accepted] = &[Accepted {
    file: "src/layout/sharded.rs",
    text: "let turn = self.registered.fetch_add(1, Relaxed);",
    instead: Instead::LoadThenStore,
    why: "counts are right in any shard; that threads get different ones is for speed, which no claim is about",
}];

impl Accepted {
    pub(super) fn of(site: &Site, instead: Instead) -> Option<&'static Self> {
        ACCEPTED.iter().find(|accepted| {
            let is_it = |source: Source| source.line().trim() == accepted.text;
            site.file.ends_with(accepted.file) && accepted.instead == instead && Source::of(site).is_some_and(is_it)
        })
    }
}
