//! `thread_profile!` on real threads: every event counts, whenever in a thread's life it is recorded.

#![cfg(feature = "std")]
#![allow(missing_docs, reason = "a test")]

mod every_layout;

use std::sync::mpsc;
use std::thread;

use countersign::{AllocProfile, Folding, Llgo, Padded, Sharded, Shared, Slots};

use every_layout::every_layout;

/// Runs the same checks on a profile of each layout, since each lends another kind of handle.
macro_rules! on_each_layout {
    ($($module:ident: $layout:ty = $new:expr;)*) => {
        $(mod $module {
            use super::*;

            countersign::thread_profile! {
                static HEAP: AllocProfile<$layout, Llgo> = AllocProfile::new($new);
            }

            /// Records when its thread's locals are destroyed.
            struct Late;

            impl Drop for Late {
                fn drop(&mut self) {
                    HEAP.record_alloc(64);
                    HEAP.record_free(64);
                }
            }

            thread_local! {
                static TOUCHED_FIRST: Late = const { Late };
                static TOUCHED_LAST: Late = const { Late };
            }

            #[test]
            fn every_event_counts_in_thread_local_destructors_too() {
                let before = HEAP.snapshot();
                for _ in 0..100 {
                    thread::spawn(|| {
                        TOUCHED_FIRST.with(|_| ());
                        HEAP.record_alloc(24);
                        HEAP.record_alloc(0);
                        HEAP.record_free(24);
                        TOUCHED_LAST.with(|_| ());
                    })
                    .join()
                    .unwrap();
                }
                let counted = HEAP.snapshot().since(&before).unwrap();
                assert_eq!((counted.classes()[1].allocs, counted.classes()[1].frees), (100, 100));
                assert_eq!((counted.classes()[2].allocs, counted.classes()[2].frees), (200, 200));
                assert_eq!(counted.totals().allocs, 300);
            }
        })*
    };
}

every_layout!(on_each_layout);

mod scopes {
    use super::*;

    countersign::thread_profile! {
        static HEAP: AllocProfile<Slots<{ Llgo::COUNT }>, Llgo> = AllocProfile::new(Slots::new());
    }

    /// `scope` may return before the threads' locals were destroyed (rust-lang/rust PR 149482): counts must not depend on
    /// a destructor.
    #[test]
    fn a_scope_is_exact_when_it_returns() {
        let mut recorded = 0;
        for _ in 0..2_000 {
            thread::scope(|scope| {
                scope.spawn(|| HEAP.record_alloc(1));
                scope.spawn(|| HEAP.record_free(1));
            });
            recorded += 1;
            let totals = HEAP.snapshot().totals();
            assert_eq!((totals.allocs, totals.frees), (recorded, recorded));
        }
    }
}

mod more_threads_than_slots {
    use super::*;

    countersign::thread_profile! {
        static HEAP: AllocProfile<Slots<{ Llgo::COUNT }, 2>, Llgo> = AllocProfile::new(Slots::new());
    }

    #[test]
    fn all_are_counted_while_all_are_alive() {
        let (recorded, all_recorded) = mpsc::channel();
        let threads: Vec<_> = (0..8)
            .map(|_| {
                let (finish, finished) = mpsc::channel::<()>();
                let recorded = recorded.clone();
                let thread = thread::spawn(move || {
                    (0..1_000).for_each(|size| HEAP.record_alloc(size));
                    recorded.send(()).unwrap();
                    finished.recv().unwrap();
                });
                (thread, finish)
            })
            .collect();
        (0..8).for_each(|_| all_recorded.recv().unwrap());
        assert_eq!(HEAP.snapshot().totals().allocs, 8 * 999);
        for (thread, finish) in threads {
            finish.send(()).unwrap();
            thread.join().unwrap();
        }
        assert_eq!(HEAP.snapshot().totals().allocs, 8 * 999);
    }
}
