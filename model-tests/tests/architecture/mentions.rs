//! Every path that a module's code mentions.

use std::collections::BTreeSet;

use syn::visit::{self, Visit};
use syn::{Attribute, Block, ImplItem, Item, ItemUse, Local, Macro, Meta, PatIdent, Stmt, TraitItem, Visibility};

use crate::{attributes, names, tokens};

/// A path somewhere in a module.
#[derive(Debug)]
pub(crate) struct Mention {
    pub(crate) module: usize,
    pub(crate) line: usize,
    pub(crate) path: Vec<String>,
    pub(crate) how: How,
}

/// In which way a path is mentioned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum How {
    /// By a `use` for this module alone.
    Import,
    /// By such a `use` with `*`.
    Glob,
    /// By a `use` for other modules, with `*` or without.
    Reexport,
    /// In a type, an expression, a pattern or a bound.
    Code,
    /// As the name of a macro that is invoked.
    Macro,
    /// Among a macro's words, where it may be anything.
    Words,
}

/// Adds what an item mentions.
pub(crate) fn collect(item: &Item, module: usize, mentions: &mut Vec<Mention>) {
    let mut variables = Variables(BTreeSet::new());
    variables.visit_item(item);
    Collector { module, mentions, variables: variables.0, scopes: Vec::new() }.visit_item(item);
}

/// The lower-case names that an item's patterns bind.
struct Variables(BTreeSet<String>);

impl Visit<'_> for Variables {
    fn visit_pat_ident(&mut self, pattern: &PatIdent) {
        let name = names::plain(&pattern.ident);
        if name.starts_with(|first: char| first.is_lowercase() || first == '_') {
            self.0.insert(name);
        }
        visit::visit_pat_ident(self, pattern);
    }
}

struct Collector<'a> {
    module: usize,
    mentions: &'a mut Vec<Mention>,
    variables: BTreeSet<String>,
    /// The names of the blocks around, the innermost last.
    scopes: Vec<Scope>,
}

/// What a block's own `use` declarations and items name.
#[derive(Default)]
struct Scope {
    imports: Vec<(String, Vec<String>)>,
    items: Vec<String>,
    globs: Vec<Vec<String>>,
}

impl Collector<'_> {
    fn mention(&mut self, mut path: Vec<String>, line: usize, how: How) {
        let (first, is_alone) = (path[0].clone(), path.len() == 1);
        let is_keyword = matches!(&*first, "self" | "super" | "crate");
        if first == "Self" || first.is_empty() || is_alone && (is_keyword || self.variables.contains(&first)) {
            return;
        }
        let module = self.module;
        for scope in self.scopes.iter().rev() {
            if scope.items.contains(&first) {
                return;
            }
            if let Some((_, import)) = scope.imports.iter().find(|(name, _)| *name == first) {
                path.splice(..1, import.iter().cloned());
                break;
            }
            for glob in &scope.globs {
                let path = glob.iter().chain(&path).cloned().collect();
                self.mentions.push(Mention { module, line, path, how: How::Words });
            }
        }
        self.mentions.push(Mention { module, line, path, how });
    }

    fn words(&mut self, words: proc_macro2::TokenStream) {
        for found in tokens::paths(words) {
            self.mention(found.path, found.line, if found.is_macro { How::Macro } else { How::Words });
        }
    }

    fn import(&mut self, item: &ItemUse, scope: &mut Scope) {
        for leaf in names::leaves(item) {
            self.mention(leaf.path.clone(), leaf.line, if leaf.name.is_some() { How::Import } else { How::Glob });
            match leaf.name {
                Some(name) => scope.imports.push((name, leaf.path)),
                None => scope.globs.push(leaf.path),
            }
        }
    }
}

impl Visit<'_> for Collector<'_> {
    fn visit_path(&mut self, path: &syn::Path) {
        if path.leading_colon.is_none() {
            let line = path.segments[0].ident.span().start().line;
            let segments = path.segments.iter().map(|segment| names::plain(&segment.ident)).collect();
            self.mention(segments, line, How::Code);
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, invocation: &Macro) {
        if invocation.path.leading_colon.is_none() {
            let segments = &invocation.path.segments;
            let path = segments.iter().map(|segment| names::plain(&segment.ident)).collect();
            self.mention(path, segments[0].ident.span().start().line, How::Macro);
        }
        self.words(invocation.tokens.clone());
    }

    fn visit_attribute(&mut self, attribute: &Attribute) {
        if let Meta::List(list) = &attribute.meta {
            self.words(list.tokens.clone());
        }
    }

    fn visit_visibility(&mut self, _: &Visibility) {}

    fn visit_block(&mut self, block: &Block) {
        let mut scope = Scope::default();
        for statement in &block.stmts {
            match statement {
                Stmt::Item(item) if attributes::leave_out(attributes::of(item)) => {}
                Stmt::Item(Item::Use(item)) => self.import(item, &mut scope),
                Stmt::Item(item) => scope.items.extend(names::defined(item)),
                _ => {}
            }
        }
        self.scopes.push(scope);
        visit::visit_block(self, block);
        self.scopes.pop();
    }

    // A block's are collected at its start, a module's by whoever reads it.
    fn visit_item_use(&mut self, _: &ItemUse) {}

    fn visit_item(&mut self, item: &Item) {
        if !attributes::leave_out(attributes::of(item)) {
            visit::visit_item(self, item);
        }
    }

    fn visit_impl_item(&mut self, item: &ImplItem) {
        let attributes = match item {
            ImplItem::Const(item) => &item.attrs,
            ImplItem::Fn(item) => &item.attrs,
            ImplItem::Type(item) => &item.attrs,
            ImplItem::Macro(item) => &item.attrs,
            _ => &Vec::new(),
        };
        if !attributes::leave_out(attributes) {
            visit::visit_impl_item(self, item);
        }
    }

    fn visit_trait_item(&mut self, item: &TraitItem) {
        if !matches!(item, TraitItem::Fn(item) if attributes::leave_out(&item.attrs)) {
            visit::visit_trait_item(self, item);
        }
    }

    fn visit_local(&mut self, local: &Local) {
        if !attributes::leave_out(&local.attrs) {
            visit::visit_local(self, local);
        }
    }
}
