//! Whether an operation says in the source why it is as it is.

use std::path::{Path, PathBuf};
use std::{env, fs};

use crate::engine::rewriting::Site;

/// How far above the operation the comment may end.
const LINES: usize = 3;

/// Whether a comment stands within three lines above the site, or behind it. `None` if its file cannot be read: the program may run on
/// another machine than the one it was built on.
pub(super) fn has_comment(site: &Site) -> Option<bool> {
    let line = site.line as usize;
    let is_it =
        |text: &String| text.lines().nth(line.saturating_sub(1)).is_some_and(|text| text.contains(site.role.method()));
    let text = candidates(site.file).into_iter().filter_map(|path| fs::read_to_string(path).ok()).find(is_it)?;
    Some(is_commented(&text, line))
}

/// The compiler is given files relative to the workspace: that in which the program runs, perhaps in a folder of it, or
/// that of this package. Another file of the same name is told by its line.
fn candidates(file: &str) -> Vec<PathBuf> {
    let here = env::current_dir().unwrap_or_default();
    let this = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().chain(this.parent()).map(|folder| folder.join(file)).collect()
}

/// Whether one of the lines above this one, which is counted from 1, is a comment, or this one ends with one.
fn is_commented(text: &str, line: usize) -> bool {
    let end = line.saturating_sub(1);
    let mut above = text.lines().skip(end.saturating_sub(LINES)).take(end.min(LINES));
    let behind = text.lines().nth(end).is_some_and(|line| line.contains("; //") || line.contains(", //"));
    behind || above.any(|line| line.trim_start().starts_with("//"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_lines_above_are_looked_at_and_no_more() {
        let text = "// why\na\nb\nc\nd\n";
        assert_eq!([1, 2, 3, 4, 5].map(|line| is_commented(text, line)), [false, true, true, true, false]);
        assert!(is_commented("x\n    // why\n    y", 3) && !is_commented("x; // why\ny", 2));
        assert!(is_commented("x; // why", 1) && !is_commented("https://x;", 1));
    }
}
