//! From which write each recorded read read, as far as that can be told.
//!
//! On a sequentially consistent engine it is the last one. Elsewhere a record has the values alone; then a write is
//! named only if no other can have been read: it has the value, it does not happen after the read, and no further write
//! to the place lies between the two. Happens-before is here what program order, spawn, join and mutexes make of it; more
//! of it would only exclude more. What is left open is left out.

use std::collections::HashMap;

use crate::verdict::{Action, Place, Row, Source};

/// How the steps of a record stand to what really happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Memory {
    /// They are in the order in which they took effect, and each read reads from the last write.
    Sequential,
    /// They are in the order in which they were done, but a read may read from an older write.
    Weak,
    /// They are in the order of each thread, and nothing more is known.
    Real,
}

/// The rows with their sources, and each of them behind what it reads from.
pub(super) fn find(mut rows: Vec<Row>, initial: &HashMap<Place, u64>, memory: Memory) -> Vec<Row> {
    match memory {
        Memory::Sequential => {
            by_order(&mut rows, |_| true);
            rows
        }
        Memory::Weak => {
            by_order(&mut rows, is_of_mutex);
            by_value(&mut rows, initial, memory);
            rows
        }
        Memory::Real => {
            by_position(&mut rows);
            let mut rows = in_order(rows);
            by_value(&mut rows, initial, memory);
            in_order(rows)
        }
    }
}

/// Of the rows that `are` such: each reads from the last write before it, and writes behind it.
fn by_order(rows: &mut [Row], are: fn(&Row) -> bool) {
    let mut last: HashMap<Place, (usize, Source)> = HashMap::new();
    for (index, row) in rows.iter_mut().enumerate().filter(|(_, row)| are(row)) {
        let Some(place) = row.place else { continue };
        let (writes, source) = last.entry(place).or_insert((0, Source::Initial));
        row.source = row.read.map(|_| *source);
        if row.written.is_some() {
            (*writes, *source) = (*writes + 1, Source::Row(index));
            row.position = Some(*writes);
        }
    }
}

/// Of the rows whose own writes have a position: each reads from the write before that.
fn by_position(rows: &mut [Row]) {
    let key = |row: &Row| row.place.zip(row.position);
    let writes: HashMap<_, _> = rows.iter().enumerate().filter_map(|(index, row)| Some((key(row)?, index))).collect();
    for row in rows {
        if let (Some((place, position)), Some(_)) = (key(row), row.read) {
            let source = writes.get(&(place, position - 1)).map(|&row| Source::Row(row));
            row.source = if position == 1 { Some(Source::Initial) } else { source };
        }
    }
}

/// Of the rows without a source: the only write that they can have read from.
fn by_value(rows: &mut [Row], initial: &HashMap<Place, u64>, memory: Memory) {
    let before = Before::new(rows);
    let mut writes: HashMap<Place, Vec<usize>> = HashMap::new();
    for (index, row) in rows.iter().enumerate() {
        if let (Some(place), Some(_)) = (row.place, row.written) {
            writes.entry(place).or_default().push(index);
        }
    }
    for read in 0..rows.len() {
        let (Some(place), Some(value), None) = (rows[read].place, rows[read].read, rows[read].source) else { continue };
        let writes = writes.get(&place).map(Vec::as_slice).unwrap_or_default();
        let lies_between = |write: usize| {
            let mut others = writes.iter().filter(|&&other| other != write && other != read);
            others.any(|&other| before.happens(write, other) && before.happens(other, read))
        };
        let can_be_read = |write: &usize| {
            *write != read
                && rows[*write].written == Some(value)
                && (memory == Memory::Real || *write < read)
                && !before.happens(read, *write)
                && !lies_between(*write)
        };
        let mut sources: Vec<_> = writes.iter().copied().filter(can_be_read).map(Source::Row).collect();
        let overwritten = writes.iter().any(|&write| write != read && before.happens(write, read));
        if initial.get(&place) == Some(&value) && !overwritten {
            sources.push(Source::Initial);
        }
        if let [source] = sources[..] {
            rows[read].source = Some(source);
        }
    }
}

/// What happens before each row, by program order, spawn, join and mutexes.
struct Before {
    /// Of each row: how many rows of each thread happen before it, itself included.
    clocks: Vec<Vec<usize>>,
    threads: Vec<usize>,
    /// Of each row: which of its thread's it is, counted from 1.
    indices: Vec<usize>,
}

impl Before {
    /// Of rows in an order in which they could have run.
    fn new(rows: &[Row]) -> Self {
        let threads = rows.iter().map(|row| row.thread + 1).max().unwrap_or_default();
        let mut now = vec![vec![0; threads]; threads];
        let mut clocks: Vec<Vec<usize>> = Vec::with_capacity(rows.len());
        for row in rows {
            match (row.action, row.source) {
                (Action::Join(child), _) if child < threads => {
                    let end = now[child].clone();
                    raise(&mut now[row.thread], &end);
                }
                (Action::Lock, Some(Source::Row(unlock))) if unlock < clocks.len() => {
                    raise(&mut now[row.thread], &clocks[unlock]);
                }
                _ => {}
            }
            now[row.thread][row.thread] += 1;
            clocks.push(now[row.thread].clone());
            if let Action::Spawn(child) = row.action
                && child < threads
            {
                now[child] = now[row.thread].clone();
            }
        }
        let indices = rows.iter().zip(&clocks).map(|(row, clock)| clock[row.thread]).collect();
        Self { clocks, threads: rows.iter().map(|row| row.thread).collect(), indices }
    }

    /// Whether `earlier` happens before `later`, and is not the same.
    fn happens(&self, earlier: usize, later: usize) -> bool {
        earlier != later && self.clocks[later][self.threads[earlier]] >= self.indices[earlier]
    }
}

fn raise(clock: &mut [usize], other: &[usize]) {
    clock.iter_mut().zip(other).for_each(|(mine, other)| *mine = (*mine).max(*other));
}

/// The rows in an order in which they could have run: each thread's behind its spawn, a join behind the thread's last,
/// a read behind its source. What fits no such order stays behind the rest.
fn in_order(rows: Vec<Row>) -> Vec<Row> {
    let threads = rows.iter().map(|row| row.thread + 1).max().unwrap_or_default();
    let of_thread = |thread| (0..rows.len()).filter(|&row| rows[row].thread == thread).collect::<Vec<_>>();
    let queues: Vec<_> = (0..threads).map(of_thread).collect();
    let mut cursors = vec![0; threads];
    let mut spawned: Vec<_> = (0..threads).map(|thread| thread == 0).collect();
    let mut places: Vec<Option<usize>> = vec![None; rows.len()];
    let mut order = Vec::with_capacity(rows.len());
    while let Some((thread, row)) = (0..threads).find_map(|thread| {
        let row = *queues[thread].get(cursors[thread])?;
        let ready = match (rows[row].action, rows[row].source) {
            (Action::Join(child), _) => cursors.get(child).is_none_or(|&cursor| cursor == queues[child].len()),
            (_, Some(Source::Row(source))) => places[source].is_some(),
            _ => true,
        };
        (spawned[thread] && ready).then_some((thread, row))
    }) {
        cursors[thread] += 1;
        if let Action::Spawn(child) = rows[row].action
            && child < threads
        {
            spawned[child] = true;
        }
        places[row] = Some(order.len());
        order.push(row);
    }
    for (row, place) in places.iter_mut().enumerate().filter(|(_, place)| place.is_none()) {
        *place = Some(order.len());
        order.push(row);
    }
    let moved = |source| match source {
        Source::Row(row) => places[row].map(Source::Row),
        Source::Initial => Some(Source::Initial),
    };
    order.iter().map(|&row| Row { source: rows[row].source.and_then(moved), ..rows[row].clone() }).collect()
}

fn is_of_mutex(row: &Row) -> bool {
    matches!(row.action, Action::Lock | Action::Unlock)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verdict::Line;

    const CELL: Place = Place { creator: 0, number: 0 };

    fn row(thread: usize, action: Action, read: Option<u64>, written: Option<u64>) -> Row {
        let place = (read.is_some() || written.is_some()).then_some(CELL);
        let at = Line { file: "a.rs".to_owned(), line: 1, column: 1 };
        Row { thread, action, place, name: None, order: None, read, source: None, written, position: None, at }
    }

    fn load(thread: usize, value: u64) -> Row {
        row(thread, Action::Load, Some(value), None)
    }

    fn store(thread: usize, value: u64) -> Row {
        row(thread, Action::Store, None, Some(value))
    }

    fn sources(rows: Vec<Row>, memory: Memory) -> Vec<Option<Source>> {
        let found = find(rows, &HashMap::from([(CELL, 0)]), memory);
        found.into_iter().filter(|row| row.read.is_some()).map(|row| row.source).collect()
    }

    #[test]
    fn in_sequential_memory_it_is_the_last_write() {
        let rows = vec![load(0, 0), store(0, 1), store(1, 1), load(0, 1)];
        assert_eq!(sources(rows, Memory::Sequential), [Some(Source::Initial), Some(Source::Row(2))]);
    }

    #[test]
    fn in_weak_memory_it_is_the_only_write_of_that_value() {
        let spawn = || row(0, Action::Spawn(1), None, None);
        let rows = vec![spawn(), store(1, 1), store(1, 2), load(0, 1), load(0, 0)];
        assert_eq!(sources(rows, Memory::Weak), [Some(Source::Row(1)), Some(Source::Initial)]);
        // Two writes of one value: either may have been read.
        let rows = vec![spawn(), store(1, 1), store(1, 1), load(0, 1)];
        assert_eq!(sources(rows, Memory::Weak), [None]);
        // But not by who knows of the second, nor the initial value by who knows of any.
        let rows = vec![spawn(), store(1, 0), store(1, 0), row(0, Action::Join(1), None, None), load(0, 0)];
        assert_eq!(sources(rows, Memory::Weak), [Some(Source::Row(2))]);
        // A write cannot be read before it was done.
        assert_eq!(sources(vec![spawn(), load(0, 1), store(1, 1)], Memory::Weak), [None]);
    }

    #[test]
    fn rows_of_real_threads_come_in_an_order_in_which_they_could_have_run() {
        let rows = vec![
            row(0, Action::Spawn(1), None, None),
            load(0, 2),
            store(1, 1),
            store(1, 2),
            row(0, Action::Join(1), None, None),
        ];
        let found = find(rows, &HashMap::from([(CELL, 0)]), Memory::Real);
        assert_eq!(found.iter().map(|row| row.thread).collect::<Vec<_>>(), [0, 1, 1, 0, 0]);
        assert_eq!(found[3].source, Some(Source::Row(2)));
    }

    #[test]
    fn critical_sections_of_real_threads_come_in_their_order() {
        let section = |thread, position| {
            let lock = Row { position: Some(position), ..row(thread, Action::Lock, Some(0), Some(1)) };
            let unlock = Row { position: Some(position + 1), ..row(thread, Action::Unlock, None, Some(0)) };
            [lock, unlock]
        };
        let mut rows = vec![row(0, Action::Spawn(1), None, None)];
        rows.extend(section(0, 3));
        rows.extend(section(1, 1));
        let found = find(rows, &HashMap::new(), Memory::Real);
        assert_eq!(found.iter().map(|row| row.thread).collect::<Vec<_>>(), [0, 1, 1, 0, 0]);
        assert_eq!(found[3].source, Some(Source::Row(2)));
    }
}
