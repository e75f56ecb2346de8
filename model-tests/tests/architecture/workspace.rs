//! The workspace on disk, as Cargo sees it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, NodeDep, PackageId, TargetKind};

use crate::house::{House, Package};
use crate::tree::Crate;

/// Reads the workspace of this package.
pub(crate) fn read() -> House {
    let metadata = metadata();
    let root = metadata.workspace_root.as_std_path();
    let sources = |path: &Path| fs::read_to_string(root.join(path)).ok();
    let mut house = House { packages: Vec::new(), crates: Vec::new() };
    for package in metadata.workspace_packages() {
        for target in &package.targets {
            let is_library = target.kind.contains(&TargetKind::Lib);
            if is_library || target.kind.contains(&TargetKind::Bin) {
                let file = target.src_path.as_std_path().strip_prefix(root).expect("a member is inside the workspace");
                house.crates.push(Crate::read(&package.name, is_library, file, &sources));
            }
        }
        house.packages.push(Package {
            name: package.name.to_string(),
            depends_on: package.dependencies.iter().map(|dependency| dependency.name.clone()).collect(),
            built_with: built_with(&metadata, &package.id),
            texts: texts(package.manifest_path.parent().expect("a manifest is in a folder").as_std_path(), root),
        });
    }
    house
}

/// For this machine only, so that Cargo need not download what other targets depend on.
fn metadata() -> Metadata {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("-vV").output().expect("rustc says its version");
    let version = String::from_utf8(output.stdout).expect("rustc's version is text");
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).expect("rustc says its host");
    let mut command = MetadataCommand::new();
    command.manifest_path(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"));
    command.other_options(["--locked", "--filter-platform", host].map(String::from));
    command.exec().unwrap_or_else(|error| panic!("the workspace cannot be read: {error}"))
}

/// The packages that one is built with, through dependencies that are not for tests alone.
fn built_with(metadata: &Metadata, package: &PackageId) -> BTreeSet<String> {
    let nodes = &metadata.resolve.as_ref().expect("dependencies were asked for").nodes;
    let dependencies: BTreeMap<_, _> = nodes.iter().map(|node| (&node.id, &node.deps)).collect();
    let is_built = |dependency: &&NodeDep| {
        dependency.dep_kinds.iter().any(|kind| matches!(kind.kind, DependencyKind::Normal | DependencyKind::Build))
    };
    let mut found = BTreeSet::new();
    let mut next = vec![package];
    while let Some(package) = next.pop() {
        let built = dependencies[package].iter().filter(is_built).map(|dependency| &dependency.pkg);
        next.extend(built.filter(|package| found.insert(*package)));
    }
    found.into_iter().map(|id| metadata[id].name.to_string()).collect()
}

/// The sources and the README below a package's folder, other packages' apart; paths are relative to the workspace.
fn texts(folder: &Path, root: &Path) -> Vec<(PathBuf, String)> {
    let mut texts = Vec::new();
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{} cannot be read: {error}", folder.display()));
    for entry in entries {
        let path = entry.unwrap_or_else(|error| panic!("{} cannot be read: {error}", folder.display())).path();
        if path.is_dir() && !path.join("Cargo.toml").exists() && !path.ends_with("target") {
            texts.extend(self::texts(&path, root));
        } else if path.extension().is_some_and(|extension| extension == "rs") || path.ends_with("README.md") {
            let text = fs::read_to_string(&path);
            let text = text.unwrap_or_else(|error| panic!("{} cannot be read: {error}", path.display()));
            texts.push((path.strip_prefix(root).expect("it is inside the workspace").into(), text));
        }
    }
    texts.sort();
    texts
}
