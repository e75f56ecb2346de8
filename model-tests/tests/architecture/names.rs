//! The names that a module has: of its items, of its modules, and those it imports.

use proc_macro2::Ident;
use syn::ext::IdentExt;
use syn::{ForeignItem, Item, ItemUse, UseTree, Visibility};

/// What a name stands for.
#[derive(Clone, Debug)]
pub(crate) enum Binding {
    /// A module of the crate.
    Module(usize),
    /// An item that this file defines.
    Item { file: usize, is_macro: bool },
    /// What the path stands for. An absolute path begins with an empty segment.
    Import(Vec<String>),
}

/// One path of a `use` declaration.
#[derive(Debug)]
pub(crate) struct Leaf {
    pub(crate) path: Vec<String>,
    /// The name it gets; none for `*`.
    pub(crate) name: Option<String>,
    pub(crate) line: usize,
}

/// The paths of a `use` declaration.
pub(crate) fn leaves(item: &ItemUse) -> Vec<Leaf> {
    let absolute = item.leading_colon.map(|_| String::new());
    let mut leaves = Vec::new();
    add_leaves(&item.tree, &absolute.into_iter().collect(), &mut leaves);
    leaves
}

/// See [`leaves`]; `prefix` is what stands before the tree.
pub(crate) fn add_leaves(tree: &UseTree, prefix: &Vec<String>, leaves: &mut Vec<Leaf>) {
    let mut add = |ident: &Ident, name: Option<&Ident>| {
        let mut path = prefix.clone();
        // In `a::{self}` the word stands for `a`; at the front it is the module itself.
        if ident != "self" || path.is_empty() {
            path.push(plain(ident));
        }
        let name = name.map(plain).or_else(|| path.last().cloned());
        leaves.push(Leaf { path, name, line: ident.span().start().line });
    };
    match tree {
        UseTree::Path(tree) => {
            let path = prefix.iter().cloned().chain([plain(&tree.ident)]).collect();
            add_leaves(&tree.tree, &path, leaves);
        }
        UseTree::Name(tree) => add(&tree.ident, None),
        UseTree::Rename(tree) => add(&tree.ident, Some(&tree.rename)),
        UseTree::Glob(tree) => {
            leaves.push(Leaf { path: prefix.clone(), name: None, line: tree.star_token.span.start().line });
        }
        UseTree::Group(tree) => tree.items.iter().for_each(|tree| add_leaves(tree, prefix, leaves)),
    }
}

/// The names that an item defines in its module.
pub(crate) fn defined(item: &Item) -> Vec<String> {
    let ident = match item {
        Item::Const(item) => Some(&item.ident),
        Item::Enum(item) => Some(&item.ident),
        Item::Fn(item) => Some(&item.sig.ident),
        Item::Macro(item) => item.ident.as_ref(),
        Item::Static(item) => Some(&item.ident),
        Item::Struct(item) => Some(&item.ident),
        Item::Trait(item) => Some(&item.ident),
        Item::TraitAlias(item) => Some(&item.ident),
        Item::Type(item) => Some(&item.ident),
        Item::Union(item) => Some(&item.ident),
        Item::ForeignMod(item) => return item.items.iter().filter_map(foreign).map(plain).collect(),
        _ => None,
    };
    ident.map(plain).into_iter().collect()
}

/// Whether the item is an invocation of a macro, which may define any name.
pub(crate) fn are_unknown(item: &Item) -> bool {
    matches!(item, Item::Macro(item) if item.ident.is_none())
}

/// Whether the item is a `macro_rules!`.
pub(crate) fn is_macro(item: &Item) -> bool {
    matches!(item, Item::Macro(item) if item.ident.is_some())
}

/// Whether the item is a `macro_rules!` that has its name in the crate's root.
pub(crate) fn is_exported_macro(item: &Item) -> bool {
    matches!(item, Item::Macro(item) if item.attrs.iter().any(|attribute| attribute.path().is_ident("macro_export")))
}

/// Whether a `use` with this visibility gives a name to other modules.
pub(crate) fn is_public(visibility: &Visibility) -> bool {
    match visibility {
        Visibility::Public(_) => true,
        Visibility::Restricted(visibility) => !visibility.path.is_ident("self"),
        Visibility::Inherited => false,
    }
}

/// The identifier without `r#`.
pub(crate) fn plain(ident: &Ident) -> String {
    ident.unraw().to_string()
}

fn foreign(item: &ForeignItem) -> Option<&Ident> {
    match item {
        ForeignItem::Fn(item) => Some(&item.sig.ident),
        ForeignItem::Static(item) => Some(&item.ident),
        ForeignItem::Type(item) => Some(&item.ident),
        _ => None,
    }
}
