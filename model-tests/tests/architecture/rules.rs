//! The rules for one crate. Each gives a message for every fault it finds.

use std::collections::BTreeMap;

use crate::circles::{self, Edges};
use crate::house::Room;
use crate::resolve::Use;
use crate::tree::Crate;

/// Everything that the rules are about was read and understood.
pub(crate) fn nothing_unread(found: &Crate) -> Vec<String> {
    let lost = found.uses().1.into_iter().map(|message| {
        format!("{message}. This test cannot follow the path, and would miss what it uses: write a path it can follow")
    });
    let unread = found.unread.iter().map(|message| {
        format!("{message}. This test cannot read the file, and would miss what it uses: make it one that it can read")
    });
    unread.chain(lost).collect()
}

/// No circle among the files of a crate.
pub(crate) fn no_circle_of_files(found: &Crate) -> Vec<String> {
    let uses = found.uses().0;
    let ends = |used: &Use| (used.from, used.to);
    let show = |file: usize| found.files[file].display().to_string();
    let remedy = "move what both sides need into a file that uses neither";
    circles_among(found, &uses, &ends, &show, "no circle among the files of a crate", remedy)
}

/// No circle among the children of a module: what is inside them counts as theirs.
pub(crate) fn no_circle_of_siblings(found: &Crate) -> Vec<String> {
    let uses = found.uses().0;
    let mut faults = Vec::new();
    for parent in 0..found.modules.len() {
        let below = |used: &Use| {
            let ends = [used.from, used.to].map(|file| child_with(found, parent, found.module_of(file)));
            Some((ends[0]?, ends[1]?)).filter(|(from, to)| from != to)
        };
        let inner: Vec<Use> = uses.iter().filter(|used| below(used).is_some()).cloned().collect();
        let ends = |used: &Use| below(used).expect("only such uses are left");
        let show = |module: usize| format!("`{}`", found.path_of(module));
        let rule = "no circle among the modules of one module";
        let remedy =
            "move the item to the module that is used, or what both sides need into a module that uses neither";
        faults.extend(circles_among(found, &inner, &ends, &show, rule, remedy));
    }
    faults
}

/// A library that does not know the command line.
pub(crate) fn no_command_line(found: &Crate, name: &str) -> Vec<String> {
    let rule = format!("{} never uses `{name}`", found.name());
    let modules = found.modules.iter().filter(|module| module.name == name).map(|module| {
        let file = found.files[module.file].display();
        format!("{file}: a module `{name}` (rule: {rule}): declare it in the binary")
    });
    let says = |path: &[String]| path.len() > 1 && path.iter().any(|segment| segment == name);
    let mentions = found.mentions.iter().filter(|mention| says(&mention.path)).map(|mention| {
        let at = found.at(found.modules[mention.module].file, mention.line);
        let path = mention.path.join("::");
        format!("{at}: `{path}` (rule: {rule}): move what the library needs out of `{name}`, or its user into `{name}`")
    });
    modules.chain(mentions).collect()
}

/// A top-level module for each room and a room for each module, and each uses only the rooms it may.
pub(crate) fn rooms(found: &Crate, rooms: &[Room]) -> Vec<String> {
    let rule = format!("the rooms of {}", found.name());
    let children: BTreeMap<usize, &str> =
        found.modules[0].children.iter().map(|child| (*child, &*found.modules[*child].name)).collect();
    let room = |name: &str| rooms.iter().find(|room| room.name == name);
    let root = found.files[0].display();
    let missing = rooms.iter().filter(|room| !children.values().any(|child| *child == room.name));
    let mut faults: Vec<String> = missing
        .map(|room| {
            format!("{root}: no module `{}` (rule: {rule}): declare it, or take the room out of house.rs", room.name)
        })
        .collect();
    faults.extend(children.iter().filter(|(_, name)| room(name).is_none()).map(|(child, name)| {
        let file = found.files[found.modules[*child].file].display();
        format!("{file}: a module `{name}` (rule: {rule}): move it into a room, or add the room to house.rs")
    }));
    for used in found.uses().0 {
        let ends = [used.from, used.to].map(|file| child_with(found, 0, found.module_of(file)));
        let [Some(from), Some(to)] = ends.map(|child| Some(children[&child?])) else { continue };
        let Some(user) = room(from).filter(|_| from != to) else { continue };
        if !user.may_use.contains(&to) {
            let may_use = user.may_use.join(", ");
            faults.push(format!(
                "{} (rule: {rule}): `{from}` may use {}, not `{to}`: move the item to a room that `{from}` may use, or its \
                 user to a room that may use `{to}`",
                line(found, &used),
                if may_use.is_empty() { "no room" } else { &may_use },
            ));
        }
    }
    faults
}

/// At most so many child modules for each module.
pub(crate) fn few_children(found: &Crate, most: usize) -> Vec<String> {
    let many = (0..found.modules.len()).filter(|module| found.modules[*module].children.len() > most);
    let message = |module: usize| {
        let names: Vec<&str> =
            found.modules[module].children.iter().map(|child| &*found.modules[*child].name).collect();
        format!(
            "{}: `{}` has {} modules: {} (rule: at most {most}): group those that belong together under one module",
            found.files[found.modules[module].file].display(),
            found.path_of(module),
            names.len(),
            names.join(", ")
        )
    };
    many.map(message).collect()
}

/// A message for each circle: a shortest one, and every use that ties its nodes.
fn circles_among(
    found: &Crate,
    uses: &[Use],
    ends: &dyn Fn(&Use) -> (usize, usize),
    show: &dyn Fn(usize) -> String,
    rule: &str,
    remedy: &str,
) -> Vec<String> {
    let edges: Edges = uses.iter().map(ends).collect();
    let mut faults = Vec::new();
    for component in circles::components(&edges) {
        let mut circle = circles::shortest_circle(&component, &edges);
        circle.push(circle[0]);
        let circle: Vec<String> = circle.into_iter().map(show).collect();
        let is_tied = |used: &&Use| component.contains(&ends(used).0) && component.contains(&ends(used).1);
        let ties: Vec<String> = uses.iter().filter(is_tied).map(|used| format!("\n  {}", line(found, used))).collect();
        faults.push(format!(
            "{} (rule: {rule}): {remedy}. In {}, {} are tied together by{}",
            circle.join(" -> "),
            found.name(),
            component.len(),
            ties.concat()
        ));
    }
    faults
}

/// A use, as it is written in a message.
fn line(found: &Crate, used: &Use) -> String {
    format!("{}: `{}`, which is of {}", found.at(used.from, used.line), used.path, found.files[used.to].display())
}

/// The child of `parent` that a module is or is inside.
fn child_with(found: &Crate, parent: usize, module: usize) -> Option<usize> {
    match found.modules[module].parent? {
        above if above == parent => Some(module),
        above => child_with(found, parent, above),
    }
}
