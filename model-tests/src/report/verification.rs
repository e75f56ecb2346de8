//! A verification of a layout of one's own: run, and shown.

use std::fmt;
use std::process::{ExitCode, Termination};

use countersign::Layout;

use crate::report::layouts::check::{self, CUT_SHORT, Shown};
use crate::report::layouts::failures::{Extent, Failure};
use crate::study::check::{CellReport, Verification, Verify};

/// Verifies `L` in every scenario, on every engine, within the quick budget.
pub fn verify<L: Layout>() -> Verification {
    Verify::new::<L>().run()
}

impl Verify {
    /// Verifies it, on all cores. The first failure is printed as soon as it is found.
    pub fn run(self) -> Verification {
        let mut first: Option<Option<CellReport>> = None;
        let mut verification = self.explore(|report| {
            if report.is_failure() && first.is_none() {
                let (text, is_whole) = Failure::from(report).at_once(false);
                print!("{text}");
                first = Some(is_whole.then(|| report.cell.clone()));
            }
        });
        verification.printed = first.flatten();
        verification
    }
}

impl Verification {
    /// Does nothing if all claims [hold](Self::holds).
    ///
    /// # Panics
    ///
    /// If not, with the table as the message.
    #[track_caller]
    pub fn assert_holds(&self) {
        assert!(self.holds(), "the layout was not verified\n\n{self}");
    }

    /// The table, and every counterexample in full.
    pub fn in_full(&self) -> String {
        self.text(Shown { extent: Extent::All, above: None })
    }

    fn text(&self, shown: Shown<'_>) -> String {
        let mut text = check::render(&self.report, &self.counterexamples, Some(&self.layout), self.elapsed, shown);
        if self.cut_short {
            text += CUT_SHORT;
        }
        for cells in self.left_out.chunk_by(|left, right| left.scenario.name == right.scenario.name) {
            for engines in cells.chunk_by(|left, right| left.lacks() == right.lacks()) {
                let mut names: Vec<_> = engines.iter().map(|cell| cell.engine.as_str()).collect();
                names.dedup();
                let lacks = engines[0].lacks().unwrap_or_default();
                let (scenario, names) = (engines[0].scenario.name, names.join(", "));
                text += &format!("left out, for want of an instance with {lacks}: {scenario} on {names}\n");
            }
        }
        text.extend(self.errors.iter().map(|error| format!("error: {error}\n")));
        text
    }
}

/// The table, the smallest counterexample as far as a screen holds it, and below them what was not explored.
impl fmt::Display for Verification {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(Shown::default()))
    }
}

/// Prints the table, and gives the exit code of `countersign check`.
impl Termination for Verification {
    fn report(self) -> ExitCode {
        print!("{}", self.text(Shown { extent: Extent::Screen, above: self.printed.as_ref() }));
        ExitCode::from(self.exit_code())
    }
}
