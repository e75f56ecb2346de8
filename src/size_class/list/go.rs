//! Go's size classes.

use super::table::{Table, UpperBounds};

/// Go's size classes for small objects, 8 B to 32 KiB.
///
/// Go numbers 68 classes, of which 0 stands for large objects and has no bound. It is left out here, so there are 67,
/// and Go's number of a class is one more. Large objects are in the last class, as the law has it.
pub type Go = Table<GoBounds>;

/// The upper bounds of [`Go`].
#[derive(Clone, Copy, Debug)]
pub enum GoBounds {}

impl UpperBounds for GoBounds {
    // The sizes that `src/runtime/sizeclasses.go` of golang/go lists as `class_to_size`, unchanged from Go 1.16 on; the
    // file is `src/internal/runtime/gc/sizeclasses.go` in later versions.
    #[rustfmt::skip]
    const UPPER_BOUNDS: &'static [u64] = &[
        8, 16, 24, 32, 48, 64, 80, 96, 112, 128,
        144, 160, 176, 192, 208, 224, 240, 256,
        288, 320, 352, 384, 416, 448, 480, 512,
        576, 640, 704, 768, 896, 1_024,
        1_152, 1_280, 1_408, 1_536, 1_792, 2_048,
        2_304, 2_688, 3_072, 3_200, 3_456, 4_096,
        4_864, 5_376, 6_144, 6_528, 6_784, 6_912, 8_192,
        9_472, 9_728, 10_240, 10_880, 12_288, 13_568, 14_336, 16_384,
        18_432, 19_072, 20_480, 21_760, 24_576, 27_264, 28_672, 32_768,
    ];
}
