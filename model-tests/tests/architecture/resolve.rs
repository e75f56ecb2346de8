//! From a path to the file that defines what it names, through every re-export on the way.

use std::collections::BTreeSet;

use crate::mentions::{How, Mention};
use crate::names::Binding;
use crate::tree::Crate;

/// A file's code names what another file defines.
#[derive(Clone, Debug)]
pub(crate) struct Use {
    pub(crate) from: usize,
    pub(crate) line: usize,
    /// The path as it is written.
    pub(crate) path: String,
    pub(crate) to: usize,
}

/// What a path leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Target {
    Module(usize),
    /// An item of this file, or something inside it.
    Item {
        file: usize,
        is_macro: bool,
    },
    /// Another crate, the language, or a name that no declaration shows, such as a variable's.
    Elsewhere,
}

/// The imports that are being followed: module, name and position.
type Followed = BTreeSet<(usize, String, usize)>;

impl Crate {
    /// What each file uses of the other files, each path once and what was imported only there; and a message for each
    /// path of this crate that leads nowhere.
    ///
    /// That a file re-exports something is no use of it, and neither is that it imports a module: what is used of that
    /// module is.
    pub(crate) fn uses(&self) -> (Vec<Use>, Vec<String>) {
        let (mut uses, mut lost) = (Vec::new(), Vec::new());
        let (mut imported, mut seen) = (BTreeSet::new(), BTreeSet::new());
        for mention in &self.mentions {
            let from = self.modules[mention.module].file;
            let path = mention.path.join("::");
            match self.resolve(mention.module, &mention.path, &mut Followed::new()) {
                Ok(targets) => {
                    for to in self.used_files(mention, &targets).into_iter().filter(|to| *to != from) {
                        if mention.how == How::Import {
                            imported.insert((from, to, mention.path.last()));
                        }
                        let is_imported = imported.contains(&(from, to, mention.path.first()));
                        if seen.insert((from, to, path.clone())) && !is_imported {
                            uses.push(Use { from, line: mention.line, path: path.clone(), to });
                        }
                    }
                }
                Err(reason) if mention.how != How::Words || is_of_this_crate(&mention.path[0]) => {
                    lost.push(format!("{}: `{path}`: {reason}", self.at(from, mention.line)));
                }
                Err(_) => {}
            }
        }
        (uses, lost)
    }

    fn used_files(&self, mention: &Mention, targets: &BTreeSet<Target>) -> BTreeSet<usize> {
        let items = |wanted: &[bool]| {
            let file = |target: &Target| match target {
                Target::Item { file, is_macro } => wanted.contains(is_macro).then_some(*file),
                _ => None,
            };
            targets.iter().filter_map(file).collect::<BTreeSet<_>>()
        };
        let modules =
            || targets.iter().filter_map(|target| if let Target::Module(id) = target { Some(*id) } else { None });
        match mention.how {
            How::Reexport => BTreeSet::new(),
            // Of a module and an item of one name, the item is used where the code says so.
            How::Import if modules().next().is_some() => BTreeSet::new(),
            How::Import => items(&[false, true]),
            How::Glob => {
                items(&[false]).into_iter().chain(modules().filter_map(|module| self.file_with_items(module))).collect()
            }
            How::Code | How::Words => items(&[false]),
            How::Macro if items(&[true]).is_empty() && mention.path.len() == 1 => {
                self.macro_above(mention.module, &mention.path[0]).into_iter().collect()
            }
            How::Macro => items(&[true]),
        }
    }

    /// What a path leads to from inside a module, or why it leads nowhere.
    fn resolve(&self, module: usize, path: &[String], followed: &mut Followed) -> Result<BTreeSet<Target>, String> {
        let (first, rest) = path.split_first().expect("a path has a segment");
        let mut targets = match &**first {
            "" => BTreeSet::from([Target::Elsewhere]),
            "crate" => BTreeSet::from([Target::Module(0)]),
            "self" => BTreeSet::from([Target::Module(module)]),
            "super" => BTreeSet::from([Target::Module(self.above(module)?)]),
            name => self.lookup(module, name, followed),
        };
        if targets.is_empty() {
            targets.insert(Target::Elsewhere);
        }
        for segment in rest {
            // Behind an item only its own parts come.
            if targets.iter().any(|target| matches!(target, Target::Module(_))) {
                targets = self.inside(&targets, segment, followed)?;
            }
        }
        Ok(targets)
    }

    /// What a name leads to inside some modules.
    fn inside(
        &self,
        targets: &BTreeSet<Target>,
        name: &str,
        followed: &mut Followed,
    ) -> Result<BTreeSet<Target>, String> {
        let (mut found, mut at) = (BTreeSet::new(), 0);
        for target in targets {
            match *target {
                Target::Module(module) if name == "super" => {
                    found.insert(Target::Module(self.above(module)?));
                }
                Target::Module(module) => {
                    at = module;
                    let mut named = self.lookup(module, name, followed);
                    if named.is_empty() {
                        named = self.behind_unknown_names(module, followed);
                    }
                    found.extend(named);
                }
                Target::Elsewhere => {
                    found.insert(Target::Elsewhere);
                }
                // An item of the same name as the module.
                Target::Item { .. } => {}
            }
        }
        if found.is_empty() && !followed.is_empty() {
            // On the way of an import that leads back to itself: another of the same name is the one that is meant.
            return Ok(BTreeSet::from([Target::Elsewhere]));
        }
        if found.is_empty() { Err(format!("`{}` has no `{name}`", self.path_of(at))) } else { Ok(found) }
    }

    /// What a name stands for in a module: its own names, or else those that a `*` brings.
    fn lookup(&self, module: usize, name: &str, followed: &mut Followed) -> BTreeSet<Target> {
        let Some(bindings) = self.modules[module].names.get(name) else {
            return self.lookup_in_globs(module, name, followed);
        };
        let mut found = BTreeSet::new();
        for (position, binding) in bindings.iter().enumerate() {
            match binding {
                Binding::Module(module) => {
                    found.insert(Target::Module(*module));
                }
                Binding::Item { file, is_macro } => {
                    found.insert(Target::Item { file: *file, is_macro: *is_macro });
                }
                Binding::Import(path) => {
                    found.extend(self.follow(module, (module, name.into(), position), path, followed));
                }
            }
        }
        found
    }

    fn lookup_in_globs(&self, module: usize, name: &str, followed: &mut Followed) -> BTreeSet<Target> {
        let mut found = BTreeSet::new();
        for (position, path) in self.modules[module].globs.iter().enumerate() {
            let step = (module, format!("{name} of *"), position);
            if followed.insert(step.clone()) {
                for target in self.resolve(module, path, followed).unwrap_or_default() {
                    if let Target::Module(module) = target {
                        found.extend(self.lookup(module, name, followed));
                    }
                }
                followed.remove(&step);
            }
        }
        found
    }

    /// Follows an import, unless that is being done already.
    fn follow(
        &self,
        module: usize,
        step: (usize, String, usize),
        path: &[String],
        followed: &mut Followed,
    ) -> BTreeSet<Target> {
        if !followed.insert(step.clone()) {
            return BTreeSet::new();
        }
        // An import that leads nowhere is reported where it is written.
        let found = self.resolve(module, path, followed).unwrap_or_else(|_| BTreeSet::from([Target::Elsewhere]));
        followed.remove(&step);
        found
    }

    /// Where a name may come from that no declaration in a module shows: a macro, an enum's `*` or another crate's.
    fn behind_unknown_names(&self, module: usize, followed: &mut Followed) -> BTreeSet<Target> {
        let mut found = BTreeSet::new();
        if self.modules[module].has_unknown_names {
            found.insert(Target::Item { file: self.modules[module].file, is_macro: false });
        }
        for path in &self.modules[module].globs {
            let targets = self.resolve(module, path, followed).unwrap_or_default();
            found.extend(targets.into_iter().filter(|target| !matches!(target, Target::Module(_))));
        }
        found
    }

    /// A module's file, unless the module only declares and re-exports.
    fn file_with_items(&self, module: usize) -> Option<usize> {
        let module = &self.modules[module];
        let is_item = |binding: &Binding| matches!(binding, Binding::Item { .. });
        (module.has_unknown_names || module.names.values().flatten().any(is_item)).then_some(module.file)
    }

    /// The file of a macro that a module around this one defines: such a name reaches inwards.
    fn macro_above(&self, module: usize, name: &str) -> Option<usize> {
        let above = self.modules[module].parent?;
        let own = self.modules[above].names.get(name).into_iter().flatten().find_map(|binding| match binding {
            Binding::Item { file, is_macro: true } => Some(*file),
            _ => None,
        });
        own.or_else(|| self.macro_above(above, name))
    }

    fn above(&self, module: usize) -> Result<usize, String> {
        self.modules[module].parent.ok_or_else(|| "the root has no module above it".into())
    }
}

/// Whether a path that begins so is one of this crate, whatever the names in scope.
fn is_of_this_crate(first: &str) -> bool {
    matches!(first, "crate" | "self" | "super")
}
