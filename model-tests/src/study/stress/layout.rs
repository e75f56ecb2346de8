//! The stress of one layout: one generation of threads after another.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use super::generation::{Size, run};
use super::heap;
use super::plan::{Ending, Plan, Row, Until};
use super::profile::Profile;
use super::watchdog::{Progress, watch};

/// Stresses the profile `P`.
pub(super) fn stress<P: Profile>(layout: &'static str, plan: Plan) -> Result<Row, Ending> {
    heap::begin();
    if !heap::is_counted() {
        return Err(Ending::Unmeasured);
    }
    watch(plan.stall, move |progress| generations::<P>(layout, plan.until, progress))
}

fn generations<P: Profile>(layout: &'static str, until: Until, progress: &Arc<Progress>) -> Row {
    let begun = Instant::now();
    let size = Size::for_this_machine();
    let mut row = Row { layout, ..Row::default() };
    // The profile may have been stressed before in this process.
    let mut counted = run::<P>(size, P::snapshot(), progress, &mut row);
    let (in_use, threads) = (heap::in_use(), row.threads);
    loop {
        counted = run::<P>(size, counted, progress, &mut row);
        let is_enough = match until {
            Until::Elapsed(time) => begun.elapsed() >= time,
            Until::Reached { threads, events } => row.threads >= threads && row.events >= events,
        };
        if is_enough {
            break;
        }
    }
    let allowed = GROWTH_ALLOWED + GROWTH_ALLOWED_PER_THREAD * (row.threads - threads) as i64;
    let growth = || heap::in_use() - in_use;
    row.memory_growth = growth();
    for _ in 0..LOOKS {
        if row.memory_growth <= allowed {
            break;
        }
        thread::sleep(SETTLING / LOOKS);
        row.memory_growth = growth();
    }
    row.memory_grows = row.memory_growth > allowed;
    if row.memory_grows {
        let (growth, threads) = (row.memory_growth, row.threads - threads);
        row.fault("memory growth", || {
            format!("the heap in use grew by {growth} bytes while {threads} threads lived; {allowed} are allowed")
        });
    }
    row
}

const GROWTH_ALLOWED: i64 = 4096;
const GROWTH_ALLOWED_PER_THREAD: i64 = 4;

/// For how long, and how often in it, a heap that is too large is looked at again.
const SETTLING: Duration = Duration::from_secs(2);
const LOOKS: u32 = 50;
