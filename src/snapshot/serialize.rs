//! Snapshots and differences as data, with the feature `serde`.
//!
//! ```json
//! {
//!   "classes": [{ "class": 0, "upper_bound": 16, "allocs": 3, "frees": 1, "in_use": 2 }],
//!   "totals": { "allocs": 3, "frees": 1, "in_use": 2 }
//! }
//! ```
//!
//! A difference has `net_use`, which may be negative, in place of `in_use`. All classes are there, in order.
//! `upper_bound`, in bytes, is null where there is none: in the last class, which takes all larger sizes, and where the
//! snapshot comes from a layout and not from a profile.

use serde::ser::{Serialize, SerializeStruct, Serializer};

use super::all_classes::{Difference, Snapshot};
use super::one_class::ClassCounts;

impl<const C: usize> Serialize for Snapshot<C> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let classes = Classes { use_key: "in_use", classes: self.classes(), bounds: self.bounds };
        classes.with_totals(serializer, "Snapshot", self.totals())
    }
}

impl<const C: usize> Serialize for Difference<C> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let classes = Classes { use_key: "net_use", classes: self.classes(), bounds: self.bounds };
        classes.with_totals(serializer, "Difference", self.totals())
    }
}

/// The list of classes.
struct Classes<'a> {
    /// What allocs minus frees is called.
    use_key: &'static str,
    classes: &'a [ClassCounts],
    bounds: &'a [u64],
}

/// One class of the list.
struct Class {
    use_key: &'static str,
    class: usize,
    upper_bound: Option<u64>,
    counts: ClassCounts,
}

/// The sums over the list.
struct Totals {
    use_key: &'static str,
    counts: ClassCounts,
}

impl Classes<'_> {
    fn with_totals<S: Serializer>(
        self,
        serializer: S,
        name: &'static str,
        counts: ClassCounts,
    ) -> Result<S::Ok, S::Error> {
        let totals = Totals { use_key: self.use_key, counts };
        let mut fields = serializer.serialize_struct(name, 2)?;
        fields.serialize_field("classes", &self)?;
        fields.serialize_field("totals", &totals)?;
        fields.end()
    }
}

impl Serialize for Classes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let last = self.classes.len().saturating_sub(1);
        serializer.collect_seq(self.classes.iter().enumerate().map(|(class, counts)| Class {
            use_key: self.use_key,
            class,
            upper_bound: self.bounds.get(class).copied().filter(|_| class < last),
            counts: *counts,
        }))
    }
}

impl Serialize for Class {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Class", 5)?;
        fields.serialize_field("class", &self.class)?;
        fields.serialize_field("upper_bound", &self.upper_bound)?;
        serialize_counts(&mut fields, self.use_key, self.counts)?;
        fields.end()
    }
}

impl Serialize for Totals {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Totals", 3)?;
        serialize_counts(&mut fields, self.use_key, self.counts)?;
        fields.end()
    }
}

fn serialize_counts<F: SerializeStruct>(
    fields: &mut F,
    use_key: &'static str,
    counts: ClassCounts,
) -> Result<(), F::Error> {
    fields.serialize_field("allocs", &counts.allocs)?;
    fields.serialize_field("frees", &counts.frees)?;
    fields.serialize_field(use_key, &counts.in_use())
}
