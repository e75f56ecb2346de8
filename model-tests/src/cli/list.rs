//! `countersign list`: what there is to name on the command line.

use std::io;
use std::process::ExitCode;

use comfy_table::Table;
use indicatif::HumanCount;

use super::print;
use super::table::{table, text};
use crate::budget::BudgetName;
use crate::catalog::{self, LayoutEntry};
use crate::engine::{Budget, EngineName};

pub(super) fn run() -> io::Result<ExitCode> {
    let tables = [
        layouts("layouts", &catalog::layouts()),
        layouts("mutants", &catalog::mutants()),
        layouts("blind spots", &catalog::blind_spots()),
        scenarios(),
        engines(),
        budgets(),
    ];
    print(&tables.map(|table| text(&table)).join("\n"))?;
    Ok(ExitCode::SUCCESS)
}

fn layouts(title: &str, layouts: &[LayoutEntry]) -> Table {
    let mut table = table();
    table.set_header([title, "claims withheld"]);
    for layout in layouts {
        let withheld = layout.withheld();
        table.add_row([layout.name, &if withheld.is_empty() { "none".to_owned() } else { withheld.join(", ") }]);
    }
    table
}

fn scenarios() -> Table {
    let mut table = table();
    table.set_header(["scenarios", "claim"]);
    table.add_rows(catalog::scenarios().iter().map(|scenario| [scenario.name, scenario.claim]));
    table
}

fn engines() -> Table {
    let mut table = table();
    table.set_header(["engines", "explores"]);
    table.add_rows(EngineName::ALL.map(|engine| [engine.as_str(), engine.explores()]));
    table
}

fn budgets() -> Table {
    let mut table = table();
    table.set_header([
        "budgets",
        "executions (enumerating engines)",
        "samples (sampling engines)",
        "seconds (all sizes)",
    ]);
    for name in BudgetName::ALL {
        let Budget { executions, samples, time } = name.numbers();
        let numbers = [executions, samples, time.as_secs()].map(|number| HumanCount(number).to_string());
        table.add_row([name.as_str().to_owned()].into_iter().chain(numbers));
    }
    table
}
