//! An execution as text: a column for each thread, a row for each operation, and what came of it.

use comfy_table::{Attribute, Cell, ColumnConstraint, Table};

use super::replay;
use super::table::{content_width, table, text, width};
use crate::counterexample::Counterexample;
use crate::trace::{Action, LastValue, Line, Row, Source, last_values};
use crate::verdict::{Outcome, Violation};

/// A counterexample: its execution, what was claimed and what was seen, and how the command line repeats it, if it can.
pub(super) fn counterexample(counterexample: &Counterexample, repeatable: bool) -> String {
    let Counterexample { violation, trace, token, smallest } = counterexample;
    let mut text = execution(trace, Err(violation));
    if !smallest {
        text += "A smaller size may fail too: there was no time to try them all.\n";
    }
    text += &match token {
        Some(_) if !repeatable => String::new(),
        Some(token) => format!("repeat it: {}\n", replay::command_line(token)),
        None => {
            "Real threads run as they like, so it cannot be repeated. Each thread's operations are in their order; \
                 the threads among each other are in one that explains the values.\n"
                .to_owned()
        }
    };
    text
}

/// An execution, the values that were left in the end, and what the program made of it.
pub(super) fn execution(trace: &[Row], result: Result<&Outcome, &Violation>) -> String {
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
    let mut rows = text(&rows(trace));
    if trace.iter().any(|row| row.read.is_some() && row.source.is_none()) {
        rows += "reads ?: several writes have the value that was read, and the engine does not say which it was.\n";
    }
    format!("\n{rows}\n{}", text(&result_table))
}

/// The first of these forms that fits: a column for each thread, with or without the folders of the files; one column
/// for all threads, with or without; and if none fits, the last one, its lines broken.
fn rows(trace: &[Row]) -> Table {
    let forms =
        [(true, Line::to_string as fn(&Line) -> String), (true, short), (false, Line::to_string), (false, short)];
    let mut tables = forms.into_iter().map(|(columns, line)| with_columns(trace, columns, line));
    let last = with_columns(trace, false, short);
    tables.find(|table| content_width(table) <= width()).unwrap_or(last)
}

fn with_columns(trace: &[Row], a_column_each: bool, line: fn(&Line) -> String) -> Table {
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
    for (index, row) in trace.iter().enumerate() {
        let mut cells = vec![(index + 1).to_string()];
        if a_column_each {
            let operation = |thread| if thread == row.thread { operation(row) } else { String::new() };
            cells.extend((0..threads).map(operation));
        } else {
            cells.extend([row.thread.to_string(), operation(row)]);
        }
        cells.push(row.place.map(|place| place.to_string()).unwrap_or_default());
        cells.push(row.order.map(|order| format!("{order:?}")).unwrap_or_default());
        cells.push(reads(row));
        cells.push(line(&row.at));
        table.add_row(cells.into_iter().map(unbroken));
    }
    table
}

/// An operation and its values: `load 1`, `fetch_add 1 -> 2`.
fn operation(row: &Row) -> String {
    let name = match row.action {
        Action::Load => "load",
        Action::LoadOwned => "load_owned",
        Action::Store => "store",
        Action::Swap => "swap",
        Action::FetchAdd(_) => "fetch_add",
        Action::FetchMax(_) => "fetch_max",
        Action::CompareExchange { .. } => "cas",
        Action::Lock if row.written.is_none() => return "waits to lock".to_owned(),
        Action::Lock => return "lock".to_owned(),
        Action::Unlock => return "unlock".to_owned(),
        Action::Fence => return "fence".to_owned(),
        Action::Spawn(thread) => return format!("spawn {thread}"),
        Action::Join(thread) => return format!("join {thread}"),
    };
    match (row.read, row.written) {
        (Some(read), Some(written)) => format!("{name} {read} -> {written}"),
        (Some(read), None) => match row.action {
            Action::CompareExchange { current, .. } => format!("{name} {read}, not {current}"),
            _ => format!("{name} {read}"),
        },
        (None, Some(written)) => format!("{name} {written}"),
        // The engine did not let it come to its end.
        (None, None) => format!("{name} fails"),
    }
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
    let value = |LastValue { place, mutex, value, row }: LastValue| {
        let by = row.map_or_else(|| "initial".to_owned(), |row| format!("row {}", row + 1));
        match (mutex, value) {
            (false, _) => format!("{place} = {value} ({by})"),
            (true, 0) => format!("{place} free"),
            (true, _) => format!("{place} locked ({by})"),
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

fn bold(content: impl ToString) -> Cell {
    Cell::new(content).add_attribute(Attribute::Bold)
}

/// A cell whose line may not be broken at its blanks.
fn unbroken(content: String) -> Cell {
    Cell::new(content.replace(' ', "\u{a0}"))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering::{Acquire, Relaxed};

    use super::*;
    use crate::trace::Place;

    fn row(thread: usize, action: Action) -> Row {
        let at = Line { file: "src/layout/some_layout.rs".to_owned(), line: 7, column: 1 };
        Row { thread, action, place: None, order: None, read: None, source: None, written: None, position: None, at }
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
        let text = execution(&trace(threads), Ok(&Outcome(vec![1])));
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

    #[test]
    fn what_is_blocked_or_fails_says_so() {
        let cas = Action::CompareExchange { current: 0, new: 1 };
        assert_eq!(operation(&Row { read: Some(1), ..row(0, cas) }), "cas 1, not 0");
        assert_eq!(operation(&Row { read: Some(0), written: Some(1), ..row(0, cas) }), "cas 0 -> 1");
        assert_eq!(operation(&Row { read: Some(1), ..row(0, Action::Lock) }), "waits to lock");
        assert_eq!(operation(&row(0, Action::LoadOwned)), "load_owned fails");
    }
}
