//! Snapshots of a profile, by how many threads are registered.

use std::hint::black_box;
use std::sync::Barrier;
use std::thread;
use std::time::Instant;

use countersign::{AllocProfile, Folding, Layout, Llgo, Padded, Sharded, Shared, SizeClasses, Slots, Snapshot};

use super::setting::{Mode, Run};

const COUNT: usize = Llgo::COUNT;

/// How many threads are registered.
pub(super) const REGISTERED: [usize; 4] = [1, 4, 16, 64];

/// `slots` is the reference. `slots after exits` is the same after two hundred threads that came and went one by one.
pub(super) fn modes(registered: usize) -> Vec<Mode> {
    fn mode<L>(name: &'static str, registered: usize, exited: usize) -> Mode
    where
        L: Layout<Snapshot = Snapshot<COUNT>>,
    {
        Mode { name, run: Box::new(move |snapshots| run::<L>(registered, exited, snapshots)) }
    }
    vec![
        mode::<Slots<COUNT>>("slots", registered, 0),
        mode::<Slots<COUNT>>("slots after exits", registered, 200),
        mode::<Folding<COUNT>>("folding", registered, 0),
        mode::<Sharded<COUNT>>("sharded", registered, 0),
        mode::<Padded<COUNT>>("padded", registered, 0),
        mode::<Shared<COUNT>>("shared", registered, 0),
    ]
}

/// Takes snapshots on this thread while `registered` others stay registered, each of which has recorded in every class,
/// after `exited` others, one by one, recorded something and exited.
fn run<L: Layout<Snapshot = Snapshot<COUNT>>>(registered: usize, exited: usize, operations: u64) -> Run {
    let profile: Box<AllocProfile<L, Llgo>> = Box::new(AllocProfile::new(L::default()));
    let smallest = Llgo::UPPER_BOUNDS[0] as usize;
    for _ in 0..exited {
        thread::scope(|scope| scope.spawn(|| profile.register().record_alloc(smallest)).join())
            .expect("recording does not panic");
    }
    let ready = Barrier::new(registered + 1);
    let finished = Barrier::new(registered + 1);
    thread::scope(|scope| {
        for _ in 0..registered {
            scope.spawn(|| {
                let recorder = profile.register();
                Llgo::UPPER_BOUNDS.iter().for_each(|bound| recorder.record_alloc(*bound as usize));
                ready.wait();
                finished.wait();
            });
        }
        ready.wait();
        let is_right = |snapshot: &Snapshot<COUNT>| snapshot.classes()[COUNT - 1].allocs == registered as u64;
        // Warm.
        let whole = profile.snapshot().totals().allocs == (registered * COUNT + exited) as u64;

        let start = Instant::now();
        let right = (0..operations).filter(|_| is_right(black_box(&profile.snapshot()))).count() as u64;
        let elapsed_ns = start.elapsed().as_nanos() as u64;
        finished.wait();
        Run { operations, elapsed_ns, verified: Some(if whole { right } else { 0 }) }
    })
}
