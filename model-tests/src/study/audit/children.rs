//! One engine's rows, by a process of its own.

use std::process::Command;
use std::time::Duration;

use super::entry::{Entry, Row};
use super::table::entries;
use crate::engine::EngineName;
use crate::study::check::children;

/// The programs that run on an engine.
pub fn entries_of(engine: EngineName) -> Vec<Entry> {
    entries().into_iter().filter(|entry| entry.engines().contains(&engine)).collect()
}

/// The rows of one engine, by the child process of this command, which prints a line of JSON for each of its programs. A
/// program that it does not answer has a row all the same.
pub fn rows_of_child(command: &mut Command, engine: EngineName) -> Vec<Row> {
    let entries = entries_of(engine);
    let limit = entries.iter().map(|entry| entry.budget.time).sum::<Duration>() + children::GRACE;
    let mut rows: Vec<Row> = Vec::new();
    let end = children::run(command, limit, |line| {
        let expected = entries.get(rows.len()).map(|entry| entry.name);
        match (line, line.and_then(|line| serde_json::from_str::<Row>(line).ok())) {
            (Some(_), Some(row)) if Some(row.program.as_str()) == expected => rows.push(row),
            (Some(line), _) => {
                return Err(format!("the child process wrote `{line}`, where the row of a program was expected"));
            }
            (None, _) if expected.is_some() => return Err("the child process ended too early".to_owned()),
            (None, _) => {}
        }
        Ok(())
    });
    if let Err(why) = end {
        rows.truncate(entries.len() - 1);
        let unanswered = entries[rows.len()..].iter().map(|entry| entry.unanswered(engine, why.clone()));
        rows.extend(unanswered);
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_without_an_answer_has_changed() {
        let rows = rows_of_child(&mut Command::new("/nonexistent/program"), EngineName::Loom);
        assert_eq!(rows.len(), entries_of(EngineName::Loom).len());
        assert!(rows.iter().all(|row| !row.expected && row.why.as_ref().unwrap().contains("could not be started")));
    }
}
