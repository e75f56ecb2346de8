//! A layout under test, with its type erased.
//!
//! Scenarios are written once, for any layout: they see a [`Subject`]. So they are compiled once for each engine, not
//! once for each layout on each engine.

use std::sync::Arc;

use countersign::{Claims, ClassCounts, Counts, Event, Layout, Recorder};

/// A layout under test.
pub trait Subject: Send + Sync {
    /// What the layout promises.
    fn claims(&self) -> Claims;

    /// Gives the caller a recorder; dropping it retires the thread.
    fn register(self: Arc<Self>) -> Box<dyn Recorder + Send>;

    /// Records one event without a recorder.
    fn record(&self, event: Event, class: usize);

    /// The counts, by class.
    fn snapshot(&self) -> Vec<ClassCounts>;
}

/// Makes a fresh layout.
pub type MakeSubject = fn() -> Arc<dyn Subject>;

/// Makes a fresh `L`.
pub fn make<L: Layout>() -> Arc<dyn Subject> {
    Arc::new(L::default())
}

/// A layout of which a scenario uses the first `classes` classes only.
pub fn with_classes(layout: Arc<dyn Subject>, classes: usize) -> Arc<dyn Subject> {
    Arc::new(FirstClasses { layout, classes })
}

/// See [`with_classes`].
struct FirstClasses {
    layout: Arc<dyn Subject>,
    classes: usize,
}

impl Subject for FirstClasses {
    fn claims(&self) -> Claims {
        self.layout.claims()
    }

    fn register(self: Arc<Self>) -> Box<dyn Recorder + Send> {
        Arc::clone(&self.layout).register()
    }

    fn record(&self, event: Event, class: usize) {
        self.layout.record(event, class);
    }

    /// The counts of the classes in use. An event in any other is one that nobody recorded: it is shown.
    fn snapshot(&self) -> Vec<ClassCounts> {
        let mut counts = self.layout.snapshot();
        let used = counts.iter().rposition(|counts| *counts != ClassCounts::default()).map_or(0, |last| last + 1);
        counts.truncate(used.max(self.classes));
        counts
    }
}

impl<L: Layout> Subject for L {
    fn claims(&self) -> Claims {
        L::CLAIMS
    }

    fn register(self: Arc<Self>) -> Box<dyn Recorder + Send> {
        Box::new(OwningRecorder::new(self))
    }

    fn record(&self, event: Event, class: usize) {
        Layout::record(self, event, class);
    }

    fn snapshot(&self) -> Vec<ClassCounts> {
        Layout::snapshot(self).classes().to_vec()
    }
}

/// A recorder together with the layout it borrows, so that it can be sent to a thread of any engine.
struct OwningRecorder<L: Layout> {
    // Declared first, so dropped first: it borrows from `_layout`.
    recorder: L::Recorder<'static>,
    _layout: Arc<L>,
}

impl<L: Layout> OwningRecorder<L> {
    fn new(layout: Arc<L>) -> Self {
        // SAFETY: the layout is behind an `Arc` that lives in the same value as the recorder and is dropped after it;
        // an `Arc`'s content does not move and is only borrowed shared. The lifetime `'static` never leaves this value:
        // `recorder` is private, is not copied out, and `register` is generic over the lifetime it is called with, so
        // it cannot have kept the reference beyond the recorder.
        let borrowed: &'static L = unsafe { &*Arc::as_ptr(&layout) };
        Self { recorder: borrowed.register(), _layout: layout }
    }
}

impl<L: Layout> Recorder for OwningRecorder<L> {
    fn record(&self, event: Event, class: usize) {
        self.recorder.record(event, class);
    }
}
