#![allow(missing_docs)]
use countersign_models::{catalog, cell::Cell, engine::{Budget, EngineName}};
use std::time::Duration;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let engine: EngineName = args[1].parse().unwrap();
    let filter = args.get(2).cloned().unwrap_or_default();
    let budget = Budget { executions: 300_000, samples: 2000, time: Duration::from_secs(40) };
    let layouts = catalog::layouts().into_iter().chain(catalog::mutants());
    for layout in layouts {
        for scenario in catalog::scenarios() {
            if !format!("{} {}", layout.name, scenario.name).contains(&filter) { continue }
            for cell in Cell::all(&layout, &scenario, engine) {
                let e = cell.explore(&budget);
                let s = cell.size;
                println!("{:<28} {:<42} t{} e{} r{} {:>8} {:>4} {:>6}ms {} {}", layout.name, scenario.name, s.threads, s.events, s.snapshots, e.executions, e.outcomes.len(), e.elapsed.as_millis(), e.verdict.name(), e.verdict.why().unwrap_or_default());
            }
        }
    }
}
