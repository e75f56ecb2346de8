//! Whatever is done with several recorders, every snapshot of a profile is exact.

use arbitrary::{Arbitrary, Unstructured};
use countersign::{
    AllocProfile, ClassCounts, Counts, Folding, Go, Layout, Padded, ProfileRecorder, Sharded, Shared, SizeClasses,
    Slots,
};
use countersign_proofs::law;

/// The classes of the profiles.
pub const CLASSES: usize = Go::COUNT;

/// What was recorded, counted by the law and nothing else.
#[derive(Clone, Debug)]
pub struct Oracle {
    counts: [ClassCounts; CLASSES],
}

/// Something that is done with a profile. A recorder is named by a number, modulo how many there are.
#[derive(Arbitrary, Clone, Debug)]
pub enum Operation {
    /// Another recorder.
    Register,
    /// A recorder is dropped, if there is one.
    Retire(u8),
    /// An alloc, through a recorder if there is one.
    Alloc(u8, u64),
    /// A free, through a recorder if there is one.
    Free(u8, u64),
    /// An alloc without a recorder.
    AllocWithout(u64),
    /// A free without a recorder.
    FreeWithout(u64),
    /// A snapshot, which must be exact.
    Snapshot,
}

impl Oracle {
    /// Nothing was recorded.
    pub fn new() -> Self {
        Self { counts: [ClassCounts::default(); CLASSES] }
    }

    /// Counts what the operation records.
    pub fn count(&mut self, operation: &Operation) {
        use Operation::{Alloc, AllocWithout, Free, FreeWithout, Register, Retire, Snapshot};
        match operation {
            Alloc(_, 0) | AllocWithout(0) | Free(_, 0) | FreeWithout(0) | Register | Retire(_) | Snapshot => {}
            Alloc(_, size) | AllocWithout(size) => self.counts[law::class(Go::UPPER_BOUNDS, *size)].allocs += 1,
            Free(_, size) | FreeWithout(size) => self.counts[law::class(Go::UPPER_BOUNDS, *size)].frees += 1,
        }
    }

    /// The property: a snapshot equals what was recorded.
    pub fn judge(&self, snapshot: &impl Counts) {
        let (seen, recorded) = (snapshot.classes(), &self.counts);
        assert_eq!(seen.len(), recorded.len());
        for (class, (seen, recorded)) in seen.iter().zip(recorded).enumerate() {
            assert_eq!(seen, recorded, "class {class}");
        }
    }
}

impl Default for Oracle {
    fn default() -> Self {
        Self::new()
    }
}

/// Does the operations one after the other, and takes a snapshot at the end. Few slots and shards, so that they run out.
fn on<L: Layout>(operations: &[Operation]) {
    let profile = AllocProfile::<L, Go>::default();
    let mut recorders: Vec<ProfileRecorder<'_, L, Go>> = Vec::new();
    let mut oracle = Oracle::new();
    let at = |recorder: u8, count: usize| usize::from(recorder).checked_rem(count);
    for operation in operations {
        oracle.count(operation);
        match *operation {
            Operation::Register => recorders.push(profile.register()),
            Operation::Retire(recorder) => {
                if let Some(position) = at(recorder, recorders.len()) {
                    recorders.swap_remove(position);
                }
            }
            Operation::Alloc(recorder, size) => match at(recorder, recorders.len()) {
                Some(position) => recorders[position].record_alloc(size as usize),
                None => profile.record_alloc(size as usize),
            },
            Operation::Free(recorder, size) => match at(recorder, recorders.len()) {
                Some(position) => recorders[position].record_free(size as usize),
                None => profile.record_free(size as usize),
            },
            Operation::AllocWithout(size) => profile.record_alloc(size as usize),
            Operation::FreeWithout(size) => profile.record_free(size as usize),
            Operation::Snapshot => oracle.judge(&profile.snapshot()),
        }
    }
    oracle.judge(&profile.snapshot());
    drop(recorders);
    oracle.judge(&profile.snapshot());
}

/// Runs the body.
pub fn run(data: &[u8]) {
    let input = <(u8, Vec<Operation>)>::arbitrary_take_rest(Unstructured::new(data));
    if let Ok((layout, operations)) = input {
        const LAYOUTS: [fn(&[Operation]); 5] = [
            on::<Slots<CLASSES, 2>>,
            on::<Folding<CLASSES>>,
            on::<Sharded<CLASSES, 2>>,
            on::<Padded<CLASSES>>,
            on::<Shared<CLASSES>>,
        ];
        LAYOUTS[usize::from(layout) % LAYOUTS.len()](&operations);
    }
}
