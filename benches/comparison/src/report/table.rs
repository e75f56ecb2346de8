//! The report for people.

use std::fmt::Write;

use comfy_table::{CellAlignment, LineStyle, Table, TableStyle};

use super::Report;
use crate::comparison::{Comparison, Ratio};
use crate::goal::{Bound, Goal, Outcome};

/// A table of the comparisons, one of the goals, and how to read them.
pub(crate) fn table(report: &Report) -> String {
    let mut text = format!(
        "{}\n\n{}\n",
        comparisons(&report.comparisons),
        "sizes: one (fixed), all classes at random (mixed), or what the example asks for (recorded).\n\
         workers: threads that work, or, for a snapshot, that are registered.\n\
         floor: a plain thread-local array; private: locked increments of cells of the thread's own.\n\
         ns: by the clock on the wall, for each operation of all workers together; median of all runs.\n\
         ratio: the mode's time over its reference's, median of the blocks, with a bootstrap interval of 95 %, from six on.\n\
         adverse: blocks that were on the other side of 1. control: the same mode in both places.\n\
         *: the control of the mode or of its reference is more than 2.5 % off, so small ratios mean nothing.\n\
         More workers than cores take turns, and meet less often than they would. A goal is met or missed if the interval\n\
         says so even when it is made wider by as much as the controls are off."
    );
    if !report.goals.is_empty() {
        // Writing to a string does not fail.
        let _ = write!(text, "\n{}\n", goals(&report.goals));
    }
    let exact = report.rows.iter().filter(|row| row.verified_events.is_some()).count() - report.inexact().count();
    let hidden = report.rows.iter().filter(|row| row.verified_events.is_none()).count();
    let _ = writeln!(
        text,
        "\n{} runs (rounds: {}) on {} cores, {}: {exact} exact, {} wrong, {hidden} of modes that show no total",
        report.rows.len(),
        report.rounds,
        report.cores,
        report.compiler,
        report.inexact().count(),
    );
    text
}

fn comparisons(comparisons: &[Comparison]) -> Table {
    let mut table = new(&["group", "sizes", "workers", "mode", "ns", "ratio", "95 %", "adverse", "control", ""]);
    for found in comparisons {
        let is_reference = found.against.is_none();
        let only = |text: String| if is_reference { "-".to_owned() } else { text };
        table.add_row([
            found.group.to_string(),
            found.sizes.to_owned(),
            found.workers.to_string(),
            found.mode.to_owned(),
            format!("{:.2}", found.ns_per_operation),
            if is_reference { "reference".to_owned() } else { format!("{:.3}", found.ratio.median) },
            only(interval(&found.ratio)),
            only(format!("{}/{}", found.adverse, found.ratio.observations.len())),
            format!("{:.3}", found.control.median),
            if found.is_marked() { "*" } else { "" }.to_owned(),
        ]);
    }
    align_right(&mut table, &[2, 4, 5, 6, 7, 8]);
    table
}

fn goals(goals: &[Goal]) -> Table {
    let mut table = new(&["goal", "sizes", "workers", "mode", "bound", "ratio", "95 %", ""]);
    for goal in goals {
        table.add_row([
            goal.promise.to_owned(),
            goal.sizes.to_owned(),
            goal.workers.to_string(),
            goal.mode.to_owned(),
            match goal.bound {
                Bound::AtLeast(bound) => format!(">= {bound:.3}"),
                Bound::AtMost(bound) => format!("<= {bound:.3}"),
            },
            format!("{:.3}", goal.measured.median),
            interval(&goal.measured),
            match goal.outcome {
                Outcome::Met => "met",
                Outcome::Missed => "missed",
                Outcome::Undecided => "undecided",
            }
            .to_owned(),
        ]);
    }
    align_right(&mut table, &[2, 4, 5, 6]);
    table
}

fn interval(ratio: &Ratio) -> String {
    ratio.interval.map_or_else(|| "-".to_owned(), |found| format!("{:.3} to {:.3}", found.low, found.high))
}

fn new(header: &[&str]) -> Table {
    const STYLE: TableStyle =
        TableStyle::new().header_separator(LineStyle { left: None, fill: Some('─'), junction: None, right: None });
    let mut table = Table::new();
    table.load_style(STYLE).force_no_tty().set_header(header);
    table
}

fn align_right(table: &mut Table, columns: &[usize]) {
    for column in columns {
        if let Some(column) = table.column_mut(*column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
}
