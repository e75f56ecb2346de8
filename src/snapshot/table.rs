//! Counts as an aligned table of text, without allocating.

use core::fmt::{self, Display, Formatter};

use super::one_class::{ClassCounts, totals};

/// Writes a row for each class that has events, and the totals.
pub(super) fn write(
    f: &mut Formatter<'_>,
    difference: &'static str,
    classes: &[ClassCounts],
    bounds: &[u64],
) -> fmt::Result {
    let total = totals(classes);
    let has_events = |class: &usize| classes[*class] != ClassCounts::default();
    // The last class takes all larger sizes too, and its row says so.
    let last = classes.len().checked_sub(1).filter(|class| *class < bounds.len() && has_events(class));
    let width = Width {
        label: if last.is_some() { LABEL + AND_LARGER.len() } else { LABEL },
        allocs: digits(total.allocs).max("allocs".len()),
        frees: digits(total.frees).max("frees".len()),
        // One more for a sign.
        difference: (1 + digits(total.allocs.max(total.frees))).max(difference.len()),
    };
    row(f, &width, &Label::Heading, &"allocs", &"frees", &difference)?;
    for class in (0..classes.len()).filter(has_events) {
        writeln!(f)?;
        let label = match bounds.get(class) {
            Some(bound) => Label::UpTo { bound: *bound, and_larger: last == Some(class) },
            None => Label::Class(class),
        };
        let counts = &classes[class];
        row(f, &width, &label, &counts.allocs, &counts.frees, &counts.in_use())?;
    }
    writeln!(f)?;
    row(f, &width, &Label::Total, &total.allocs, &total.frees, &total.in_use())
}

/// The width of a label, of which the last class's is longer.
const LABEL: usize = 14;
const AND_LARGER: &str = " and larger";

struct Width {
    label: usize,
    allocs: usize,
    frees: usize,
    difference: usize,
}

enum Label {
    Heading,
    UpTo { bound: u64, and_larger: bool },
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
    let Width { label: l, allocs: a, frees: b, difference: c } = *width;
    match label {
        Label::Heading => write!(f, "{:<l$}", "class")?,
        Label::UpTo { bound, and_larger } => {
            up_to(f, *bound)?;
            write!(f, "{:<rest$}", if *and_larger { AND_LARGER } else { "" }, rest = l - LABEL)?;
        }
        Label::Class(class) => write!(f, "{class:<l$}")?,
        Label::Total => write!(f, "{:<l$}", "total")?,
    }
    write!(f, "  {allocs:>a$}  {frees:>b$}  {difference:>c$}")
}

/// A bound in the largest unit that leaves it whole, in the width of a label.
fn up_to(f: &mut Formatter<'_>, bytes: u64) -> fmt::Result {
    let units =
        [(1 << 60, "EiB"), (1 << 50, "PiB"), (1 << 40, "TiB"), (1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    let (unit, name) =
        units.into_iter().find(|(unit, _)| bytes >= *unit && bytes.is_multiple_of(*unit)).unwrap_or((1, "B"));
    write!(f, "<= {:>7} {name:<3}", bytes / unit)
}

fn digits(number: u64) -> usize {
    number.checked_ilog10().map_or(1, |log| log as usize + 1)
}
