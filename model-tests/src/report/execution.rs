//! An execution as text: a column for each thread, a row for each operation, and what came of it.

use std::ops::Range;

use comfy_table::{Cell, ColumnConstraint, Table};

use super::table::{bold, content_width, table, text, width};
use crate::failure::{Counterexample, command_line};
use crate::verdict::{LastValue, Line, Outcome, Row, Source, Violation, labels, last_values};

/// How many rows of an execution are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rows {
    /// As many as leave room for a report below. If there are more, the first and the last of them.
    Few,
    /// As many as fit on a screen. If there are more, the first and the last of them.
    Most,
    /// All.
    All,
}

impl Rows {
    /// The rows that are left out of so many.
    pub fn left_out(self, rows: usize) -> Range<usize> {
        // So many are shown whole; of more, so many of the beginning and of the end.
        let (whole, first, last) = match self {
            Self::Few => (20, 2, 6),
            Self::Most => (28, 4, 20),
            Self::All => return 0..0,
        };
        if rows > whole { first..rows - last } else { 0..0 }
    }
}

/// A counterexample: its execution, what was claimed and what was seen, and how the command line repeats it, if it can.
pub fn counterexample(counterexample: &Counterexample, repeatable: bool, rows: Rows) -> String {
    let Counterexample { violation, trace, token, smallest } = counterexample;
    let mut text = execution(trace, Err(violation), rows);
    if !smallest {
        text += "A smaller size may fail too: there was no time to try them all.\n";
    }
    text += &match token {
        Some(_) if !repeatable => String::new(),
        Some(token) => format!("repeat it: {}\n", command_line(token)),
        None => {
            "Real threads run as they like, so it cannot be repeated. Each thread's operations are in their order; \
                 the threads among each other are in one that explains the values.\n"
                .to_owned()
        }
    };
    text
}

/// An execution, the values that were left in the end, and what the program made of it.
pub fn execution(trace: &[Row], result: Result<&Outcome, &Violation>, rows: Rows) -> String {
    let mut result_table = table();
    result_table.add_row([bold("at the end"), Cell::new(values(trace))]);
    match result {
        Ok(outcome) => {
            result_table.add_row([bold("outcome"), Cell::new(outcome)]);
        }
        Err(Violation { claim, claimed, seen }) => {
            result_table.add_row([bold("claim"), Cell::new(claim)]);
            result_table.add_row([bold("claimed"), Cell::new(claimed)]);
            result_table.add_row([bold("seen"), Cell::new(seen)]);
        }
    }
    if let Some(column) = result_table.column_mut(0) {
        column.set_constraint(ColumnConstraint::ContentWidth);
    }
    let mut rows = text(&shown(trace, rows));
    if trace.iter().any(|row| row.read.is_some() && row.source.is_none()) {
        rows += "reads ?: several writes have the value that was read, and the engine does not say which it was.\n";
    }
    format!("\n{rows}\n{}", text(&result_table))
}

/// The first of these forms that fits: a column for each thread, with or without the folders of the files; one column
/// for all threads, with or without; and if none fits, the last one, its lines broken.
fn shown(trace: &[Row], rows: Rows) -> Table {
    let forms =
        [(true, Line::to_string as fn(&Line) -> String), (true, short), (false, Line::to_string), (false, short)];
    let mut tables = forms.into_iter().map(|(columns, line)| with_columns(trace, columns, line, rows));
    let last = with_columns(trace, false, short, rows);
    tables.find(|table| content_width(table) <= width()).unwrap_or(last)
}

fn with_columns(trace: &[Row], a_column_each: bool, line: fn(&Line) -> String, rows: Rows) -> Table {
    let threads = trace.iter().map(|row| row.thread + 1).max().unwrap_or(1);
    let mut header = vec!["row".to_owned()];
    if a_column_each {
        header.extend((0..threads).map(|thread| format!("thread {thread}")));
    } else {
        header.extend(["thread", "operation"].map(str::to_owned));
    }
    header.extend(["place", "order", "reads", "line"].map(str::to_owned));
    let mut table = table();
    table.set_header(header.into_iter().map(bold));
    let labels = labels(trace);
    let left_out = rows.left_out(trace.len());
    for (index, row) in trace.iter().enumerate() {
        if left_out.contains(&index) {
            if index == left_out.start {
                table.add_row([unbroken("..".to_owned()), unbroken(format!("{} rows", left_out.len()))]);
            }
            continue;
        }
        let mut cells = vec![(index + 1).to_string()];
        if a_column_each {
            let operation = |thread| if thread == row.thread { row.operation() } else { String::new() };
            cells.extend((0..threads).map(operation));
        } else {
            cells.extend([row.thread.to_string(), row.operation()]);
        }
        cells.push(row.place.map(|place| labels[&place].clone()).unwrap_or_default());
        cells.push(row.order.map(|order| format!("{order:?}")).unwrap_or_default());
        cells.push(reads(row));
        cells.push(line(&row.at));
        table.add_row(cells.into_iter().map(unbroken));
    }
    table
}

/// The row that a read reads from.
fn reads(row: &Row) -> String {
    match (row.read, row.source) {
        (None, _) => String::new(),
        (Some(_), Some(Source::Initial)) => "initial".to_owned(),
        (Some(_), Some(Source::Row(row))) => format!("row {}", row + 1),
        (Some(_), None) => "?".to_owned(),
    }
}

/// What each place held at the end.
fn values(trace: &[Row]) -> String {
    let value = |LastValue { label, mutex, value, row, .. }: LastValue| {
        let by = row.map_or_else(|| "initial".to_owned(), |row| format!("row {}", row + 1));
        match (mutex, value) {
            (false, _) => format!("{label} = {value} ({by})"),
            (true, 0) => format!("{label} free"),
            (true, _) => format!("{label} locked ({by})"),
        }
    };
    let values: Vec<_> = last_values(trace).into_iter().map(value).collect();
    if values.is_empty() { "no cell was read or written".to_owned() } else { values.join("; ") }
}

/// A line without the folders of its file.
fn short(line: &Line) -> String {
    let file = line.file.rsplit(['/', '\\']).next().unwrap_or(&line.file);
    format!("{file}:{}", line.line)
}

/// A cell whose line may not be broken at its blanks.
fn unbroken(content: String) -> Cell {
    Cell::new(content.replace(' ', "\u{a0}"))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering::{Acquire, Relaxed};

    use super::*;
    use crate::verdict::{Action, Place};

    fn row(thread: usize, action: Action) -> Row {
        let at = Line { file: "src/layout/some_layout.rs".to_owned(), line: 7, column: 1 };
        let (place, name, order, read, source, written, position) = Default::default();
        Row { thread, action, place, name, order, read, source, written, position, at }
    }

    /// Threads that each add to one cell, and a load of the main thread.
    fn trace(threads: usize) -> Vec<Row> {
        let place = Some(Place { creator: 0, number: 3 });
        let mut rows = vec![];
        for thread in 1..=threads {
            let (before, after) = (thread as u64 - 1, thread as u64);
            let source = if thread == 1 { Source::Initial } else { Source::Row(rows.len() - 1) };
            rows.push(row(0, Action::Spawn(thread)));
            rows.push(Row {
                place,
                order: Some(Relaxed),
                read: Some(before),
                source: Some(source),
                written: Some(after),
                ..row(thread, Action::FetchAdd(1))
            });
        }
        rows.push(Row { place, order: Some(Acquire), read: Some(1), ..row(0, Action::Load) });
        rows
    }

    fn columns(threads: usize) -> String {
        let text = execution(&trace(threads), Ok(&Outcome(vec![1])), Rows::Most);
        assert!(text.lines().all(|line| line.chars().count() <= 120), "{text}");
        text
    }

    #[test]
    fn each_thread_has_a_column() {
        let text = columns(2);
        let lines: Vec<Vec<_>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(lines[1], "row thread 0 thread 1 thread 2 place order reads line".split(' ').collect::<Vec<_>>());
        let second = "4 fetch_add 1 -> 2 0.3 Relaxed row 2 src/layout/some_layout.rs:7";
        assert_eq!(lines[6].join(" "), second, "{text}");
        let column = |needle| text.lines().find_map(|line: &str| line.find(needle)).unwrap();
        assert_eq!(column("fetch_add 1"), column("thread 2"));
        assert!(text.contains("0.3 = 2 (row 4)") && text.contains("(1)") && text.contains("reads ?:"), "{text}");
    }

    #[test]
    fn what_is_too_wide_gives_up_folders_then_columns() {
        assert!(columns(3).contains(" some_layout.rs:7"));
        let many = columns(12);
        assert!(!many.contains("thread 12") && many.contains("src/layout/some_layout.rs:7"), "{many}");
        assert!(many.lines().any(|line| line.split_whitespace().take(4).eq(["24", "12", "fetch_add", "11"])), "{many}");
    }
}
