//! Circles in a directed graph.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Which node leads to which.
pub(crate) type Edges = BTreeSet<(usize, usize)>;

/// The strongly connected components of more than one node, each sorted.
pub(crate) fn components(edges: &Edges) -> Vec<Vec<usize>> {
    let nodes: BTreeSet<usize> = edges.iter().map(|edge| edge.0).collect();
    let reached: BTreeMap<usize, BTreeSet<usize>> = nodes.iter().map(|node| (*node, reach(*node, edges))).collect();
    let lead = |from: &usize, to: &usize| reached[from].contains(to);
    let mut components: Vec<Vec<usize>> = Vec::new();
    for node in &nodes {
        let component: Vec<usize> =
            nodes.iter().filter(|other| lead(node, other) && lead(other, node)).copied().collect();
        if component.len() > 1 && component[0] == *node {
            components.push(component);
        }
    }
    components
}

/// A shortest circle among these nodes, from its first node to its last. They must be on one.
pub(crate) fn shortest_circle(nodes: &[usize], edges: &Edges) -> Vec<usize> {
    let inner: Edges = edges.iter().filter(|(a, b)| nodes.contains(a) && nodes.contains(b)).copied().collect();
    let circles = nodes.iter().filter_map(|node| circle_through(*node, &inner));
    circles.min_by_key(Vec::len).expect("a component has a circle")
}

fn circle_through(start: usize, edges: &Edges) -> Option<Vec<usize>> {
    let mut from = BTreeMap::new();
    let mut next = VecDeque::from([start]);
    while let Some(node) = next.pop_front() {
        for to in successors(node, edges) {
            if to == start {
                let mut circle = vec![node];
                while circle[circle.len() - 1] != start {
                    circle.push(from[&circle[circle.len() - 1]]);
                }
                circle.reverse();
                return Some(circle);
            }
            from.entry(to).or_insert_with(|| {
                next.push_back(to);
                node
            });
        }
    }
    None
}

/// What can be reached from a node by one edge or more.
fn reach(start: usize, edges: &Edges) -> BTreeSet<usize> {
    let mut reached = BTreeSet::new();
    let mut next = vec![start];
    while let Some(node) = next.pop() {
        next.extend(successors(node, edges).filter(|to| reached.insert(*to)));
    }
    reached
}

fn successors(node: usize, edges: &Edges) -> impl Iterator<Item = usize> {
    edges.range((node, 0)..=(node, usize::MAX)).map(|edge| edge.1)
}
