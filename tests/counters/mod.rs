//! A profile of each layout, for checks that a broken counter fails.

#[path = "../every_layout/mod.rs"]
mod every_layout;

use countersign::{AllocProfile, Folding, Llgo, Padded, Sharded, Shared, Slots};

use every_layout::every_layout;

/// Counts events of one kind.
pub(crate) trait Counter: 'static {
    fn record();
    fn counted() -> u64;
}

/// Declares a profile of each layout.
macro_rules! profiles {
    ($($module:ident: $layout:ty = $new:expr;)*) => {
        $(pub(crate) mod $module {
            use super::*;

            countersign::thread_profile! {
                pub(crate) static HEAP: AllocProfile<$layout, Llgo> = AllocProfile::new($new);
            }

            impl Counter for HEAP {
                fn record() {
                    HEAP.record_alloc(1);
                }

                fn counted() -> u64 {
                    HEAP.snapshot().totals().allocs
                }
            }
        })*
    };
}

every_layout!(profiles);

/// What `$check` says of each of them.
macro_rules! on_each_profile {
    ($check:ident) => {
        [
            ("slots", $check::<crate::counters::slots::HEAP>()),
            ("one slot", $check::<crate::counters::one_slot::HEAP>()),
            ("folding", $check::<crate::counters::folding::HEAP>()),
            ("sharded", $check::<crate::counters::sharded::HEAP>()),
            ("padded", $check::<crate::counters::padded::HEAP>()),
            ("shared", $check::<crate::counters::shared::HEAP>()),
        ]
    };
}

pub(crate) use on_each_profile;
