//! What there is to name on the command line, as tables.

use comfy_table::Table;
use indicatif::HumanCount;

use crate::engine::{Budget, EngineName};
use crate::report::table::{table, text};
use crate::scenario;
use crate::study::check::BudgetName;
use crate::subject::LayoutEntry;
use crate::subject::layouts;
use crate::subject::misjudged::misjudged;
use crate::subject::mutant::catalog::mutants;

/// The layouts, mutants, scenarios, engines and budgets.
pub fn render() -> String {
    let tables = [
        of_layouts("layouts", &layouts::layouts()),
        of_layouts("mutants", &mutants()),
        of_layouts("engines misjudge", &misjudged()),
        scenarios(),
        engines(),
        budgets(),
    ];
    tables.map(|table| text(&table)).join("\n")
}

fn of_layouts(title: &str, layouts: &[LayoutEntry]) -> Table {
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
    table.add_rows(scenario::scenarios().iter().map(|scenario| [scenario.name, scenario.claim]));
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
