//! What a build without tests leaves out.

use syn::punctuated::Punctuated;
use syn::{Attribute, Item, Meta, Token};

/// Whether these attributes leave something out of a build without tests: `#[test]`, and every `#[cfg]` that cannot
/// hold there. Other configurations may hold, so what they ask for counts.
pub(crate) fn leave_out(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let cfg = || attribute.parse_args::<Meta>().ok();
        let path = attribute.path();
        path.is_ident("test") || path.is_ident("cfg") && cfg().and_then(|meta| holds(&meta)) == Some(false)
    })
}

/// The attributes of an item.
pub(crate) fn of(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::ExternCrate(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::ForeignMod(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::TraitAlias(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Union(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// Whether a configuration holds in a build without tests; `None` where that depends on the build.
fn holds(meta: &Meta) -> Option<bool> {
    let parts = || {
        let list = meta.require_list().ok()?.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated).ok()?;
        Some(list.iter().map(holds).collect::<Vec<_>>())
    };
    let path = meta.path();
    if path.is_ident("test") || path.is_ident("doctest") {
        Some(false)
    } else if path.is_ident("not") {
        parts()?.first().copied().flatten().map(|holds| !holds)
    } else if path.is_ident("all") {
        decided_by(&parts()?, false)
    } else if path.is_ident("any") {
        decided_by(&parts()?, true)
    } else {
        None
    }
}

/// `all` is decided by one part that does not hold, and `any` by one that does.
fn decided_by(parts: &[Option<bool>], one: bool) -> Option<bool> {
    if parts.contains(&Some(one)) {
        Some(one)
    } else if parts.contains(&None) {
        None
    } else {
        Some(!one)
    }
}
