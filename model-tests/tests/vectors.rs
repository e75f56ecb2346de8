//! `countersign vectors`: the golden values are all there, are the law's, and have the form that is documented.

use std::process::{Command, Output};

use countersign::NamedTable;
use countersign_proofs::law;

fn vectors(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_countersign")).arg("vectors").args(arguments).output().unwrap()
}

fn text(arguments: &[&str]) -> String {
    let Output { status, stdout, stderr } = vectors(arguments);
    assert_eq!((status.code(), stderr.len()), (Some(0), 0));
    String::from_utf8(stdout).unwrap()
}

fn csv(table: &str) -> Vec<(u64, usize)> {
    let text = text(&["--table", table, "--format", "csv"]);
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("size,class"));
    let number = |line: &str| line.split_once(',').map(|(size, class)| (size.parse().unwrap(), class.parse().unwrap()));
    lines.map(|line| number(line).unwrap()).collect()
}

#[test]
fn the_values_agree_with_the_linear_scan() {
    for NamedTable { name, upper_bounds, .. } in NamedTable::ALL {
        for (size, class) in csv(name) {
            assert_eq!(class, law::class(upper_bounds, size), "size {size} in {name}");
        }
    }
}

#[test]
fn all_small_sizes_and_all_edges_are_there_once() {
    for NamedTable { name, upper_bounds, .. } in NamedTable::ALL {
        let sizes: Vec<u64> = csv(name).into_iter().map(|(size, _)| size).collect();
        assert!(sizes.is_sorted_by(|a, b| a < b));
        assert!(sizes[..=131_072].iter().copied().eq(0..=131_072));
        let powers = (0..64).map(|shift| 1_u64 << shift);
        for edge in powers.chain(upper_bounds.iter().copied()) {
            for size in [edge - 1, edge, edge + 1] {
                assert!(sizes.binary_search(&size).is_ok(), "size {size} in {name}");
            }
        }
        assert_eq!(sizes.last(), Some(&u64::MAX));
    }
}

#[test]
fn json_has_the_same_values_with_sizes_as_strings() {
    let text = text(&["--table", "jemalloc"]);
    let read: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&read["format"], &read["table"]), (&1.into(), &"jemalloc".into()));
    assert_eq!(read["upper_bounds"][231], "8070450532247928832");
    let vectors = read["vectors"].as_array().unwrap();
    let pair = |vector: &serde_json::Value| {
        (vector["size"].as_str().unwrap().parse().unwrap(), vector["class"].as_u64().unwrap() as usize)
    };
    assert!(vectors.iter().map(pair).eq(csv("jemalloc")));
}

#[test]
fn an_unknown_table_is_refused_with_the_known_ones() {
    let Output { status, stdout, stderr } = vectors(&["--table", "tcmalloc"]);
    assert_eq!((status.code(), stdout.len()), (Some(2), 0));
    let stderr = String::from_utf8(stderr).unwrap();
    assert!(stderr.contains("there is no table `tcmalloc`; the tables are llgo, go, jemalloc"), "{stderr}");
}
