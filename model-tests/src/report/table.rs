//! Tables as text: no wider than the terminal, with colours only where they are seen.

use comfy_table::{Attribute, Cell, ContentArrangement, LineStyle, Table, TableStyle};
use console::Term;

/// The width of the output.
pub fn width() -> u16 {
    let terminal = Term::stdout();
    if terminal.is_term() { terminal.size().1 } else { WIDTH }
}

/// The width of the output where no terminal says how wide it is.
pub(crate) const WIDTH: u16 = 120;

/// The blanks in a column behind its content.
pub(crate) const GAP: u16 = 2;

/// How wide a table wants to be.
pub fn content_width(table: &Table) -> u16 {
    let columns = table.column_max_content_widths();
    columns.iter().sum::<u16>() + GAP * (columns.len() as u16).saturating_sub(1)
}

/// An empty table, no wider than the terminal, with colours only where they are seen.
pub fn table() -> Table {
    const STYLE: TableStyle =
        TableStyle::new().header_separator(LineStyle { left: None, fill: Some('─'), junction: None, right: None });
    let mut table = Table::new();
    table.load_style(STYLE).set_content_arrangement(ContentArrangement::Dynamic).set_width(width());
    if console::colors_enabled() {
        table.enforce_styling();
    } else {
        table.force_no_tty();
    }
    table
}

/// The table's text, without the blanks that fill its last column.
pub fn text(table: &Table) -> String {
    let mut table = table.clone();
    let gaps = table.column_count().saturating_sub(1);
    for (index, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, if index < gaps { GAP } else { 0 }));
    }
    // Where a line may not be broken, the cells have blanks that do not break; nobody wants to paste those.
    table.lines().map(|line| line.replace('\u{a0}', " ").trim_end().to_owned() + "\n").collect()
}

/// A cell in bold.
pub(crate) fn bold(content: impl ToString) -> Cell {
    Cell::new(content).add_attribute(Attribute::Bold)
}
