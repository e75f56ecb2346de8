//! `countersign audit`: what each engine shows of programs whose answers are known, each engine in a process of its own.

use std::io;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::thread;
use std::time::Duration;

use comfy_table::{Attribute, Cell, Color, ColumnConstraint};

use super::selection::Format;
use super::table::{table, text};
use super::{children, conclude, end_with_parent, jobs, print};
use crate::audit::{self, Entry, Row};
use crate::engine::EngineName;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Only this engine; repeatable
    #[arg(long = "engine", value_name = "NAME")]
    engines: Vec<EngineName>,
    /// How to write what was found
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Only run the programs, and print a line of JSON for each: the child process of `audit`
    #[arg(long, hide = true)]
    child: bool,
}

pub(super) const EXIT_CODES: &str = "\
Exit code:
  0  every engine shows what it is known to show
  1  one shows something else: perhaps it was upgraded, and what is pinned for it must be reviewed
  2  the command line is wrong, or the report cannot be written";

pub(super) fn run(arguments: &Arguments) -> io::Result<ExitCode> {
    let asked = |engine: &EngineName| arguments.engines.is_empty() || arguments.engines.contains(engine);
    let engines: Vec<_> = EngineName::ALL.into_iter().filter(asked).collect();
    if arguments.child {
        return explore(&engines);
    }
    let executable = jobs::executable()?;
    let rows = children::on_each_engine(&engines, |engine| rows(&executable, engine));
    let text = match arguments.format {
        Format::Table => render(&rows, &engines),
        Format::Json => format!("{}\n", serde_json::to_string(&rows)?),
    };
    conclude(&text, if rows.iter().all(|row| row.expected) { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The programs that run on an engine.
fn entries(engine: EngineName) -> Vec<Entry> {
    audit::entries().into_iter().filter(|entry| entry.engines().contains(&engine)).collect()
}

/// The child: runs every program on its one engine.
fn explore(engines: &[EngineName]) -> io::Result<ExitCode> {
    thread::spawn(end_with_parent);
    for engine in engines {
        for entry in entries(*engine) {
            print(&format!("{}\n", serde_json::to_string(&entry.run(*engine))?))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Runs the child of one engine. A program that it does not answer has a row all the same.
fn rows(executable: &Path, engine: EngineName) -> Vec<Row> {
    let entries = entries(engine);
    let limit = entries.iter().map(|entry| entry.budget.time).sum::<Duration>() + children::GRACE;
    let mut command = Command::new(executable);
    command.args(["audit", "--child", "--engine", engine.as_str()]);
    let mut rows: Vec<Row> = Vec::new();
    let end = children::run(&mut command, limit, |line| {
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

/// A row for each program, a column for each engine, and below them the known differences, and those that are not.
fn render(rows: &[Row], engines: &[EngineName]) -> String {
    let mut table = table();
    table.set_header(["program"].into_iter().chain(engines.iter().map(|engine| engine.as_str())));
    if let Some(programs) = table.column_mut(0) {
        programs.set_constraint(ColumnConstraint::ContentWidth);
    }
    for entry in audit::entries() {
        let of = |engine: &EngineName| {
            rows.iter()
                .find(|row| row.program == entry.name && row.engine == engine.as_str())
                .map_or_else(|| Cell::new("-"), in_short)
        };
        table.add_row([Cell::new(entry.name)].into_iter().chain(engines.iter().map(of)));
    }
    let (known, changed): (Vec<_>, Vec<_>) = rows.iter().partition(|row| row.expected);
    let mut report = format!("{}\n{LEGEND}\n", text(&table));
    for row in known.iter().filter(|row| row.reason.is_some()) {
        report += &in_full("AS KNOWN", row, &[("because", row.reason.clone()), ("source", row.source.clone())]);
    }
    for row in &changed {
        let list = |answers: &[String]| (!answers.is_empty()).then(|| answers.join(" "));
        let now = format!("{} after {} executions", row.verdict, row.executions);
        let parts = [
            ("now", Some(now)),
            ("why", row.why.clone()),
            ("misses", list(&row.missed)),
            ("invents", list(&row.invented)),
            ("to do", Some("review what is pinned for it in the table of the audit".to_owned())),
        ];
        report += &in_full("CHANGED", row, &parts);
    }
    format!("{report}\n{} rows: {} as known, {} changed\n", rows.len(), known.len(), changed.len())
}

const LEGEND: &str = "\
In each cell: what the engine shows / what it should show, and how many it misses (-) or invents (+), or how it ends.
Engines that sample need not show all; shuttle should show what interleavings show, the others what RC11 allows.
loom is asked without the guards of its engine, which refuse what it is known to invent or forget.";

fn in_short(row: &Row) -> Cell {
    let is_end = |answers: &[String]| matches!(answers, [end] if !end.starts_with('('));
    let samples = row.engine.parse::<EngineName>().is_ok_and(EngineName::samples);
    let cell = if is_end(&row.shown) {
        row.shown.join(" ")
    } else if is_end(&row.allowed) {
        format!("{} outcomes", row.shown.len())
    } else {
        let some = |sign: char, number: usize| {
            if number > 0 { format!("\u{a0}{sign}{number}") } else { String::new() }
        };
        let missed = some('-', if samples { 0 } else { row.missed.len() });
        let invented = some('+', row.invented.len());
        format!("{}\u{a0}/\u{a0}{}{missed}{invented}", row.shown.len(), row.allowed.len())
    };
    if row.expected {
        Cell::new(cell)
    } else {
        Cell::new(format!("CHANGED {cell}")).fg(Color::Red).add_attribute(Attribute::Bold)
    }
}

/// What is known of a program on an engine, and these parts of what else there is to say.
fn in_full(title: &str, row: &Row, parts: &[(&str, Option<String>)]) -> String {
    let mut table = table();
    let named = format!("{} on {}", row.program, row.engine);
    table.add_row([title, &named].map(|cell| Cell::new(cell).add_attribute(Attribute::Bold)));
    table.add_row(["known", &row.expectation]);
    for (name, part) in parts {
        if let Some(part) = part {
            table.add_row([*name, part]);
        }
    }
    format!("\n{}", text(&table))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_without_an_answer_has_changed() {
        let rows = rows(Path::new("/nonexistent/program"), EngineName::Loom);
        assert_eq!(rows.len(), entries(EngineName::Loom).len());
        assert!(rows.iter().all(|row| !row.expected && row.why.as_ref().unwrap().contains("could not be started")));
        let text = render(&rows, &[EngineName::Loom]);
        for part in [
            "CHANGED",
            "could not be started",
            "review what is pinned",
            &format!(" 0 as known, {} changed", rows.len()),
        ] {
            assert!(text.contains(part), "no `{part}` in\n{text}");
        }
    }
}
