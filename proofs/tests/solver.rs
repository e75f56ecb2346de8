//! What the script `proofs/solver` finds, fetches and says, with programs of these tests in place of z3, apt-get and pip. It
//! runs in a copy of its folder, so that what another run fetched is not in it.
#![cfg(unix)]

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A program that the script takes for a z3.
const Z3: &str = "echo Z3 version 0";

/// What `python3` is where PyPI has a z3.
const PIP: &str = r#"
while [ "$1" != --target ]; do shift; done
mkdir -p "$2/bin"
printf '#!/bin/sh\necho Z3 version 0\n' >"$2/bin/z3"
chmod +x "$2/bin/z3"
"#;

/// A machine that has no z3 and reaches no registry, until a test plants a program.
struct Machine {
    root: PathBuf,
    _turn: MutexGuard<'static, ()>,
}

impl Machine {
    fn new(name: &str) -> Self {
        // A program cannot be run while it is written, nor while a process that another test starts has it open for this.
        static TURN: Mutex<()> = Mutex::new(());
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("solver").join(name);
        if root.exists() {
            fs::remove_dir_all(&root).unwrap();
        }
        fs::create_dir_all(root.join("proofs")).unwrap();
        fs::copy(concat!(env!("CARGO_MANIFEST_DIR"), "/solver"), root.join("proofs/solver")).unwrap();
        let machine = Self { root, _turn: turn };
        machine.plant("path/z3", "exit 1");
        machine.plant("path/apt-get", "echo no Debian here >&2; exit 1");
        machine.plant("path/apt-cache", "exit 1");
        machine.plant("path/python3", "echo no PyPI here >&2; exit 1");
        machine
    }

    fn plant(&self, name: &str, program: &str) -> PathBuf {
        let path = self.root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, format!("#!/bin/sh\n{program}\n")).unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o755)).unwrap();
        path
    }

    fn start(&self, named: &str) -> Child {
        let path = format!("{}:{}", self.root.join("path").display(), std::env::var("PATH").unwrap());
        Command::new(self.root.join("proofs/solver"))
            .env("PATH", path)
            .env("COUNTERSIGN_SOLVER", named)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    }

    /// The path that the script prints, and what it says; or what it says where it fails.
    fn solver(&self, named: &str) -> Result<(PathBuf, String), String> {
        found(self.start(named))
    }

    /// The names in `target/solver`, in order, without the lock.
    fn kept(&self) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.root.join("target/solver")) else { return Vec::new() };
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.retain(|name| name != "lock");
        names.sort();
        names
    }
}

fn found(script: Child) -> Result<(PathBuf, String), String> {
    let output = script.wait_with_output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    if output.status.success() {
        Ok((printed.trim_end().into(), said))
    } else {
        assert_eq!(printed, "", "a script that fails names no program");
        Err(said)
    }
}

#[test]
fn a_program_that_is_named_is_taken_before_the_one_in_the_path() {
    let machine = Machine::new("named");
    let in_path = machine.plant("path/z3", Z3);
    let named = machine.plant("elsewhere/z3", Z3);
    assert_eq!(machine.solver(named.to_str().unwrap()), Ok((named, String::new())));
    assert_eq!(machine.solver(""), Ok((in_path, String::new())));
    assert!(machine.kept().is_empty());
}

#[test]
fn a_program_that_is_named_and_no_z3_is_an_error_though_there_is_another() {
    let machine = Machine::new("named-wrong");
    machine.plant("path/z3", Z3);
    let other = machine.plant("elsewhere/other", "echo other 1.0");
    for named in [other.to_str().unwrap(), "/no/such/z3"] {
        let said = machine.solver(named).unwrap_err();
        assert!(said.contains(&format!("COUNTERSIGN_SOLVER is '{named}'")), "{said}");
        assert!(said.contains("unset it"), "{said}");
    }
}

#[test]
fn where_no_way_works_it_says_what_was_tried_and_what_to_do() {
    let machine = Machine::new("nothing");
    let said = machine.solver("").unwrap_err();
    for part in ["no Debian here", "no PyPI here", "apt-get install z3", "set COUNTERSIGN_SOLVER"] {
        assert!(said.contains(part), "no '{part}' in: {said}");
    }
    assert!(machine.kept().is_empty(), "{:?}", machine.kept());
}

#[test]
fn what_is_fetched_runs_and_is_fetched_once() {
    let machine = Machine::new("fetched");
    machine.plant("path/python3", PIP);
    let (first, second) = (machine.start(""), machine.start(""));
    let (path, _) = found(first).unwrap();
    assert_eq!(path, machine.root.join("target/solver/z3"));
    assert_eq!(found(second).unwrap().0, path);
    assert_eq!(Command::new(&path).arg("--version").output().unwrap().stdout, b"Z3 version 0\n");

    machine.plant("path/python3", "exit 1");
    assert_eq!(machine.solver(""), Ok((path, String::new())));
    let kept = machine.kept();
    assert!(kept.iter().all(|name| name == "z3" || name.starts_with("pip-") && !name.contains('.')), "{kept:?}");
}

#[test]
fn what_was_fetched_and_does_not_run_is_fetched_again() {
    let machine = Machine::new("broken");
    machine.plant("path/python3", PIP);
    let broken = machine.plant("target/solver/z3", "exit 1");
    assert_eq!(machine.solver("").unwrap().0, broken);
    assert_eq!(Command::new(&broken).output().unwrap().stdout, b"Z3 version 0\n");
}
