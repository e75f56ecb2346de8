//! Execution graphs: what one is, which of them the memory model allows, and how all of them are gone through. Nothing here
//! knows of running programs.

pub(crate) mod clocks;
pub(crate) mod event;
pub(crate) mod execution_graph;
pub(crate) mod explore;
pub(crate) mod psc;
pub(crate) mod relations;
