//! The harnesses: each claim, of each table.

use countersign::{Go, Jemalloc, Llgo, SizeClasses};

use super::claims::{is_exact_at_each_edge, is_monotone, keeps_the_law};

macro_rules! harnesses {
    ($($module:ident: $table:ty;)*) => {
        $(
            /// The harnesses of one table.
            pub mod $module {
                use super::*;

                /// Every size has its lawful class.
                #[cfg_attr(kani, kani::proof)]
                pub fn law() {
                    keeps_the_law(<$table>::UPPER_BOUNDS, <$table>::index);
                }

                /// Each edge is exact, on both its sides.
                #[cfg_attr(kani, kani::proof)]
                pub fn edges() {
                    is_exact_at_each_edge(<$table>::UPPER_BOUNDS, <$table>::index);
                }

                /// A larger size is in no smaller class.
                #[cfg_attr(kani, kani::proof)]
                pub fn monotone() {
                    is_monotone(<$table>::index);
                }
            }
        )*

        /// The harnesses, by table.
        pub const HARNESSES: &[(&str, [fn(); 3])] =
            &[$((stringify!($module), [$module::law, $module::edges, $module::monotone])),*];
    };
}

harnesses! {
    llgo: Llgo;
    go: Go;
    jemalloc: Jemalloc;
}
