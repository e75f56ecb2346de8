//! What engines need for programs whose number of executions is known, as a table.

use comfy_table::{Cell, CellAlignment};
use indicatif::HumanCount;

use crate::report::table::{table, text};
use crate::study::yardstick::{Row, Yardstick};

/// A row for each program on each engine.
pub fn render(rows: &[Row], programs: &[Yardstick]) -> String {
    let right = |content: String| Cell::new(content).set_alignment(CellAlignment::Right);
    let mut table = table();
    let header = ["program", "graphs", "engine", "executions", "blocked", "outcomes", "seconds", "per second"];
    table.set_header(header);
    for program in programs {
        let name = program.to_string();
        let graphs = program.graphs().map_or_else(|| "-".to_owned(), |graphs| HumanCount(graphs).to_string());
        for row in rows.iter().filter(|row| row.program == name) {
            let at_least = if row.capped { "> " } else { "" };
            let rate = (row.executions + row.blocked) as f64 / (row.millis.max(1) as f64 / 1000.0);
            let numbers = if row.capped && row.executions == 0 {
                ["refused".to_owned()].to_vec()
            } else {
                vec![
                    format!("{at_least}{}", HumanCount(row.executions)),
                    HumanCount(row.blocked).to_string(),
                    HumanCount(row.outcomes).to_string(),
                    format!("{:.2}", row.millis as f64 / 1000.0),
                    if row.millis < 10 { "-".to_owned() } else { HumanCount(rate as u64).to_string() },
                ]
            };
            let title = [Cell::new(&name), right(graphs.clone()), Cell::new(row.engine)];
            table.add_row(title.into_iter().chain(numbers.into_iter().map(right)));
        }
    }
    format!(
        "{}\nGraphs: the number of consistent execution graphs, where it is known. > : not finished in its time. Refused: \
         loom runs 5 threads at most.\n",
        text(&table)
    )
}
