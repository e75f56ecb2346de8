//! The axioms: RC11 (Lahav, Vafeiadis, Kang, Hur, Dreyer: "Repairing Sequential Consistency in C/C++11", PLDI 2017),
//! with the release sequences of C++20, written down as the paper writes them.
//!
//! The acyclicity of program order and reads-from is not among them: the enumeration makes no other candidates.
//!
//! Each [`Fault`] is a mistake that a checker could make; with one of them the axioms are wrong on purpose.

use countersign_models::study::litmus::Order;

use super::candidate::{Action, Candidate, Event, Id};
use super::fault::Fault;
use super::relation::{Relation, Set};

/// The memory model, or one that differs by a fault.
#[derive(Clone, Copy)]
pub(crate) struct Axioms {
    pub(crate) fault: Option<Fault>,
}

/// A candidate's events as sets, and its basic relations.
struct Basics {
    reads: Set,
    writes: Set,
    fences: Set,
    releases: Set,
    acquires: Set,
    seq_cst: Set,
    /// Program order; the initial writes come before everything else.
    po: Relation,
    rf: Relation,
    mo: Relation,
    /// From the read of a read-modify-write to its write.
    rmw: Relation,
    /// Pairs of different events at the same variable.
    same_location: Relation,
}

impl Axioms {
    /// Whether a candidate is an execution.
    pub(crate) fn admit(self, candidate: &Candidate) -> bool {
        let basics = self.basics(candidate);
        let Basics { reads, writes, po, rf, mo, rmw, .. } = &basics;
        let rb = rf.inverse().then(mo);
        let eco = rf.or(mo).or(&rb).plus();
        let hb = self.happens_before(&basics);

        let coherence = match self.fault {
            Some(Fault::NoCoherenceWriteWrite) => eco.minus(&eco.between(*writes, *writes)),
            Some(Fault::NoCoherenceWriteRead) => eco.minus(&eco.between(*reads, *writes)),
            Some(Fault::NoCoherenceReadWrite) => eco.minus(&eco.between(*writes, *reads)),
            Some(Fault::NoCoherenceReadRead) => eco.minus(&eco.between(*reads, *reads)),
            _ => eco.clone(),
        };
        let coherent = hb.then(&coherence.maybe()).is_irreflexive();
        let atomic = self.has(Fault::NoAtomicity) || rmw.and(&rb.then(mo)).is_empty();
        coherent && atomic && self.is_sequentially_consistent(&basics, po, &hb, mo, &rb, &eco)
    }

    /// `hb = (po U sw)+`, where a release synchronises with an acquire that reads from its release sequence, fences
    /// standing in for accesses:
    /// `sw = [release] ; ([F] ; po)? ; rs ; rf ; [R] ; (po ; [F])? ; [acquire]` with `rs = [W] ; (rf ; rmw)*`.
    fn happens_before(self, basics: &Basics) -> Relation {
        let Basics { reads, writes, fences, releases, acquires, po, rf, rmw, same_location, .. } = basics;
        let step = rf.then(rmw);
        let start = po.identity(*writes);
        let rs = match self.fault {
            Some(Fault::NoReleaseSequences) => start,
            Some(Fault::ShortReleaseSequences) => start.then(&step.maybe()),
            // C++11's: later writes of the same thread belong to it too.
            Some(Fault::OldReleaseSequences) => {
                let own = po.and(same_location).between(*writes, *writes);
                start.then(&own.maybe()).then(&step.star())
            }
            _ => start.then(&step.star()),
        };
        let all = writes.or(*reads).or(*fences);
        let before = po.between(if self.has(Fault::NoReleaseFences) { Set::EMPTY } else { *fences }, all).maybe();
        let after = po.between(all, if self.has(Fault::NoAcquireFences) { Set::EMPTY } else { *fences }).maybe();
        let sw = before.then(&rs).then(rf).then(&po.identity(*reads)).then(&after).between(*releases, *acquires);
        if self.has(Fault::NoSynchronization) { po.plus() } else { po.or(&sw).plus() }
    }

    /// `psc` is acyclic, where
    /// `scb = po U (po_neqloc ; hb ; po_neqloc) U hb_loc U mo U rb`,
    /// `psc_base = ([SC] U [F_sc] ; hb?) ; scb ; ([SC] U hb? ; [F_sc])`,
    /// `psc_F = [F_sc] ; (hb U hb ; eco ; hb) ; [F_sc]`.
    fn is_sequentially_consistent(
        self,
        basics: &Basics,
        po: &Relation,
        hb: &Relation,
        mo: &Relation,
        rb: &Relation,
        eco: &Relation,
    ) -> bool {
        let Basics { seq_cst, fences, same_location, .. } = basics;
        // Both parts of psc start at a seq_cst event.
        if self.has(Fault::NoSequentialConsistency) || seq_cst.is_empty() {
            return true;
        }
        let none = Relation::empty(po.len());
        let unless = |fault, part: Relation| if self.has(fault) { none.clone() } else { part };
        let po_neqloc = if self.has(Fault::AnyLocationAroundHb) { po.clone() } else { po.minus(same_location) };
        let hb_loc = hb.and(same_location);
        let scb = unless(Fault::NoPoInScb, po.clone())
            .or(&unless(Fault::NoHbInScb, po_neqloc.then(hb).then(&po_neqloc)))
            .or(&if self.has(Fault::AllHbInScb) { hb.clone() } else { unless(Fault::NoHbLocInScb, hb_loc) })
            .or(&unless(Fault::NoMoInScb, mo.clone()))
            .or(&unless(Fault::NoRbInScb, rb.clone()));

        let sc = po.identity(*seq_cst);
        let sc_fences = po.identity(seq_cst.and(*fences));
        let from = sc.or(&unless(Fault::NoFenceBeforeScb, sc_fences.then(&hb.maybe())));
        let to = sc.or(&unless(Fault::NoFenceAfterScb, hb.maybe().then(&sc_fences)));
        let psc_base = from.then(&scb).then(&to);
        let through_eco = unless(Fault::NoEcoBetweenFences, hb.then(eco).then(hb));
        let psc_fences = sc_fences.then(&hb.or(&through_eco)).then(&sc_fences);
        psc_base.or(&psc_fences).is_acyclic()
    }

    fn basics(self, candidate: &Candidate) -> Basics {
        let events: Vec<&Event> = candidate.events.iter().flatten().collect();
        // The number of an event: those of earlier threads come first.
        let starts: Vec<usize> =
            (0..candidate.events.len()).map(|thread| candidate.events[..thread].iter().map(Vec::len).sum()).collect();
        let number = |(thread, index): Id| starts[thread] + index;
        let is = |test: &dyn Fn(&Event) -> bool| Set::of((0..events.len()).filter(|&number| test(events[number])));

        let reads = is(&|event| matches!(event.action, Action::Read { .. }));
        let writes = is(&|event| matches!(event.action, Action::Write { .. }));
        let fences = is(&|event| event.action == Action::Fence);
        let modifies = |event: &Event| matches!(event.action, Action::Write { modifies: true, .. });
        let mut releases = is(&|event| matches!(event.order, Order::Release | Order::AcqRel | Order::SeqCst));
        let mut acquires = is(&|event| matches!(event.order, Order::Acquire | Order::AcqRel | Order::SeqCst));
        let mut seq_cst = is(&|event| event.order == Order::SeqCst);
        let acq_rel_fences = is(&|event| event.action == Action::Fence && event.order == Order::AcqRel);
        match self.fault {
            Some(Fault::AcqRelFenceNotRelease) => releases = releases.minus(acq_rel_fences),
            Some(Fault::AcqRelFenceNotAcquire) => acquires = acquires.minus(acq_rel_fences),
            Some(Fault::SeqCstStoreNotRelease) => releases = releases.minus(seq_cst.and(writes)),
            Some(Fault::SeqCstLoadNotAcquire) => acquires = acquires.minus(seq_cst.and(reads)),
            Some(Fault::SeqCstFenceIsAcqRel) => seq_cst = seq_cst.minus(fences),
            Some(Fault::SeqCstAccessIsAcqRel) => seq_cst = seq_cst.and(fences),
            _ => {}
        }

        let n = events.len();
        let initial = candidate.events[0].len();
        let ids = || candidate.events.iter().enumerate().flat_map(|(t, events)| (0..events.len()).map(move |i| (t, i)));
        let after_initial = (0..initial).flat_map(|write| (initial..n).map(move |event| (write, event)));
        let in_thread = ids().filter(|&(thread, _)| thread != 0).flat_map(|(thread, index)| {
            (index + 1..candidate.events[thread].len())
                .map(move |later| (number((thread, index)), number((thread, later))))
        });
        let read_from = events.iter().enumerate().filter_map(|(read, event)| match event.action {
            Action::Read { source, .. } => Some((number(source), read)),
            Action::Write { .. } | Action::Fence => None,
        });
        let ordered = candidate.modification.iter().flat_map(|writes| {
            let pairs = writes.iter().enumerate().flat_map(|(i, a)| writes[i + 1..].iter().map(move |b| (a, b)));
            pairs.map(|(&a, &b)| (number(a), number(b)))
        });
        let halves = (1..n).filter(|&write| modifies(events[write])).map(|write| (write - 1, write));
        let same = (0..initial).flat_map(|variable| {
            let at = is(&|event| event.variable() == Some(variable));
            at.members().flat_map(move |a| at.members().map(move |b| (a, b)))
        });
        let same = same.filter(|(a, b)| a != b);
        Basics {
            reads,
            writes,
            fences,
            releases,
            acquires,
            seq_cst,
            po: Relation::of(n, after_initial.chain(in_thread)),
            rf: Relation::of(n, read_from),
            mo: Relation::of(n, ordered),
            rmw: Relation::of(n, halves),
            same_location: Relation::of(n, same),
        }
    }

    fn has(self, fault: Fault) -> bool {
        self.fault == Some(fault)
    }
}
