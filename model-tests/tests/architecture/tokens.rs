//! The paths among a macro's words, which no grammar describes.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use syn::UseTree;

use crate::names;

/// What looks like a path.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) path: Vec<String>,
    pub(crate) line: usize,
    pub(crate) is_macro: bool,
}

/// Every relative path among these words, of one segment or more. `$crate` is the crate; the paths of fields, methods,
/// lifetimes and a macro's own variables are left out.
pub(crate) fn paths(words: TokenStream) -> Vec<Found> {
    let mut found = Vec::new();
    add_paths(words, &mut found);
    found
}

fn add_paths(words: TokenStream, found: &mut Vec<Found>) {
    let words: Vec<TokenTree> = words.into_iter().collect();
    let mut at = 0;
    while at < words.len() {
        if let TokenTree::Group(group) = &words[at] {
            add_paths(group.stream(), found);
        }
        let TokenTree::Ident(first) = &words[at] else {
            at += 1;
            continue;
        };
        let (path, end) = path_at(&words, at);
        let line = first.span().start().line;
        if is_relative(&words, at) {
            match words.get(end + 2) {
                Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace && are_colons(&words, end) => {
                    let tree: TokenStream = words[end + 2..=end + 2].iter().cloned().collect();
                    add_group(tree, &path, line, found);
                }
                _ => found.push(Found {
                    path,
                    line,
                    is_macro: is_punct(&words, end, '!') && !is_punct(&words, end + 1, '='),
                }),
            }
        }
        at = end;
    }
}

/// The path that begins here, and where it ends.
fn path_at(words: &[TokenTree], mut at: usize) -> (Vec<String>, usize) {
    let mut path = Vec::new();
    while let Some(TokenTree::Ident(ident)) = words.get(at) {
        path.push(names::plain(ident));
        at += 1;
        match words.get(at + 2) {
            Some(TokenTree::Ident(_)) if are_colons(words, at) => at += 2,
            _ => break,
        }
    }
    (path, at)
}

/// Whether a path that begins here is neither absolute nor the rest of something else.
fn is_relative(words: &[TokenTree], at: usize) -> bool {
    let is_before = |back: usize, sign: char| at >= back && is_punct(words, at - back, sign);
    let is_crate = matches!(&words[at], TokenTree::Ident(ident) if ident == "crate");
    let is_member = is_before(1, '.') && !is_before(2, '.');
    let is_variable = is_before(1, '$') && !is_crate;
    let is_rest = is_before(1, ':') && is_before(2, ':');
    !(is_member || is_variable || is_rest || is_before(1, '\''))
}

/// The paths of `path::{...}`.
fn add_group(group: TokenStream, path: &Vec<String>, line: usize, found: &mut Vec<Found>) {
    let mut leaves = Vec::new();
    if let Ok(tree) = syn::parse2::<UseTree>(group) {
        names::add_leaves(&tree, path, &mut leaves);
    }
    found.extend(leaves.into_iter().map(|leaf| Found { path: leaf.path, line, is_macro: false }));
}

fn are_colons(words: &[TokenTree], at: usize) -> bool {
    matches!(words.get(at), Some(TokenTree::Punct(sign)) if sign.as_char() == ':' && sign.spacing() == Spacing::Joint)
        && is_punct(words, at + 1, ':')
}

fn is_punct(words: &[TokenTree], at: usize, sign: char) -> bool {
    matches!(words.get(at), Some(TokenTree::Punct(found)) if found.as_char() == sign)
}
