//! The layouts, for tests that make a static profile of each.

/// Hands every layout to the macro `$make`: a name for its module, its type, and its value.
macro_rules! every_layout {
    ($make:ident) => {
        $make! {
            slots: Slots<{ Llgo::COUNT }> = Slots::new();
            one_slot: Slots<{ Llgo::COUNT }, 1> = Slots::new();
            folding: Folding<{ Llgo::COUNT }> = Folding::new();
            sharded: Sharded<{ Llgo::COUNT }> = Sharded::new();
            padded: Padded<{ Llgo::COUNT }> = Padded::new();
            shared: Shared<{ Llgo::COUNT }> = Shared::new();
        }
    };
}

pub(crate) use every_layout;
