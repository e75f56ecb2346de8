//! The places of an execution: what they are called, and what they held at the end.

use std::collections::BTreeMap;

use super::row::{Action, Place, Row, Source};

/// What a place held at the end of an execution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastValue {
    /// The place.
    pub place: Place,
    /// What it is called; see [`labels`].
    pub label: String,
    /// Whether it is a mutex: 0 means then that it is free, and 1 that it is held.
    pub mutex: bool,
    /// The value.
    pub value: u64,
    /// The row that wrote it; `None` if the place kept its initial value.
    pub row: Option<usize>,
}

/// What each place that was read or written held at the end, by place: the last write in modification order where the
/// engine knows it, and otherwise in the order of the rows.
pub fn last_values(trace: &[Row]) -> Vec<LastValue> {
    let mut last: Vec<LastValue> = Vec::new();
    let labels = labels(trace);
    let known = |row: &Option<usize>| row.and_then(|row| trace[row].position);
    for (index, row) in trace.iter().enumerate() {
        let Some(place) = row.place else { continue };
        let (value, by) = match (row.written, row.read) {
            (Some(value), _) => (value, Some(index)),
            (None, Some(value)) if row.source == Some(Source::Initial) => (value, None),
            _ => continue,
        };
        let mutex = matches!(row.action, Action::Lock | Action::Unlock);
        let now = LastValue { place, label: labels[&place].clone(), mutex, value, row: by };
        match last.iter_mut().find(|last| last.place == place) {
            None => last.push(now),
            Some(last) if now.row.is_some() && known(&last.row) <= row.position => *last = now,
            Some(_) => {}
        }
    }
    last.sort_by_key(|last| last.place);
    last
}

/// What the places of an execution are called: the name that the source gives, with the place's numbers behind it where another
/// place has the same name; or the numbers alone where it gives none.
pub fn labels(trace: &[Row]) -> BTreeMap<Place, String> {
    let mut names: BTreeMap<Place, Option<&str>> = BTreeMap::new();
    for row in trace {
        if let Some(place) = row.place {
            let name = names.entry(place).or_default();
            *name = name.or(row.name.as_deref());
        }
    }
    let label = |(&place, &name): (&Place, &Option<&str>)| {
        let shared = || names.values().filter(|other| **other == name).count() > 1;
        let label = match name {
            Some(name) if shared() => format!("{name} {place}"),
            Some(name) => name.to_owned(),
            None => place.to_string(),
        };
        (place, label)
    };
    names.iter().map(label).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_two_places_have_is_told_apart_by_their_numbers() {
        let named = |number, name: Option<&str>| {
            let place = Some(Place { creator: 1, number });
            Row { place, name: name.map(str::to_owned), ..Row::example(Action::Load, Some(0), None) }
        };
        let trace = [named(0, Some("mark")), named(1, Some("node")), named(2, Some("node")), named(3, None)];
        assert_eq!(labels(&trace).into_values().collect::<Vec<_>>(), ["mark", "node 1.1", "node 1.2", "1.3"]);
    }
}
