//! What is written at a site, and whether it says why.

use std::path::{Path, PathBuf};
use std::{env, fs};

use crate::engine::wrap::rewriting::Site;

/// The source around a site.
pub(super) struct Source {
    text: String,
    /// From 0.
    line: usize,
}

/// How far above the operation the comment may end.
const LINES: usize = 3;

impl Source {
    /// `None` if the file cannot be found: the program may run on another machine than the one it was built on. Another
    /// file of the same name is told by the line, which must have the operation.
    pub(super) fn of(site: &Site) -> Option<Self> {
        let mut sources = candidates(site.file).into_iter().filter_map(|path| {
            let text = fs::read_to_string(path).ok()?;
            Some(Self { text, line: (site.line as usize).checked_sub(1)? })
        });
        sources.find(|source| source.line().contains(site.role.method()))
    }

    /// The line of the operation.
    pub(super) fn line(&self) -> &str {
        self.text.lines().nth(self.line).unwrap_or_default()
    }

    /// Whether a comment stands within three lines above the line, or behind it. What documents an item is none.
    pub(super) fn has_comment(&self) -> bool {
        let mut above = self.text.lines().take(self.line).skip(self.line.saturating_sub(LINES)).map(str::trim_start);
        let is_comment = |line: &str| line.starts_with("//") && !line.starts_with("///") && !line.starts_with("//!");
        let behind = self.line().contains("; //") || self.line().contains(", //");
        behind || above.any(is_comment)
    }
}

/// The compiler is given files relative to the workspace: that in which the program runs, perhaps in a folder of it, or
/// that of this package.
fn candidates(file: &str) -> Vec<PathBuf> {
    let here = env::current_dir().unwrap_or_default();
    let this = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().chain(this.parent()).map(|folder| folder.join(file)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_commented(text: &str, line: usize) -> bool {
        Source { text: text.to_owned(), line: line - 1 }.has_comment()
    }

    #[test]
    fn three_lines_above_are_looked_at_and_no_more() {
        let text = "// why\na\nb\nc\nd\n";
        assert_eq!([1, 2, 3, 4, 5].map(|line| is_commented(text, line)), [false, true, true, true, false]);
        assert!(is_commented("x\n    // why\n    y", 3) && !is_commented("x; // why\ny", 2));
        assert!(is_commented("x; // why", 1) && !is_commented("https://x;", 1));
        assert!(!is_commented("/// What the method does.\n//! Or the module.\ny", 3));
    }
}
