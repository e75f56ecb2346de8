//! Counts as an aligned table of text, without allocating.

use core::fmt::{self, Display, Formatter};

use super::{ClassCounts, totals};

/// Writes a row for each class that has events, and the totals.
pub(super) fn write(
    f: &mut Formatter<'_>,
    difference: &'static str,
    classes: &[ClassCounts],
    bounds: &[u64],
) -> fmt::Result {
    let total = totals(classes);
    let width = Width {
        allocs: digits(total.allocs).max("allocs".len()),
        frees: digits(total.frees).max("frees".len()),
        // One more for a sign.
        difference: (1 + digits(total.allocs.max(total.frees))).max(difference.len()),
    };
    row(f, &width, &Label::Heading, &"allocs", &"frees", &difference)?;
    for (class, counts) in classes.iter().enumerate().filter(|(_, counts)| **counts != ClassCounts::default()) {
        writeln!(f)?;
        let label = match bounds.get(class) {
            Some(_) if class > 0 && class + 1 == classes.len() => Label::MoreThan(bounds[class - 1]),
            Some(bound) => Label::UpTo(*bound),
            None => Label::Class(class),
        };
        row(f, &width, &label, &counts.allocs, &counts.frees, &counts.in_use())?;
    }
    writeln!(f)?;
    row(f, &width, &Label::Total, &total.allocs, &total.frees, &total.in_use())
}

struct Width {
    allocs: usize,
    frees: usize,
    difference: usize,
}

enum Label {
    Heading,
    UpTo(u64),
    MoreThan(u64),
    Class(usize),
    Total,
}

fn row(
    f: &mut Formatter<'_>,
    width: &Width,
    label: &Label,
    allocs: &dyn Display,
    frees: &dyn Display,
    difference: &dyn Display,
) -> fmt::Result {
    match label {
        Label::Heading => write!(f, "{:<14}", "class")?,
        Label::UpTo(bound) => size(f, "<=", *bound)?,
        Label::MoreThan(bound) => size(f, "> ", *bound)?,
        Label::Class(class) => write!(f, "{class:<14}")?,
        Label::Total => write!(f, "{:<14}", "total")?,
    }
    let Width { allocs: a, frees: b, difference: c } = *width;
    write!(f, "  {allocs:>a$}  {frees:>b$}  {difference:>c$}")
}

/// A bound in the largest unit that leaves it whole, 14 columns wide.
fn size(f: &mut Formatter<'_>, relation: &str, bytes: u64) -> fmt::Result {
    let units = [(1 << 40, "TiB"), (1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    let (unit, name) =
        units.into_iter().find(|(unit, _)| bytes >= *unit && bytes.is_multiple_of(*unit)).unwrap_or((1, "B"));
    write!(f, "{relation} {:>7} {name:<3}", bytes / unit)
}

fn digits(number: u64) -> usize {
    number.checked_ilog10().map_or(1, |log| log as usize + 1)
}
