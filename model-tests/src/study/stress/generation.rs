//! One generation of threads: those that stay, those that come and go, and readers.

mod reader;
mod run;
mod threads;
mod worker;

pub(super) use run::{Size, run};
