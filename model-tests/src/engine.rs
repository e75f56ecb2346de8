//! The engines: what runs a scenario, and how it explores the ways the threads can interleave.
//!
//! An engine supplies [`Primitives`](countersign::Primitives) and [`Locks`](countersign::Locks), so that a layout's own source
//! runs on it, and adds what a scenario needs: threads, and an exploration of a program's executions. The engines are types of
//! this crate, so the core never names one.
//!
//! ```text
//!   dispatch ──▶ graph ───────────────▶ countersign-graph
//!            ──▶ loom ──┐
//!            ──▶ shuttle├──▶ wrap: what any engine's library needs around it
//!            ──▶ std ───┘
//! ```

mod dispatch;
mod graph;
mod interface;
mod loom;
mod name;
mod shuttle;
mod std;
pub mod wrap;

pub use self::dispatch::{explore, install_hooks, replay};
pub use self::graph::{Graph, GraphAtomic, GraphGuard, GraphJoinHandle, GraphMutex, complete, search};
pub use self::interface::{Budget, Engine, JoinHandle, Program, Replay};
pub use self::loom::{Loom, LoomAtomic, LoomJoinHandle, LoomMutex, REFUSED};
pub use self::name::{EngineName, PerEngine};
pub use self::shuttle::{Dfs, Pct, Random, Shuttle, ShuttleAtomic, ShuttleJoinHandle, ShuttleMutex, Strategy};
pub use self::std::{RealJoinHandle, RealThreads};
pub use countersign_graph::ReplayError;
