//! The comparison as a table, and in full what differs.

use comfy_table::{Attribute, Cell as TableCell, Color};

use crate::engine::EngineName;
use crate::report::execution::{self, Rows};
use crate::report::table::{table, text};
use crate::scenario::Cell;
use crate::study::coverage::{self, Comparison, Judged, Judgement, Known, cause};

/// A row for each layout and scenario, a column for each engine, and below them what differs.
pub fn render(all: &[Judged], engines: &[EngineName], gone: &[(&Known, &str)]) -> String {
    let mut table = table();
    table.set_header(["layout", "scenario"].into_iter().chain(engines.iter().map(|engine| engine.as_str())));
    let names = |judged: &Judged| (judged.cell.layout.name, judged.cell.scenario.name);
    let mut seen = Vec::new();
    for (layout, scenario) in all.iter().map(names) {
        if seen.contains(&(layout, scenario)) {
            continue;
        }
        seen.push((layout, scenario));
        let sizes = |engine: &EngineName| {
            let of_engine = all.iter().filter(|judged| judged.cell.engine == *engine);
            overview(of_engine.filter(|judged| names(judged) == (layout, scenario)))
        };
        let title = [TableCell::new(layout), TableCell::new(scenario)];
        table.add_row(title.into_iter().chain(engines.iter().map(sizes)));
    }
    let mut report = format!("{}\n{LEGEND}\n", text(&table));
    for judged in all {
        report += &in_full(judged);
    }
    for (known, scenario) in gone {
        let Known { layout, engine, .. } = known;
        report += &format!(
            "\n{layout}, {scenario}, on {engine}: what was known is no longer so, and its entry is to be reviewed: {}\n",
            cause(known)
        );
    }
    let count = |is: fn(&Judged) -> bool| all.iter().filter(|judged| is(judged)).count();
    let differ = count(Judged::differs);
    let unknown = count(|judged| matches!(judged.judgement, Judgement::Unknown(_)));
    let broken = count(|judged| matches!(judged.judgement, Judgement::Broken));
    let excused = count(|judged| !judged.differs() && !judged.known().is_empty());
    format!(
        "{report}\n{} cells compared: {differ} differ, {broken} are of broken layouts, {unknown} could not be compared; \
         {excused} differ as is known\n",
        all.len() - unknown
    )
}

const LEGEND: &str = "\
In each cell: outcomes reached / outcomes that the graph engine reaches, all sizes together. Engines that sample need not
reach all; shuttle is compared with the sequentially consistent outcomes. `broken`: a claim fails on the graph engine, and
on this one too, or it does not say that it would have seen it. `-`: there is nothing to run.";

fn overview<'a>(sizes: impl Iterator<Item = &'a Judged>) -> TableCell {
    let mut sizes = sizes.peekable();
    if sizes.peek().is_none() {
        return TableCell::new("-");
    }
    let (mut reached, mut reference, mut differs, mut is_broken) = (0, 0, false, false);
    for judged in sizes {
        match &judged.judgement {
            Judgement::Unknown(_) if judged.is_unknown() => {
                return TableCell::new("NOT COMPARED").fg(Color::Yellow).add_attribute(Attribute::Bold);
            }
            Judgement::Unknown(_) => return TableCell::new("known: refused"),
            Judgement::Compared(found) => {
                reached += found.reached.len();
                reference += found.reference.len();
            }
            Judgement::Broken | Judgement::Blind(_) | Judgement::Alarm(_) => is_broken = true,
        }
        differs |= judged.differs();
    }
    let what = if is_broken { "broken".to_owned() } else { format!("{reached}\u{a0}/\u{a0}{reference}") };
    if differs {
        return TableCell::new(format!("DIFFERS {what}")).fg(Color::Red).add_attribute(Attribute::Bold);
    }
    TableCell::new(what)
}

/// What differs in a cell, and an execution for the first outcome that is missing.
fn in_full(judged: &Judged) -> String {
    let cell = &judged.cell;
    let mut text = match &judged.judgement {
        Judgement::Compared(found) => outcomes(cell, found),
        Judgement::Broken => String::new(),
        Judgement::Blind(violation) => {
            format!("\n{cell}: says that it explored everything, and does not see: {violation}\n")
        }
        Judgement::Alarm(violation) => {
            format!("\n{cell}: sees what the memory model does not allow: {violation}\n")
        }
        Judgement::Unknown(why) => format!("\n{cell}: not compared: {why}\n"),
    };
    for known in judged.known() {
        text += &format!("  the cause is known: {}\n", cause(known));
    }
    text
}

fn outcomes(cell: &Cell, found: &Comparison) -> String {
    let mut text = String::new();
    for outcome in found.missing() {
        text += &format!("\n{cell}: never reaches {outcome}\n");
    }
    if let Some((outcome, execution)) =
        found.missing().first().and_then(|outcome| Some((*outcome, coverage::execution(cell, outcome)?)))
    {
        text += &format!("\n{}", execution::execution(&execution.trace, Ok(outcome), Rows::All));
    }
    for outcome in found.invented() {
        text += &format!("\n{cell}: reaches {outcome}, which the memory model does not allow\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::coverage::KNOWN;

    #[test]
    fn what_is_known_and_no_longer_so_is_named() {
        let text = render(&[], &[EngineName::Loom], &[(&KNOWN[0], "exit_while_snapshot")]);
        assert!(text.contains("no longer so") && text.contains("tokio-rs/loom #166"), "{text}");
    }
}
