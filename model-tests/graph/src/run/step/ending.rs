//! The end of a run: whether it is complete, blocked or deadlocked.

use super::fault::{Awaited, Fault, Waiting};
use super::reply::{End, Stop};
use super::status::{Status, Waits};
use super::stepper::Run;

impl Run {
    /// How the run ended.
    pub(crate) fn end(&mut self) -> End {
        // Before anything is said of the execution, for that may depend on the order of the writes.
        if let Some(Err(why)) = self.schedule.as_ref().map(|schedule| schedule.place_writes(&mut self.explorer.graph)) {
            return End::Stopped(Stop::Mismatch(why));
        }
        if let Some(stop) = self.stop.take() {
            return End::Stopped(stop);
        }
        let present = || self.threads.iter().filter(|thread| thread.status != Status::Absent);
        if present().all(|thread| thread.status == Status::Ended)
            && let Some(result) = self.result.take()
        {
            return End::Complete(result);
        }
        let fault = if self.unreplayed > 0 { Some(Fault::Stuck) } else { self.deadlock().map(Fault::Deadlock) };
        fault.map_or(End::Blocked, |fault| End::Stopped(Stop::Fault(fault)))
    }

    /// An owner's cell that has a second writer, if there is one in the graph at hand.
    pub(crate) fn second_writer(&self) -> Option<Fault> {
        let (read, write) = self.explorer.graph.unordered_writer()?;
        Some(Fault::SecondWriter { read: read.step, write: write.step })
    }

    /// What the threads wait for that are left, if all of them wait for each other.
    ///
    /// A thread waits for a mutex in vain if the lock that it read is the last of all: its holder is one of the threads that
    /// wait, or is gone. If it read an earlier lock then the same thread goes on in another execution.
    fn deadlock(&self) -> Option<Vec<Waiting>> {
        let graph = &self.explorer.graph;
        let present = self.names.canonical().iter().filter(|&&thread| (thread as usize) < self.threads.len());
        let left = present.filter_map(|&thread| Some((thread, self.thread(thread).status.waits()?)));
        let waiting = |(thread, waits)| {
            let awaited = match waits {
                Waits::InVain => return None,
                Waits::ForEnd(child) => Awaited::End(child),
                Waits::ForLock => {
                    let lock = graph.event(*graph.thread(thread).last()?);
                    if graph.writes(lock.place?).last() != Some(&lock.source) {
                        return None;
                    }
                    Awaited::Mutex { lock: lock.step, held: graph.event(lock.source).step }
                }
            };
            Some(Waiting { thread, awaited })
        };
        left.map(waiting).collect()
    }
}
