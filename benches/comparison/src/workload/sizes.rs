//! The sizes of the blocks that the workers count.

use std::sync::OnceLock;

use countersign::{Llgo, SizeClasses};

use crate::workload::orders;
use crate::workload::switch;

/// A list of sizes that a worker goes through again and again.
#[derive(Clone, Copy)]
pub(crate) struct Sizes {
    pub(crate) name: &'static str,
    pub(crate) list: &'static [u32],
}

/// Short enough for the first-level cache, so that reading the sizes costs next to nothing. The recorded list is longer,
/// and read in its order.
const SHORT: usize = 4096;

/// All lists: one size, all classes, and what a program asks for.
pub(crate) fn all() -> [Sizes; 3] {
    [
        Sizes { name: "fixed", list: fixed() },
        Sizes { name: "mixed", list: mixed() },
        Sizes { name: "recorded", list: recorded() },
    ]
}

/// One size, so that all workers meet in one class.
fn fixed() -> &'static [u32] {
    static LIST: [u32; SHORT] = [64; SHORT];
    &LIST
}

/// Every class as often as any other, in no order that a processor could learn.
fn mixed() -> &'static [u32] {
    static LIST: OnceLock<Vec<u32>> = OnceLock::new();
    LIST.get_or_init(|| {
        let mut random = fastrand::Rng::with_seed(1);
        let bounds = Llgo::UPPER_BOUNDS;
        let size = |class: usize| bounds[class] as u32 - (class as u32 % 8);
        (0..SHORT).map(|_| size(random.usize(..bounds.len()))).collect()
    })
}

/// The sizes of the blocks that a thread of the core's example asks for, in its order, those of reallocations included.
fn recorded() -> &'static [u32] {
    static LIST: OnceLock<Vec<u32>> = OnceLock::new();
    LIST.get_or_init(|| {
        let document = orders::document(0);
        switch::recorded(|| {
            while switch::recording() {
                orders::parsed_and_written(&document);
            }
        })
    })
}
