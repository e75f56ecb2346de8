//! Runs child processes of this program, and says what became of them.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, ScopedJoinHandle};
use std::time::{Duration, Instant};

use super::report::ChildReport;
use super::sizes::add;
use crate::engine::EngineName;
use crate::scenario::Cell;

/// How much longer than its cells a child may take: to start, to notice that its time is over, to say so and to end.
pub const GRACE: Duration = Duration::from_secs(5);

/// Runs the child that explores `cells`, smallest first, and returns their reports. The cells that the child does not
/// report, unless it stopped at a failure, are truncated, with the reason.
pub fn explore(command: &mut Command, cells: &[Cell], limit: Duration) -> Vec<ChildReport> {
    let mut reports = Vec::new();
    if let Err(why) = collect(command, cells, limit, &mut reports) {
        let failed = reports.last().is_some_and(ChildReport::is_failure);
        // A process that dies after its last report has explored it, but is not to be believed.
        if !failed && reports.len() == cells.len() {
            reports.pop();
        }
        if !failed {
            let missing = &cells[reports.len()..];
            reports.extend(missing.iter().map(|cell| ChildReport::truncated(cell, why.clone())));
        }
    }
    reports
}

/// What a child wrote: a line of standard output, or one of standard error.
enum Line {
    Output(String),
    Error(String),
}

/// Runs the child, adds its reports to `reports`, and says what went wrong if not all are there.
fn collect(
    command: &mut Command,
    cells: &[Cell],
    limit: Duration,
    reports: &mut Vec<ChildReport>,
) -> Result<(), String> {
    run(command, limit, |line| match line {
        Some(line) => match report(line, cells, reports) {
            Some(report) => {
                add(reports, report);
                Ok(())
            }
            None => Err(format!("the child process wrote `{line}`, where the report of a cell was expected")),
        },
        None => all_there(cells, reports),
    })
}

/// What `work` gives for each engine, in order. All of them are at work at once.
pub fn on_each_engine<T: Send>(engines: &[EngineName], work: impl Fn(EngineName) -> Vec<T> + Sync) -> Vec<T> {
    let work = &work;
    thread::scope(|scope| {
        let threads: Vec<_> = engines.iter().map(|engine| scope.spawn(move || work(*engine))).collect();
        let results = threads.into_iter().map(ScopedJoinHandle::join);
        results.flat_map(|result| result.unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
    })
}

/// Runs a child, and gives `accept` each line of its standard output, and `None` when it has ended well.
///
/// # Errors
///
/// What went wrong if it did not end well, or what `accept` says that wants no more.
pub fn run(
    command: &mut Command,
    limit: Duration,
    mut accept: impl FnMut(Option<&str>) -> Result<(), String>,
) -> Result<(), String> {
    let deadline = Instant::now() + limit;
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("the child process could not be started: {error}"))?;
    let lines = lines_of(&mut child);
    let mut last_words = None;
    let result = loop {
        match lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(Line::Output(line)) => {
                if let Err(why) = accept(Some(&line)) {
                    break Err(why);
                }
            }
            Ok(Line::Error(line)) => last_words = Some(line),
            Err(RecvTimeoutError::Timeout) => break Err(out_of_time(limit)),
            Err(RecvTimeoutError::Disconnected) => match wait(&mut child, deadline) {
                Some(status) if status.success() => break accept(None),
                Some(status) => break Err(format!("the child process died, {status}")),
                None => break Err(out_of_time(limit)),
            },
        }
    };
    // Both fail if the child has ended already, which is what they are for.
    let _ = child.kill();
    let _ = child.wait();
    result.map_err(|why| match last_words.or_else(|| last_error(&lines)) {
        Some(line) => format!("{why}; its last words: {line}"),
        None => why,
    })
}

/// The report in a line, if it is that of the next cell, or of the last one once more, which failed.
fn report(line: &str, cells: &[Cell], reports: &[ChildReport]) -> Option<ChildReport> {
    let again = reports.last().is_some_and(ChildReport::is_failure);
    let cell = cells.get(reports.len() - usize::from(again))?;
    let report: ChildReport = serde_json::from_str(line).ok()?;
    report.cell.is_of(cell).then_some(report)
}

fn all_there(cells: &[Cell], reports: &[ChildReport]) -> Result<(), String> {
    let failed = reports.last().is_some_and(ChildReport::is_failure);
    if failed || reports.len() == cells.len() {
        return Ok(());
    }
    Err(format!("the child process ended after {} of {} reports", reports.len(), cells.len()))
}

fn out_of_time(limit: Duration) -> String {
    format!("the child process was still running after {} s and was killed", limit.as_secs_f32())
}

/// Waits for the end of a child that has closed its output. `None` if it does not end in time.
fn wait(child: &mut Child, deadline: Instant) -> Option<ExitStatus> {
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status),
            Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(1)),
            Ok(None) | Err(_) => return None,
        }
    }
}

/// Everything that the child writes, until it has closed both outputs.
fn lines_of(child: &mut Child) -> Receiver<Line> {
    let (sender, receiver) = mpsc::channel();
    let output =
        child.stdout.take().map(|output| (Box::new(output) as Box<dyn Read + Send>, Line::Output as fn(_) -> _));
    let errors =
        child.stderr.take().map(|errors| (Box::new(errors) as Box<dyn Read + Send>, Line::Error as fn(_) -> _));
    for (stream, line) in output.into_iter().chain(errors) {
        let sender = sender.clone();
        thread::spawn(move || forward(stream, line, &sender));
    }
    receiver
}

fn forward(stream: impl Read, line: fn(String) -> Line, sender: &Sender<Line>) {
    for bytes in BufReader::new(stream).split(b'\n').map_while(Result::ok) {
        let text = String::from_utf8_lossy(&bytes).trim_end().to_owned();
        // After each panic message the standard library explains how to get a backtrace; that is nobody's last word.
        if text.is_empty() || text.starts_with("note: run with `RUST_BACKTRACE") {
            continue;
        }
        if sender.send(line(text)).is_err() {
            return;
        }
    }
}

/// The last line on standard error among what is still to be read of a child that has ended.
fn last_error(lines: &Receiver<Line>) -> Option<String> {
    let unread = std::iter::from_fn(|| lines.recv_timeout(Duration::from_secs(1)).ok());
    unread.filter_map(|line| if let Line::Error(text) = line { Some(text) } else { None }).last()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::scenario::scenarios;
    use crate::study::check::CellReport;
    use crate::subject::layouts::layouts;

    const LIMIT: Duration = Duration::from_secs(20);

    /// The cells of one child, two of them at least.
    fn cells() -> Vec<Cell> {
        let scenarios = scenarios();
        let scenario = scenarios.iter().find(|scenario| (scenario.sizes)(EngineName::Loom).len() > 1).unwrap();
        Cell::all(&layouts()[0], scenario, EngineName::Loom)
    }

    /// Runs a shell as the child, with the reports of the cells in `$1`, `$2` and so on.
    fn shell(script: &str, verdict: &str, limit: Duration) -> Vec<ChildReport> {
        let cells = cells();
        let reports = cells
            .iter()
            .map(|cell| CellReport { verdict: verdict.to_owned(), ..CellReport::truncated(cell, String::new()) })
            .map(|cell| ChildReport { cell, claim: None, counterexample: None, outcomes: Vec::new() });
        let reports = reports.map(|report| serde_json::to_string(&report).unwrap());
        explore(Command::new("sh").args(["-c", script, "sh"]).args(reports), &cells, limit)
    }

    fn verdicts(reports: &[ChildReport]) -> Vec<&str> {
        reports.iter().map(|report| report.cell.verdict.as_str()).collect()
    }

    /// The reason that the last report gives, after checking that every cell is reported.
    fn why(reports: &[ChildReport]) -> &str {
        assert_eq!(reports.len(), cells().len());
        reports.last().and_then(|report| report.cell.why.as_deref()).unwrap()
    }

    #[test]
    fn reports_are_passed_on() {
        let reports = shell(r#"printf '%s\n' "$@""#, "exhaustive", LIMIT);
        assert_eq!(reports.len(), cells().len());
        assert!(reports.iter().all(|report| report.cell.verdict == "exhaustive"));
    }

    #[test]
    fn nothing_is_reported_after_a_failure() {
        assert_eq!(verdicts(&shell(r#"echo "$1""#, "failed", LIMIT)), ["failed"]);
        assert_eq!(verdicts(&shell(r#"echo "$1"; kill -9 $$"#, "failed", LIMIT)), ["failed"]);
    }

    #[test]
    fn a_failure_may_be_reported_once_more() {
        assert_eq!(verdicts(&shell(r#"echo "$1"; echo "$1""#, "failed", LIMIT)), ["failed"]);
        let smaller = shell(r#"echo "$1"; echo "$1" | sed 's/"events":2/"events":1/'"#, "failed", LIMIT);
        assert_eq!(smaller.iter().map(|report| report.cell.size.events).collect::<Vec<_>>(), [1]);
        // What the child does in search of it takes nothing back.
        assert_eq!(verdicts(&shell(r#"echo "$1"; echo hello"#, "failed", LIMIT)), ["failed"]);
        let hangs = shell(r#"echo "$1"; exec sleep 60"#, "failed", Duration::from_millis(300));
        assert_eq!(verdicts(&hangs), ["failed"]);
    }

    #[test]
    fn what_a_child_that_ended_early_did_not_report_is_truncated() {
        let reports = shell(r#"echo "$1""#, "exhaustive", LIMIT);
        assert_eq!(verdicts(&reports)[..2], ["exhaustive", "truncated"]);
        assert!(why(&reports).contains("ended after 1 of"), "{reports:?}");
    }

    #[test]
    fn a_death_is_reported_with_its_last_words() {
        let reports = shell(r#"echo "$1"; echo first >&2; echo last >&2; kill -9 $$"#, "exhaustive", LIMIT);
        assert_eq!(verdicts(&reports)[..2], ["exhaustive", "truncated"]);
        assert!(why(&reports).contains("signal: 9") && why(&reports).ends_with("its last words: last"), "{reports:?}");
    }

    #[test]
    fn a_death_after_the_last_report_takes_that_one_back() {
        let reports = shell(r#"printf '%s\n' "$@"; exit 101"#, "exhaustive", LIMIT);
        assert_eq!(verdicts(&reports)[..1], ["exhaustive"]);
        assert!(why(&reports).contains("exit status: 101"), "{reports:?}");
    }

    #[test]
    fn anything_but_the_expected_report_is_refused() {
        for script in ["echo lost >&2; echo hello; exec sleep 60", r#"echo lost >&2; echo "$2""#] {
            let reports = shell(script, "exhaustive", LIMIT);
            assert!(verdicts(&reports).iter().all(|&verdict| verdict == "truncated"));
            assert!(why(&reports).contains("expected") && why(&reports).ends_with("lost"), "{reports:?}");
        }
    }

    #[test]
    fn a_child_that_hangs_is_killed() {
        let reports = shell(r#"echo "$1"; exec sleep 60"#, "exhaustive", Duration::from_millis(300));
        assert_eq!(verdicts(&reports)[..2], ["exhaustive", "truncated"]);
        assert!(why(&reports).contains("still running after 0.3 s"), "{reports:?}");
        let reports = shell("exec sleep 60 >&- 2>&-", "exhaustive", Duration::from_millis(300));
        assert!(why(&reports).contains("still running after 0.3 s"), "{reports:?}");
    }

    #[test]
    fn a_child_that_cannot_be_started_is_reported() {
        let reports = explore(&mut Command::new("/nonexistent/program"), &cells(), LIMIT);
        assert!(why(&reports).contains("could not be started"));
    }
}
