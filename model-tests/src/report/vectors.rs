//! Golden values of a size class table: what a port of it to another language is tested against.
//!
//! # The format
//!
//! The sizes ascend, and each is there once: all from 0 to 131,072, and beyond them every power of two and every upper
//! bound with both its neighbours, and the largest size. A profile does not record size 0; its class is there because an
//! index must have one.
//!
//! As CSV: a line `size,class`, and a line for each size, both numbers decimal.
//!
//! As JSON: an object with `format`, which is 1 and will be another number if anything of this changes; `table`, its name;
//! `upper_bounds`; and `vectors`, a list of objects with `size` and `class`, each on a line of its own. Sizes and bounds
//! are *strings* of decimal digits, since a JSON number loses digits beyond 2^53 in many readers; the class is a number.

use std::collections::BTreeSet;
use std::fmt::Write;

use countersign::NamedTable;

/// The largest size up to which there is every one.
pub const DENSE: u64 = 131_072;

/// The sizes with their classes.
pub fn vectors(table: &NamedTable) -> impl Iterator<Item = (u64, usize)> {
    let edges: BTreeSet<u64> = table.edges().filter(|size| *size > DENSE).collect();
    let index = table.index;
    (0..=DENSE).chain(edges).map(move |size| (size, index(size)))
}

/// The golden values as CSV.
pub fn csv(table: &NamedTable) -> String {
    let mut text = "size,class\n".to_owned();
    for (size, class) in vectors(table) {
        writeln!(text, "{size},{class}").expect("a string can be written to");
    }
    text
}

/// The golden values as JSON.
pub fn json(table: &NamedTable) -> String {
    let bounds: Vec<_> = table.upper_bounds.iter().map(|bound| format!("\"{bound}\"")).collect();
    let vectors: Vec<_> =
        vectors(table).map(|(size, class)| format!("{{\"size\":\"{size}\",\"class\":{class}}}")).collect();
    // Written by hand for the sake of one line to a vector; names and digits need no escapes.
    format!(
        "{{\"format\":1,\"table\":\"{}\",\"upper_bounds\":[{}],\"vectors\":[\n{}\n]}}\n",
        table.name,
        bounds.join(","),
        vectors.join(",\n")
    )
}
