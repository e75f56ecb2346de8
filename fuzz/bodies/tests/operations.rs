//! Sequences of records, snapshots and threads that come and go, against the oracle: recorders are used by threads of
//! their own, and an exit is the exit of a thread.
//!
//! A sequence that fails is made smaller, and its seed is kept in `operations.proptest-regressions`, which is committed.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, Scope, ScopedJoinHandle};

use countersign::{AllocProfile, Folding, Go, Layout, Padded, Sharded, Shared, Slots};
use countersign_fuzz_bodies::profile_ops::{CLASSES, Operation, Oracle};
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;

/// A thread with a recorder, which does what it is told, one operation at a time.
struct Worker<'scope> {
    orders: Sender<Operation>,
    done: Receiver<()>,
    thread: ScopedJoinHandle<'scope, ()>,
}

impl<'scope> Worker<'scope> {
    fn start<'env, L: Layout>(scope: &'scope Scope<'scope, 'env>, profile: &'env AllocProfile<L, Go>) -> Self {
        let (orders, to_do) = channel();
        let (tell, done) = channel();
        let thread = scope.spawn(move || {
            let recorder = profile.register();
            tell.send(()).expect("the test is there");
            while let Ok(order) = to_do.recv() {
                match order {
                    Operation::Alloc(_, size) => recorder.record_alloc(size as usize),
                    Operation::Free(_, size) => recorder.record_free(size as usize),
                    other => unreachable!("{other:?} is nothing that a recorder does"),
                }
                tell.send(()).expect("the test is there");
            }
        });
        done.recv().expect("the thread registers");
        Self { orders, done, thread }
    }

    fn order(&self, operation: &Operation) {
        self.orders.send(operation.clone()).expect("the thread is there");
        self.done.recv().expect("the thread records");
    }

    fn exit(self) {
        drop(self.orders);
        self.thread.join().expect("the thread exits");
    }
}

fn run<L: Layout>(operations: &[Operation]) {
    let profile = AllocProfile::<L, Go>::default();
    let mut oracle = Oracle::new();
    thread::scope(|scope| {
        let mut workers: Vec<Worker<'_>> = Vec::new();
        let at = |worker: u8, count: usize| usize::from(worker).checked_rem(count);
        for operation in operations {
            oracle.count(operation);
            match *operation {
                Operation::Register => workers.push(Worker::start(scope, &profile)),
                Operation::Retire(worker) => {
                    if let Some(position) = at(worker, workers.len()) {
                        workers.swap_remove(position).exit();
                    }
                }
                Operation::Alloc(worker, size) => match at(worker, workers.len()) {
                    Some(position) => workers[position].order(operation),
                    None => profile.record_alloc(size as usize),
                },
                Operation::Free(worker, size) => match at(worker, workers.len()) {
                    Some(position) => workers[position].order(operation),
                    None => profile.record_free(size as usize),
                },
                Operation::AllocWithout(size) => profile.record_alloc(size as usize),
                Operation::FreeWithout(size) => profile.record_free(size as usize),
                Operation::Snapshot => oracle.judge(&profile.snapshot()),
            }
        }
        oracle.judge(&profile.snapshot());
        workers.into_iter().for_each(Worker::exit);
    });
    oracle.judge(&profile.snapshot());
}

/// Sizes of all magnitudes, and the edges of the first classes.
fn size() -> impl Strategy<Value = u64> {
    prop_oneof![0_u64..=65, (0_u32..64, any::<u64>()).prop_map(|(shift, size)| size >> shift)]
}

fn operation() -> impl Strategy<Value = Operation> {
    prop_oneof![
        2 => Just(Operation::Register),
        2 => any::<u8>().prop_map(Operation::Retire),
        4 => (any::<u8>(), size()).prop_map(|(worker, size)| Operation::Alloc(worker, size)),
        4 => (any::<u8>(), size()).prop_map(|(worker, size)| Operation::Free(worker, size)),
        1 => size().prop_map(Operation::AllocWithout),
        1 => size().prop_map(Operation::FreeWithout),
        2 => Just(Operation::Snapshot),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: Some(Box::new(FileFailurePersistence::Direct(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/tests/operations.proptest-regressions"
        )))),
        ..ProptestConfig::with_cases(64)
    })]

    #[test]
    fn slots(operations in prop::collection::vec(operation(), 0..60)) {
        run::<Slots<CLASSES, 2>>(&operations);
    }

    #[test]
    fn folding(operations in prop::collection::vec(operation(), 0..60)) {
        run::<Folding<CLASSES>>(&operations);
    }

    #[test]
    fn sharded(operations in prop::collection::vec(operation(), 0..60)) {
        run::<Sharded<CLASSES, 2>>(&operations);
    }

    #[test]
    fn padded(operations in prop::collection::vec(operation(), 0..60)) {
        run::<Padded<CLASSES>>(&operations);
    }

    #[test]
    fn shared(operations in prop::collection::vec(operation(), 0..60)) {
        run::<Shared<CLASSES>>(&operations);
    }
}
