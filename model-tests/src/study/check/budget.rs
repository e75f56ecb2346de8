//! The budgets: how much a run may do, as sets of numbers with a name.

use std::time::Duration;

use clap::ValueEnum;

use crate::engine::Budget;

/// A named budget.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum BudgetName {
    /// Under a minute for everything, on two cores.
    #[default]
    Quick,
    /// Before each merge: as quick, but with more samples.
    Ci,
    /// Overnight.
    Deep,
}

impl BudgetName {
    /// Every budget, smallest first.
    pub const ALL: [Self; 3] = [Self::Quick, Self::Ci, Self::Deep];

    /// The name as it is written on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Quick => "quick",
            Self::Ci => "ci",
            Self::Deep => "deep",
        }
    }

    /// The numbers. The time is that of one layout, scenario and engine, all sizes together.
    pub const fn numbers(self) -> Budget {
        match self {
            Self::Quick => Budget { executions: 2_000_000, samples: 300, time: Duration::from_secs(120) },
            Self::Ci => Budget { executions: 2_000_000, samples: 1_000, time: Duration::from_secs(300) },
            Self::Deep => Budget { executions: 200_000_000, samples: 100_000, time: Duration::from_secs(7_200) },
        }
    }
}
