//! Paths that packages name: which must not be followed, which are awkward elsewhere, and which are one path to some systems.

use std::collections::HashSet;

use icu_normalizer::ComposingNormalizerBorrowed;

use crate::error::Error;
use crate::limits::Limits;

/// Why a path must not be followed: it leads out of the package, or would on some system or to some reader.
pub(crate) fn hostile(path: &str) -> Option<&'static str> {
    if path.is_empty() {
        return Some("is empty");
    }
    if path.contains('\0') {
        return Some("has a zero byte");
    }
    if path.starts_with('/') {
        return Some("is absolute");
    }
    if path.starts_with('\\') {
        return Some("is absolute on Windows, or a share of the network");
    }
    if path.starts_with('~') {
        return Some("begins with `~`, which is somebody's home to a shell");
    }
    let mut start = path.chars();
    if start.next().is_some_and(|letter| letter.is_ascii_alphabetic()) && start.next() == Some(':') {
        return Some("begins with the letter of a drive");
    }
    // A backslash is a separator to some and an escape to others; neither reading may lead out.
    let is_up = |path: &str| path.split('/').any(|part| part == "..");
    if is_up(path) || is_up(&path.replace('\\', "/")) || is_up(&path.replace('\\', "")) {
        return Some("leads upwards");
    }
    if path.split('/').any(|part| part.is_empty() || part == ".") {
        return Some("has an empty part or `.`");
    }
    None
}

/// What may go wrong with a sound path elsewhere.
pub(crate) fn awkward(path: &str) -> Option<&'static str> {
    if path.chars().any(char::is_control) {
        return Some("has control characters");
    }
    if path.chars().any(|letter| matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')) {
        return Some("has characters that turn the direction of writing");
    }
    if path.contains('\\') {
        return Some("has a backslash, which is a separator on Windows");
    }
    if hides_separator(path) {
        return Some("leads elsewhere for whoever takes percent signs for escapes");
    }
    if path.contains(['<', '>', ':', '"', '|', '?', '*']) {
        return Some("has characters that Windows does not allow");
    }
    if path.split('/').any(is_reserved) {
        return Some("has a part that Windows does not allow");
    }
    None
}

/// Whether an operating system left it behind.
pub(crate) fn is_of_system(path: &str) -> bool {
    const NAMES: [&str; 6] =
        [".DS_Store", "Thumbs.db", "desktop.ini", ".Spotlight-V100", ".Trashes", ".fseventsd"];
    path.split('/')
        .any(|part| part.starts_with("._") || NAMES.iter().any(|name| part.eq_ignore_ascii_case(name)))
}

/// The path in the one form that a letter with a mark has: two paths of one form are one file on some systems.
pub(crate) fn composed(path: &str) -> String {
    if path.is_ascii() {
        return path.to_owned();
    }
    ComposingNormalizerBorrowed::new_nfc().normalize(path).into_owned()
}

/// The path without differences of letter case, nor of composition.
pub(crate) fn folded(path: &str) -> String {
    composed(&composed(path).to_lowercase())
}

/// Paths that were written into a package, in the form that all systems can tell apart.
#[derive(Debug, Default)]
pub(crate) struct Admitted {
    files: HashSet<String>,
    folders: HashSet<String>,
}

impl Admitted {
    /// Whether a path may be written, too: it stays inside, and is none of those before, nor one with them on some system. `whole` is
    /// what it becomes in the package.
    pub(crate) fn add(&mut self, path: &str, whole: &str, limits: &Limits) -> Result<(), Error> {
        let refused = |why| Err(Error::Path { path: path.to_owned(), why });
        if let Some(why) = hostile(path) {
            return refused(why);
        }
        if whole.len() > limits.path_bytes {
            return refused("is too long");
        }
        if self.files.len() >= limits.entries {
            return Err(Error::Limit { what: "files", limit: limits.entries as u64 });
        }
        let form = folded(path);
        if self.files.contains(&form) {
            return refused("is there already, or is one with another on some systems");
        }
        let folders: Vec<&str> = form.match_indices('/').filter_map(|(at, _)| form.get(..at)).collect();
        if self.folders.contains(&form) || folders.iter().any(|folder| self.files.contains(*folder)) {
            return refused("would be a file and a folder at once");
        }
        self.folders.extend(folders.into_iter().map(str::to_owned));
        self.files.insert(form);
        Ok(())
    }
}

fn hides_separator(path: &str) -> bool {
    let bytes = path.as_bytes();
    bytes.windows(3).any(|three| {
        matches!(three, [b'%', high, low]
            if matches!((high, low.to_ascii_lowercase()), (b'2', b'e' | b'f') | (b'5', b'c') | (b'0', b'0')))
    })
}

/// <https://learn.microsoft.com/en-us/windows/win32/fileio/naming-a-file>
fn is_reserved(part: &str) -> bool {
    if part.ends_with(['.', ' ']) {
        return true;
    }
    let stem = part.split('.').next().unwrap_or(part).to_ascii_lowercase();
    match stem.strip_prefix("com").or_else(|| stem.strip_prefix("lpt")) {
        Some(digit) => matches!(digit.as_bytes(), [b'1'..=b'9']),
        None => matches!(stem.as_str(), "con" | "prn" | "aux" | "nul"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_that_lead_out_are_hostile() {
        for path in [
            "",
            "/etc/passwd",
            "../x",
            "data/../../x",
            "data/..",
            "~/x",
            "~root/x",
            "C:/x",
            "c:x",
            "C:\\x",
            "\\\\server\\share\\x",
            "\\x",
            "data\\..\\..\\x",
            "data/.\\./x",
            "data/\\.\\./x",
            "data//x",
            "data/./x",
            "data/x/",
            "data/\0",
        ] {
            assert!(hostile(path).is_some(), "{path:?}");
        }
        for path in [
            "data/x",
            "data/..x",
            "data/x..",
            "data/a ~b",
            "data/a:b",
            "data/...",
            "data/a\\b",
            "data/%2e%2e/x",
        ] {
            assert_eq!(hostile(path), None, "{path:?}");
        }
    }

    #[test]
    fn awkward_names_are_told() {
        for path in [
            "data/a\nb",
            "data/a\\b",
            "data/%2e%2E/x",
            "data/a%2Fb",
            "data/a:b",
            "data/con.txt",
            "data/COM1",
            "data/x.",
            "data/\u{202e}gpj.exe",
        ] {
            assert!(awkward(path).is_some(), "{path:?}");
        }
        for path in ["data/x", "data/Núñez", "data/comma", "data/com10", "data/a%20b", "data/.hidden"] {
            assert_eq!(awkward(path), None, "{path:?}");
        }
        assert!(is_of_system("data/a/Thumbs.db") && is_of_system("data/._x") && !is_of_system("data/thumbs"));
    }

    #[test]
    fn composition_and_letter_case_fold() {
        assert_eq!(composed("Nu\u{301}n\u{303}ez"), "N\u{fa}\u{f1}ez");
        assert_eq!(folded("NU\u{301}"), folded("n\u{fa}"));
        assert_ne!(folded("a"), folded("b"));
    }
}
