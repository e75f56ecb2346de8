//! The audit of a layout's orderings, as a table and as data.

use std::fmt;
use std::process::{ExitCode, Termination};

use comfy_table::{Attribute, Cell as TableCell, Color};
use serde::Serialize;

use super::failures::{self, Failure};
use crate::engine::wrap::rewriting::{Instead, Site};
use crate::report::execution::{self, Rows};
use crate::report::table::{table, text};
use crate::study::check::SizeReport;
use crate::study::orderings::{AuditedSite, Fate, Kill, OrderingAudit};
use crate::subject::layouts;

/// [`OrderingAudit`], as it is reported.
#[derive(Debug, Serialize)]
pub struct LayoutReport {
    layout: String,
    as_written: FateReport,
    sites: Vec<SiteReport>,
    weakest: Vec<WeakestReport>,
}

#[derive(Debug, Serialize)]
struct SiteReport {
    #[serde(flatten)]
    place: PlaceReport,
    comment: Option<bool>,
    weaker: Vec<WeakerReport>,
}

#[derive(Debug, Serialize)]
struct PlaceReport {
    file: &'static str,
    line: u32,
    column: u32,
    operation: &'static str,
    ordering: String,
}

#[derive(Debug, Serialize)]
struct WeakerReport {
    instead: String,
    #[serde(flatten)]
    fate: FateReport,
}

#[derive(Debug, Serialize)]
struct WeakestReport {
    #[serde(flatten)]
    place: PlaceReport,
    instead: String,
}

#[derive(Debug, Serialize)]
struct FateReport {
    fate: &'static str,
    engine: Option<&'static str>,
    scenario: Option<&'static str>,
    size: Option<SizeReport>,
    claim: Option<&'static str>,
    why: Option<String>,
    operations: Option<usize>,
}

impl LayoutReport {
    /// The report of an audit.
    pub fn new(audit: &OrderingAudit) -> Self {
        let weaker = |(instead, fate): &(Instead, Fate)| WeakerReport {
            instead: instead.to_string(),
            fate: FateReport::new(fate),
        };
        let site = |AuditedSite { site, has_comment, weaker: all }: &AuditedSite| SiteReport {
            place: PlaceReport::new(*site),
            comment: *has_comment,
            weaker: all.iter().map(weaker).collect(),
        };
        let weakest = |(site, instead): &(Site, Instead)| WeakestReport {
            place: PlaceReport::new(*site),
            instead: instead.to_string(),
        };
        Self {
            layout: audit.layout.clone(),
            as_written: FateReport::new(&audit.as_written),
            sites: audit.sites.iter().map(site).collect(),
            weakest: audit.weakest.iter().map(weakest).collect(),
        }
    }
}

impl PlaceReport {
    fn new(Site { file, line, column, role, order }: Site) -> Self {
        Self { file, line, column, operation: role.as_str(), ordering: format!("{order:?}") }
    }
}

impl FateReport {
    fn new(fate: &Fate) -> Self {
        let kill = if let Fate::Killed(kill) = fate { Some(&**kill) } else { None };
        let why = match fate {
            Fate::Killed(kill) => Some(kill.why.clone()),
            Fate::Survives => None,
            Fate::Accepted(accepted) => Some(accepted.why.to_owned()),
            Fate::Unknown(why) => Some(why.clone()),
        };
        Self {
            fate: fate.as_str(),
            engine: kill.map(|kill| kill.engine.as_str()),
            scenario: kill.map(|kill| kill.scenario),
            size: kill.map(|kill| kill.size.into()),
            claim: kill.map(|kill| kill.claim.as_str()),
            why,
            operations: kill.and_then(operations),
        }
    }
}

/// How many operations the failing execution has.
fn operations(kill: &Kill) -> Option<usize> {
    kill.counterexample.as_ref().map(|found| found.trace.len())
}

/// The audit of one layout as text; with the failing executions if they are wanted in full.
pub fn render(audit: &OrderingAudit, full: bool) -> String {
    let mut report = format!("\n{}\n", console::style(&audit.layout).bold());
    if let Fate::Killed(kill) = &audit.as_written {
        let is_named = layouts::find(&audit.layout).is_ok();
        let others: Vec<_> = kill.failures.iter().map(Failure::from).collect();
        return report
            + "a claim fails as it is written, so there is nothing to weaken\n"
            + &failures::claims(&others)
            + &format!("\n{}", in_full(kill, if full { Rows::All } else { Rows::Most }))
            + &failures::others(&others, kill.scenario, "`check` and `verify` have them in full", is_named);
    }
    if let Fate::Unknown(why) = &audit.as_written {
        return report + &format!("as it is written, not everything could be explored: {why}\n");
    }
    if audit.sites.is_empty() {
        return report + "no operation on an atomic was met, so there is nothing to weaken\n";
    }
    let mut sites = table();
    sites.set_header(["line", "operation", "is", "weaker", "then fails", "in", "on", "threads", "operations"]);
    for AuditedSite { site, weaker, .. } in &audit.sites {
        for (index, (instead, fate)) in weaker.iter().enumerate() {
            let file = site.file.rsplit(['/', '\\']).next().unwrap_or(site.file);
            let line = format!("{file}:{}", site.line);
            let of_site = [line, site.role.as_str().to_owned(), format!("{:?}", site.order)];
            // What is the same as in the row above is not said again.
            let of_site = if index == 0 { of_site } else { Default::default() };
            let row = of_site.map(TableCell::new).into_iter().chain([TableCell::new(instead)]);
            sites.add_row(row.chain(fate_cells(fate)));
        }
    }
    report += &text(&sites);
    for (site, instead, fate) in fates(audit) {
        match fate {
            Fate::Killed(kill) if full => report += &format!("\n{site} as {instead}\n{}", in_full(kill, Rows::All)),
            Fate::Survives => report += &format!("\n{site}: stronger than any scenario needs, {instead} would do\n"),
            Fate::Accepted(accepted) => report += &format!("\n{site}: {instead} would do: {}\n", accepted.why),
            Fate::Unknown(why) => {
                report += &format!("\n{site} as {instead}: not everything could be explored: {why}\n");
            }
            Fate::Killed(_) => {}
        }
    }
    for AuditedSite { site, has_comment, .. } in &audit.sites {
        match has_comment {
            Some(true) => {}
            Some(false) => report += &format!("\n{site}: no comment within three lines above it\n"),
            None => report += &format!("\n{site}: the source cannot be read here, so nobody looked for its comment\n"),
        }
    }
    if !audit.weakest.is_empty() {
        report += "\nThese would do, all at once:\n";
        report.extend(audit.weakest.iter().map(|(site, instead)| format!("  {site}: {instead}\n")));
    }
    let count = |is: fn(&Fate) -> bool| fates(audit).filter(|(_, _, fate)| is(fate)).count();
    report
        + &format!(
            "\n{} operations were met, {} ways to weaken one: {} killed, {} survive, {} accepted\n",
            audit.sites.len(),
            count(|_| true),
            count(|fate| matches!(fate, Fate::Killed(_))),
            count(|fate| matches!(fate, Fate::Survives)),
            count(|fate| matches!(fate, Fate::Accepted(_))),
        )
}

fn fates(audit: &OrderingAudit) -> impl Iterator<Item = (Site, Instead, &Fate)> {
    audit.sites.iter().flat_map(|site| site.weaker.iter().map(|(instead, fate)| (site.site, *instead, fate)))
}

fn fate_cells(fate: &Fate) -> Vec<TableCell> {
    match fate {
        Fate::Killed(kill) => {
            let operations = operations(kill).map_or_else(|| "many".to_owned(), |number| number.to_string());
            let words = [kill.claim.as_str(), kill.scenario, kill.engine.as_str()].map(TableCell::new);
            words.into_iter().chain([kill.size.threads.to_string(), operations].map(TableCell::new)).collect()
        }
        Fate::Survives => vec![TableCell::new("SURVIVES").fg(Color::Red).add_attribute(Attribute::Bold)],
        Fate::Accepted(_) => vec![TableCell::new("nothing, see below")],
        Fate::Unknown(_) => vec![TableCell::new("UNKNOWN").fg(Color::Yellow).add_attribute(Attribute::Bold)],
    }
}

fn in_full(kill: &Kill, rows: Rows) -> String {
    let Kill { engine, scenario, size, why, counterexample, .. } = kill;
    let title = format!("{scenario} on {engine}, {}\n", SizeReport::from(*size));
    match counterexample {
        Some(found) => title + &execution::counterexample(found, false, rows),
        None => format!("{title}{why}\n"),
    }
}

impl fmt::Display for OrderingAudit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&render(self, false))
    }
}

impl Termination for OrderingAudit {
    fn report(self) -> ExitCode {
        print!("{self}");
        ExitCode::from(self.exit_code())
    }
}
