//! The bodies of the fuzz targets: each takes bytes, and panics if its property does not hold.
//!
//! libFuzzer calls them from `fuzz/fuzz_targets`, on nightly with sanitizers or on stable without. `cargo test` calls the
//! same functions on the committed corpora and on random bytes. In each module the property comes first, and what an
//! input is after it.

#![deny(missing_docs, unsafe_op_in_unsafe_fn)]

pub mod litmus_parse;
pub mod profile_ops;
pub mod runtime_table;
pub mod size_class_edges;

/// A body: takes bytes, and panics if its property does not hold.
pub type Body = fn(&[u8]);

/// The bodies, by the names of their targets.
pub const BODIES: [(&str, Body); 4] = [
    ("litmus_parse", litmus_parse::run),
    ("profile_ops", profile_ops::run),
    ("runtime_table", runtime_table::run),
    ("size_class_edges", size_class_edges::run),
];
