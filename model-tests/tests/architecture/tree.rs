//! A crate's source files, by following its `mod` declarations.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use syn::{Expr, ExprLit, Item, ItemMod, Lit, Meta};

use crate::attributes;
use crate::mentions::{self, How, Mention};
use crate::names::{self, Binding};

/// Where a file's text comes from. Paths are relative to the workspace.
pub(crate) type Sources<'a> = &'a dyn Fn(&Path) -> Option<String>;

/// A library or a binary.
#[derive(Debug)]
pub(crate) struct Crate {
    pub(crate) package: String,
    pub(crate) is_library: bool,
    pub(crate) files: Vec<PathBuf>,
    /// The root is the first.
    pub(crate) modules: Vec<Module>,
    pub(crate) mentions: Vec<Mention>,
    /// What could not be read, and so was not checked.
    pub(crate) unread: Vec<String>,
}

/// A module, in a file of its own or inside its parent's.
#[derive(Debug)]
pub(crate) struct Module {
    pub(crate) name: String,
    pub(crate) parent: Option<usize>,
    pub(crate) children: Vec<usize>,
    /// An index into the files.
    pub(crate) file: usize,
    /// A name may be one of a type, of a value and of a macro.
    pub(crate) names: BTreeMap<String, Vec<Binding>>,
    /// What is imported or re-exported with `*`.
    pub(crate) globs: Vec<Vec<String>>,
    /// Whether a macro is invoked where items stand: it may define any name.
    pub(crate) has_unknown_names: bool,
}

impl Crate {
    /// Reads the crate whose root is this file.
    pub(crate) fn read(package: &str, is_library: bool, root: &Path, sources: Sources<'_>) -> Self {
        let (files, modules, mentions, unread) = Default::default();
        let mut reader =
            Reader { sources, read: Self { package: package.into(), is_library, files, modules, mentions, unread } };
        reader.file(root, &parent(root), "crate", None);
        reader.read
    }

    /// `library` or `binary` and the package, for messages.
    pub(crate) fn name(&self) -> String {
        format!("the {} of {}", if self.is_library { "library" } else { "binary" }, self.package)
    }

    /// The module's path from the root, such as `crate::layout`.
    pub(crate) fn path_of(&self, module: usize) -> String {
        match self.modules[module].parent {
            Some(parent) => format!("{}::{}", self.path_of(parent), self.modules[module].name),
            None => self.modules[module].name.clone(),
        }
    }

    /// The module that a file is.
    pub(crate) fn module_of(&self, file: usize) -> usize {
        self.modules.iter().position(|module| module.file == file).expect("a file is read for a module")
    }

    /// A line of a file, as it is written in a message.
    pub(crate) fn at(&self, file: usize, line: usize) -> String {
        format!("{}:{line}", self.files[file].display())
    }
}

struct Reader<'a> {
    sources: Sources<'a>,
    read: Crate,
}

impl Reader<'_> {
    /// Reads a file and the modules it declares, whose own files are in the folder `children`.
    fn file(&mut self, path: &Path, children: &Path, name: &str, parent: Option<usize>) {
        let Some(text) = (self.sources)(path) else {
            return self.read.unread.push(format!("{}: there is no such file", path.display()));
        };
        match syn::parse_file(&text) {
            Ok(parsed) if attributes::leave_out(&parsed.attrs) => {}
            Ok(parsed) => {
                self.read.files.push(path.into());
                let module = self.module(name, parent, self.read.files.len() - 1);
                self.items(parsed.items, module, children);
            }
            Err(error) => self.read.unread.push(format!("{}:{}: {error}", path.display(), error.span().start().line)),
        }
    }

    fn module(&mut self, name: &str, parent: Option<usize>, file: usize) -> usize {
        let module = self.read.modules.len();
        let (children, names, globs) = Default::default();
        self.read.modules.push(Module {
            name: name.into(),
            parent,
            children,
            file,
            names,
            globs,
            has_unknown_names: false,
        });
        if let Some(parent) = parent {
            self.read.modules[parent].children.push(module);
            self.bind(parent, name.into(), Binding::Module(module));
        }
        module
    }

    fn items(&mut self, items: Vec<Item>, module: usize, children: &Path) {
        for item in items.into_iter().filter(|item| !attributes::leave_out(attributes::of(item))) {
            match item {
                Item::Mod(item) => self.child(item, module, children),
                Item::Use(item) => {
                    let is_public = names::is_public(&item.vis);
                    for leaf in names::leaves(&item) {
                        let how = match &leaf.name {
                            _ if is_public => How::Reexport,
                            Some(_) => How::Import,
                            None => How::Glob,
                        };
                        match leaf.name {
                            Some(name) => self.bind(module, name, Binding::Import(leaf.path.clone())),
                            None => self.read.modules[module].globs.push(leaf.path.clone()),
                        }
                        self.read.mentions.push(Mention { module, line: leaf.line, path: leaf.path, how });
                    }
                }
                item => {
                    let file = self.read.modules[module].file;
                    self.read.modules[module].has_unknown_names |= names::are_unknown(&item);
                    for name in names::defined(&item) {
                        self.bind(module, name.clone(), Binding::Item { file, is_macro: names::is_macro(&item) });
                        if names::is_exported_macro(&item) {
                            self.bind(0, name, Binding::Item { file, is_macro: true });
                        }
                    }
                    mentions::collect(&item, module, &mut self.read.mentions);
                }
            }
        }
    }

    fn child(&mut self, item: ItemMod, parent: usize, folder: &Path) {
        let name = names::plain(&item.ident);
        let own_folder = folder.join(&name);
        if let Some((_, items)) = item.content {
            let module = self.module(&name, Some(parent), self.read.modules[parent].file);
            return self.items(items, module, &own_folder);
        }
        if let Some(path) = path_attribute(&item) {
            let file = &self.read.files[self.read.modules[parent].file];
            let path = without_dots(&file.with_file_name(path));
            return self.file(&path, &self::parent(&path), &name, Some(parent));
        }
        let nested = own_folder.join("mod.rs");
        let path = if (self.sources)(&nested).is_some() { nested } else { folder.join(format!("{name}.rs")) };
        self.file(&path, &own_folder, &name, Some(parent));
    }

    fn bind(&mut self, module: usize, name: String, binding: Binding) {
        self.read.modules[module].names.entry(name).or_default().push(binding);
    }
}

/// The value of `#[path = "..."]`.
fn path_attribute(item: &ItemMod) -> Option<String> {
    item.attrs.iter().find_map(|attribute| match &attribute.meta {
        Meta::NameValue(meta) if meta.path.is_ident("path") => match &meta.value {
            Expr::Lit(ExprLit { lit: Lit::Str(path), .. }) => Some(path.value()),
            _ => None,
        },
        _ => None,
    })
}

fn parent(file: &Path) -> PathBuf {
    file.parent().unwrap_or(Path::new("")).into()
}

/// The same path without `..`.
fn without_dots(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut plain, component| {
        if component == Component::ParentDir {
            plain.pop();
        } else {
            plain.push(component);
        }
        plain
    })
}
