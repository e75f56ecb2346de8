//! What the steps of layouts cost, as a table.

use crate::report::table::{table, text};
use crate::study::cost::LayoutCost;

const HEADER: [&str; 7] = [
    "layout",
    "record",
    "record without a recorder",
    "register",
    "retire",
    "snapshot, 1 class, 1 thread",
    "and for each further thread",
];

/// A row for each layout.
pub fn render(costs: &[LayoutCost]) -> String {
    let mut table = table();
    table.set_header(HEADER).add_rows(costs.iter().map(row));
    text(&table)
}

/// The same, for a README.
pub fn markdown(costs: &[LayoutCost]) -> String {
    let line = |cells: [String; 7]| format!("| {} |\n", cells.join(" | "));
    let rule = format!("|{}\n", "---|".repeat(HEADER.len()));
    let rows: String = costs.iter().map(row).map(line).collect();
    line(HEADER.map(str::to_owned)) + &rule + &rows
}

fn row(cost: &LayoutCost) -> [String; 7] {
    let LayoutCost { layout, record, record_without, register, retire, snapshot, snapshot_per_thread } = cost;
    let steps = [record, record_without, register, retire, snapshot, snapshot_per_thread].map(ToString::to_string);
    let [record, record_without, register, retire, snapshot, per_thread] = steps;
    [layout.clone(), record, record_without, register, retire, snapshot, per_thread]
}
