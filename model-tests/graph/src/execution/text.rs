//! An execution as plain text.

use std::collections::BTreeMap;
use std::fmt;

use super::places::labels;
use super::row::{Execution, Place, Row, Source};

/// A line for each operation: its number, its thread, what it does, where, with which ordering and at which line of source, and
/// which row a read reads from.
impl fmt::Display for Execution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let labels = labels(&self.trace);
        let lines: Vec<[String; 7]> =
            self.trace.iter().enumerate().map(|(index, row)| line(index, row, &labels)).collect();
        let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or_default();
        let widths: [usize; 7] = std::array::from_fn(width);
        for line in &lines {
            let cells = line.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}"));
            writeln!(f, "{}", cells.collect::<Vec<_>>().join("  ").trim_end())?;
        }
        Ok(())
    }
}

fn line(index: usize, row: &Row, labels: &BTreeMap<Place, String>) -> [String; 7] {
    let source = match row.source {
        Some(Source::Initial) => "reads the initial value".to_owned(),
        Some(Source::Row(source)) => format!("reads row {}", source + 1),
        None => String::new(),
    };
    [
        (index + 1).to_string(),
        format!("thread {}", row.thread),
        row.operation(),
        row.place.map(|place| labels[&place].clone()).unwrap_or_default(),
        row.order.map(|order| format!("{order:?}")).unwrap_or_default(),
        source,
        row.at.to_string(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::execution::Action;

    #[test]
    fn an_execution_is_a_line_for_each_operation() {
        let load = Row {
            source: Some(Source::Row(0)),
            name: Some("flag".to_owned()),
            ..Row::example(Action::Load, Some(1), None)
        };
        let store = Row { name: Some("flag".to_owned()), ..Row::example(Action::Store, None, Some(1)) };
        let text = Execution { trace: vec![store, load], schedule: None }.to_string();
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines[0], "1  thread 0  store 1  flag                 a.rs:7");
        assert_eq!(lines[1], "2  thread 0  load 1   flag    reads row 1  a.rs:7");
    }
}
