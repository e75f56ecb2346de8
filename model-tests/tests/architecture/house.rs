//! The house as it is meant to be, and as it is found.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::tree::Crate;

/// The package of scenarios, engines and studies.
pub(crate) const SUITE: &str = "countersign-models";

/// The suite's rooms: each top-level module of its library, and the rooms it may use.
pub(crate) const ROOMS: &[Room] = &[
    Room { name: "report", may_use: &["study", "failure", "scenario", "subject", "engine", "verdict"] },
    Room { name: "study", may_use: &["failure", "scenario", "subject", "engine", "verdict"] },
    Room { name: "failure", may_use: &["scenario", "subject", "engine", "verdict"] },
    Room { name: "scenario", may_use: &["subject", "engine", "verdict"] },
    Room { name: "subject", may_use: &["engine", "verdict"] },
    Room { name: "engine", may_use: &["verdict"] },
    Room { name: "verdict", may_use: &[] },
];

/// The module of the suite's binary that its library must not know.
pub(crate) const COMMAND_LINE: &str = "cli";

/// The package that stands alone: it explores programs, and knows nothing of counters.
pub(crate) const EXPLORER: Alone = Alone {
    package: "countersign-graph",
    without: &["loom", "shuttle", "clap"],
    never_says: &["countersign_models", "countersign-models", "countersign::"],
};

/// The most child modules that a module has.
pub(crate) const MOST_CHILDREN: usize = 9;

/// A top-level module and what it may use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room {
    pub(crate) name: &'static str,
    pub(crate) may_use: &'static [&'static str],
}

/// A package that uses no other of the workspace.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Alone {
    pub(crate) package: &'static str,
    /// The packages that it must not be built with, directly or not.
    pub(crate) without: &'static [&'static str],
    /// The words that its sources, comments and documentation must not have.
    pub(crate) never_says: &'static [&'static str],
}

/// What the workspace is found to be.
#[derive(Debug)]
pub(crate) struct House {
    pub(crate) packages: Vec<Package>,
    /// Every library and binary of these packages.
    pub(crate) crates: Vec<Crate>,
}

/// A package of the workspace.
#[derive(Debug)]
pub(crate) struct Package {
    pub(crate) name: String,
    /// What its manifest names, of every kind and for every target.
    pub(crate) depends_on: BTreeSet<String>,
    /// What it is built with, directly or not; tests apart.
    pub(crate) built_with: BTreeSet<String>,
    /// The sources of all its targets, and its README.
    pub(crate) texts: Vec<(PathBuf, String)>,
}

impl House {
    /// The library of a package, or that there is none.
    pub(crate) fn library(&self, package: &str) -> Result<&Crate, String> {
        let is_it = |found: &&Crate| found.package == package && found.is_library;
        self.crates.iter().find(is_it).ok_or_else(|| {
            format!("the workspace has no library of a package `{package}`: if it was renamed, rename it in house.rs")
        })
    }

    /// A package, or that there is none.
    pub(crate) fn package(&self, name: &str) -> Result<&Package, String> {
        self.packages
            .iter()
            .find(|found| found.name == name)
            .ok_or_else(|| format!("the workspace has no package `{name}`: if it was renamed, rename it in house.rs"))
    }
}
