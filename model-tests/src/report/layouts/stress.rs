//! What a stress saw, as a table.

use std::fmt::Write;

use comfy_table::{Attribute, Cell, Color, ContentArrangement};
use indicatif::HumanCount;

use crate::report::table::{table, text};
use crate::study::stress::{Ended, Ending, Report};

/// A row for each layout, and what was seen first of each fault. `stall` is how many seconds without progress were a hang.
pub fn render(report: &Report, stall: u64) -> String {
    let mut rows = table();
    // A number that is broken in two reads as two.
    rows.set_content_arrangement(ContentArrangement::Disabled);
    rows.set_header([
        "layout",
        "threads",
        "events",
        "snapshots",
        "lost",
        "doubled",
        "backwards",
        "short",
        "negative",
        "memory growth",
    ]);
    for row in &report.rows {
        let faults = [row.lost, row.doubled, row.backwards, row.short, row.negative];
        let growth = fault(row.memory_growth.to_string(), row.memory_grows);
        let counts = [row.threads, row.events, row.snapshots].map(|count| Cell::new(HumanCount(count)));
        let faults = faults.map(|count| fault(HumanCount(count).to_string(), count > 0));
        rows.add_row([Cell::new(row.layout)].into_iter().chain(counts).chain(faults).chain([growth]));
    }
    let mut report_text = if report.rows.is_empty() { String::new() } else { text(&rows) };
    // Writing to a string does not fail.
    for row in &report.rows {
        for fault in &row.faults {
            let _ = writeln!(report_text, "\n{}: {}: first, {}", row.layout, fault.column, fault.seen);
        }
    }
    if let Some(Ended { layout, ending }) = &report.ended {
        let why = match ending {
            Ending::Hung { place } => format!("hung {place}: nothing was recorded for {stall} s"),
            Ending::Panicked { place, what } => format!("panicked {place}: {what}"),
            Ending::Unmeasured => "cannot be stressed: the program's global allocator is not `CountedHeap`".to_owned(),
        };
        let _ = writeln!(report_text, "\n{layout}: {why}");
    }
    if !report.skipped.is_empty() {
        let _ = writeln!(report_text, "not stressed after that: {}", report.skipped.join(", "));
    }
    report_text
}

fn fault(text: String, is_fault: bool) -> Cell {
    let cell = Cell::new(text);
    if is_fault { cell.fg(Color::Red).add_attribute(Attribute::Bold) } else { cell }
}
