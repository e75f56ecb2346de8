//! The litmus format: what is read, what is refused and where, and that no input makes the parser panic.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

use countersign_models::study::litmus::{Atom, Litmus, Order, Statement, parse, read};
use proptest::prelude::*;

fn well_formed(text: &str) -> Litmus {
    parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// A program whose only thread has these statements.
fn program(statements: &str) -> String {
    format!("litmus t\ninit x=0 y=-2\nthread P0\n{statements}")
}

/// Fails unless `text` is refused at this place, for a reason that contains `why`.
#[track_caller]
fn refused(text: &str, line: usize, column: usize, why: &str) {
    let error = parse(text).expect_err("the text is malformed");
    assert_eq!((error.line, error.column), (line, column), "{error}\n{text}");
    assert!(error.message.contains(why), "{error}\n{text}");
}

/// Fails unless the last of these statements is refused at this column.
#[track_caller]
fn statement_refused(statements: &str, column: usize, why: &str) {
    refused(&program(statements), 3 + statements.lines().count(), column, why);
}

#[test]
fn a_program_is_read_in_full() {
    let litmus = well_formed(
        "# a comment\nlitmus A+b.c # another\nsource who knows\ntags mo sc\ninit x=0 y=-2\n\n thread P0\n\tr = cas x r -1 ar \
         sc\r\nif r == 0 && r != q\nstore y r ^ 3 rel\nelse\nfence sc\nend\nthread P1\nthread P2\nb = 1\na = 2\nfinal forbid \
         P0.r == 7 && y > -3\ngenmc 4\nexpect 3\nmismatch why\nnote\nnote twice\noutcomes 1\noutcome P0.r=0 P2.a=2 P2.b=01 | \
         x=0 y=-2",
    );
    assert_eq!(litmus.name, "A+b.c");
    assert_eq!(litmus.variables[1].initial, -2);
    let names: Vec<&str> = litmus.threads.iter().map(|thread| thread.name.as_str()).collect();
    assert_eq!(names, ["P0", "P1", "P2"]);
    let statements = &litmus.threads[0].statements;
    let exchange = Statement::CompareExchange {
        into: 0,
        variable: 0,
        current: Atom::Register(0),
        new: Atom::Integer(-1),
        success: Order::AcqRel,
        failure: Order::SeqCst,
    };
    assert_eq!(statements[0], exchange);
    assert!(matches!(statements[1], Statement::If { otherwise: 4, .. }), "to the statement after `else`");
    assert_eq!(statements[3], Statement::Else { end: 5 });
    assert_eq!(litmus.finals.len(), 1);
    assert_eq!(litmus.expected.executions, Some(3));
    let outcomes: Vec<String> = litmus.expected.outcomes.expect("they are listed").into_iter().collect();
    assert_eq!(outcomes, ["P0.r=0 P2.a=2 P2.b=1 | x=0 y=-2"]);
}

#[test]
fn the_parts_stand_in_their_order() {
    refused("", 1, 1, "expected `litmus`");
    refused("# nothing\n", 2, 1, "expected `litmus`");
    refused("init x=0", 1, 1, "expected `litmus`");
    refused("litmus", 1, 7, "the program's name, found the end of the line");
    refused("litmus a b", 1, 10, "expected the end of the line, found `b`");
    refused("litmus a\nlitmus b", 2, 1, "expected a header line");
    refused("litmus a\ninit x=0\n", 3, 1, "`thread`, found the end of the file");
    refused("litmus a\nexpect 1", 2, 1, "expected a header line");
    refused("litmus a\nthread P0\ninit x=0", 3, 1, "expected a statement");
    refused("litmus a\nthread P0\nexpect 1\nfence sc", 4, 1, "expected a footer line");
    refused("litmus a\nthread P0\nexpect 1\nthread P1", 4, 1, "expected a footer line");
    refused("litmus a\nthread P0\nexpect 1\nr = 1", 4, 1, "expected a footer line");
}

#[test]
fn nothing_stands_twice() {
    refused("litmus a\ninit x=0\ninit y=0", 3, 1, "a second line `init`");
    refused("litmus a\ntags a\ntags b", 3, 1, "a second line `tags`");
    refused("litmus a\ninit x=0 y=0 x=1", 2, 14, "the variable `x` is declared twice");
    refused("litmus a\nthread P\nthread P", 3, 8, "two threads `P`");
    refused("litmus a\nthread P\nexpect 1\nexpect 1", 4, 1, "a second line `expect`");
    refused(&program("outcomes 2\noutcome | x=0 y=0\noutcome | x=0 y=0"), 6, 9, "listed twice");
}

#[test]
fn names_and_integers_are_checked() {
    refused("litmus a\ninit x", 2, 6, "as in `x=0`, found `x`");
    refused("litmus a\ninit x=", 2, 6, "expected an integer");
    refused("litmus a\ninit x=+1", 2, 6, "expected an integer");
    refused("litmus a\ninit 1x=1", 2, 6, "as in `x=0`, found `1x=1`");
    refused("litmus a\nthread", 2, 7, "the thread's name");
    refused("litmus a\nthread P.0", 2, 8, "letters, digits and `_`");
    statement_refused("store z 1 rlx", 7, "a variable of the `init` line, found `z`");
    statement_refused("store x 9223372036854775808 rlx", 9, "does not fit in 64 bits");
    statement_refused("  store x 1x rlx", 11, "expected an integer, found `1x`");
    statement_refused("r = load é rlx", 10, "a variable of the `init` line");
    statement_refused("é = load x rxl", 1, "expected a register");
    statement_refused("cas = load x rlx", 1, "a word of the format");
    statement_refused("r = end", 5, "a word of the format");
    well_formed(&program("store x -9223372036854775808 rlx\nr = unset + 1"));
}

#[test]
fn statements_are_complete_and_known() {
    statement_refused("stor x 1 rlx", 1, "expected a statement");
    statement_refused("load x rlx", 1, "expected a statement");
    statement_refused("store x 1", 10, "an ordering of a store (na, rlx, rel or sc), found the end of the line");
    statement_refused("store x 1 +", 12, "a register or an integer");
    statement_refused("store x 1 rlx rlx", 15, "the end of the line, found `rlx`");
    statement_refused("r =", 4, "a register or an integer, found the end of the line");
    statement_refused("r = 1 / 2", 7, "the end of the line, found `/`");
    statement_refused("r = 1 + 2 + 3", 11, "the end of the line, found `+`");
    statement_refused("assume", 7, "the left side of a comparison");
    statement_refused("assume r = 1", 10, "a comparison (==, !=, <, <=, > or >=), found `=`");
    statement_refused("assume r == 1 ||", 15, "expected `&&`, found `||`");
    statement_refused("assume r == 1 &&", 17, "the left side of a comparison");
}

#[test]
fn orderings_fit_their_operation() {
    for (statement, column, why) in [
        ("r = load x rel", 12, "an ordering of a load"),
        ("r = load x ar", 12, "an ordering of a load"),
        ("r = load x acquire", 12, "an ordering of a load"),
        ("store x 1 acq", 11, "an ordering of a store"),
        ("store x 1 ar", 11, "an ordering of a store"),
        ("r = fadd x 1 na", 14, "an ordering of a read-modify-write"),
        ("r = xchg x 1 na", 14, "an ordering of a read-modify-write"),
        ("r = cas x 0 1 na rlx", 15, "an ordering of a read-modify-write"),
        ("r = cas x 0 1 sc rel", 18, "an ordering of a failed compare-exchange"),
        ("r = cas x 0 1 sc ar", 18, "an ordering of a failed compare-exchange"),
        ("fence rlx", 7, "an ordering of a fence"),
        ("fence na", 7, "an ordering of a fence"),
    ] {
        statement_refused(statement, column, why);
    }
}

#[test]
fn branches_are_closed() {
    statement_refused("else", 1, "an `else` outside of any `if`");
    statement_refused("end", 1, "an `end` outside of any `if`");
    statement_refused("if r == 0\nelse\nelse", 1, "a second `else` of the `if` of line 4");
    refused(&program("if r == 0\nexpect 1"), 5, 1, "expected the `end` of the `if` of line 4, found `expect`");
    refused(&program("if r == 0\nthread P1"), 5, 1, "expected the `end` of the `if` of line 4, found `thread`");
    refused(&program("if r == 0\nif r == 1\nend"), 6, 4, "expected the `end` of the `if` of line 4");
}

#[test]
fn the_footer_is_checked() {
    let refused = |footer: &str, column, why| refused(&program(&format!("r = 1\n{footer}")), 5, column, why);
    refused("final r == 1", 7, "expected `assert` or `forbid`");
    refused("final assert r == 1", 14, "a register as in `P0.r`, a variable");
    refused("final assert P1.r == 1", 14, "there is no thread `P1`");
    refused("final assert P0.q == 1", 14, "thread `P0` has no register `q`");
    refused("expect -1", 8, "the number of executions");
    refused("expect", 7, "the number of executions");
    refused("outcome P0.r=1 | x=0 y=0", 1, "expected a line `outcomes`");
    refused("outcomes 1", 11, "expected 1 lines `outcome`, as announced, found 0");
    let outcome =
        |line: &str, column, why| self::refused(&program(&format!("r = 1\noutcomes 1\n{line}")), 6, column, why);
    outcome("outcome P0.q=1 | x=0 y=0", 9, "expected `P0.r=` and its value");
    outcome("outcome P0.r=1 x=0 y=0", 16, "expected `|`");
    outcome("outcome P0.r=1 | y=0 x=0", 18, "expected `x=` and its value");
    outcome("outcome P0.r=1 | x=0", 21, "expected `y=` and its value, found the end of the line");
    outcome("outcome P0.r=1 | x=0 y=q", 22, "expected an integer");
}

#[test]
fn nesting_costs_no_stack() {
    const DEPTH: usize = 200_000;
    let text = program(&("if r == 0\n".repeat(DEPTH) + &"end\n".repeat(DEPTH)));
    let small = thread::Builder::new().stack_size(64 * 1024);
    let statements =
        small.spawn(move || well_formed(&text).threads[0].statements.len()).expect("a thread can be started");
    assert_eq!(statements.join().expect("the parser does not recur"), 2 * DEPTH);
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let missing = read(Path::new("no/such.litmus")).expect_err("there is no such file");
    assert!(missing.starts_with("no/such.litmus: cannot be read: "), "{missing}");
    let path = std::env::temp_dir().join(format!("countersign-{}.litmus", std::process::id()));
    fs::write(&path, b"litmus a\nthread \xff").expect("the file can be written");
    let error = read(&path);
    fs::remove_file(&path).expect("the file can be removed");
    let error = error.expect_err("the file is no text");
    assert!(error.ends_with(":2:8: expected UTF-8 text, found a byte that is not"), "{error}");
}

fn given() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("litmus");
    let folders = ["cases", "extra", "families"].into_iter();
    let entries = folders.flat_map(|folder| fs::read_dir(root.join(folder)).expect("the folder is there"));
    entries.map(|entry| entry.expect("the folder can be read").path()).collect()
}

proptest! {
    #[test]
    fn no_text_makes_it_panic(text in ".{0,200}") {
        _ = parse(&text);
    }

    /// Well-formed programs with words put in, taken out, and exchanged.
    #[test]
    fn no_change_of_a_program_makes_it_panic(
        file in any::<proptest::sample::Index>(),
        changes in prop::collection::vec((any::<proptest::sample::Index>(), any::<proptest::sample::Index>(), 0..3u8), 1..5),
    ) {
        let files = given();
        let text = fs::read_to_string(file.get(&files)).expect("the file can be read");
        let mut parts: Vec<&str> = text.split_inclusive(char::is_whitespace).collect();
        for (at, from, kind) in changes {
            let (at, part) = (at.index(parts.len()), parts[from.index(parts.len())]);
            match kind {
                0 => parts.insert(at, part),
                1 => parts[at] = part,
                _ if parts.len() > 1 => _ = parts.remove(at),
                _ => {}
            }
        }
        let text = parts.concat();
        if let Err(error) = parse(&text) {
            prop_assert!(error.line <= text.split('\n').count(), "{}", error);
        }
    }
}
