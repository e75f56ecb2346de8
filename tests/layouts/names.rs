//! Every layout names each of its cells and mutexes, with two classes and two slots or shards.

use countersign::{Folding, Layout, Padded, Sharded, Shared, Slots};

use crate::observed::{Observed, alive, names};

/// The names in the order in which they are given, for a layout that has as many cells.
fn of<L: Layout>() -> Vec<String> {
    names();
    let layout = L::default();
    let names = names();
    assert_eq!(alive(), names.len(), "a name for each cell");
    drop(layout);
    names
}

#[test]
fn slots() {
    let owners = ["slots[0].owner", "slots[1].owner"];
    let first = ["slots[0].allocs[0]", "slots[0].allocs[1]", "slots[0].frees[0]", "slots[0].frees[1]"];
    let second = ["slots[1].allocs[0]", "slots[1].allocs[1]", "slots[1].frees[0]", "slots[1].frees[1]"];
    let overflow = ["overflow.allocs[0]", "overflow.allocs[1]", "overflow.frees[0]", "overflow.frees[1]"];
    assert_eq!(of::<Slots<2, 2, Observed>>(), [&owners[..], &first, &second, &overflow, &["mark"]].concat());
}

#[test]
fn sharded() {
    let first_class = ["shards[0].allocs[0]", "shards[0].frees[0]", "shards[1].allocs[0]", "shards[1].frees[0]"];
    let second_class = ["shards[0].allocs[1]", "shards[0].frees[1]", "shards[1].allocs[1]", "shards[1].frees[1]"];
    assert_eq!(of::<Sharded<2, 2, Observed>>(), [&first_class[..], &second_class, &["registered"]].concat());
}

#[test]
fn padded() {
    assert_eq!(
        of::<Padded<2, Observed>>(),
        ["classes[0].allocs", "classes[0].frees", "classes[1].allocs", "classes[1].frees"]
    );
}

#[test]
fn shared() {
    assert_eq!(of::<Shared<2, Observed>>(), ["allocs[0]", "allocs[1]", "frees[0]", "frees[1]"]);
}

/// The nodes of two threads have the same names.
#[test]
fn folding() {
    names();
    let layout = Folding::<2, Observed>::default();
    assert_eq!(names(), ["registry"]);
    let node = ["node.allocs[0]", "node.allocs[1]", "node.frees[0]", "node.frees[1]"];
    let first = layout.register();
    assert_eq!(names(), node);
    let second = layout.register();
    assert_eq!(names(), node);
    assert_eq!(alive(), 2 * node.len());
    drop((first, second));
}
