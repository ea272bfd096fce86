//! Does a pattern match a path? In time proportional to both, whatever `*a*a*a*` somebody thinks of.
//!
//! A piece between two stars is looked for from where the one before it was found: taking the first place it fits never
//! loses a match, because a star swallows anything. So nothing is tried twice.

use memchr::memmem;

/// Whether a pattern in normal spelling matches a path in normal spelling from its start on.
pub(super) fn matches(pattern: &[u8], path: &[u8]) -> bool {
    let Some((b'$', pattern)) = pattern.split_last() else { return rest_after(pattern, path).is_some() };
    match memchr::memrchr(b'*', pattern).and_then(|star| pattern.split_at_checked(star)) {
        // The last piece must lie at the end; the ones before it are better off the earlier they are found.
        Some((before, last)) => {
            let last = last.get(1..).unwrap_or_default();
            rest_after(before, path).is_some_and(|rest| rest.ends_with(last))
        }
        None => pattern == path,
    }
}

/// What is left of the path behind the earliest match of a pattern without `$`.
fn rest_after<'p>(pattern: &[u8], path: &'p [u8]) -> Option<&'p [u8]> {
    let mut pieces = pattern.split(|byte| *byte == b'*');
    let mut rest = path.strip_prefix(pieces.next().unwrap_or_default())?;
    for piece in pieces.filter(|piece| !piece.is_empty()) {
        let at = memmem::find(rest, piece)?;
        rest = rest.get(at + piece.len()..)?;
    }
    Some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(pattern: &str, path: &str, expect: bool) {
        assert_eq!(matches(pattern.as_bytes(), path.as_bytes()), expect, "{pattern} {path}");
    }

    #[test]
    fn a_pattern_is_a_prefix() {
        check("/fish", "/fish", true);
        check("/fish", "/fishheads/a", true);
        check("/fish", "/fis", false);
        check("/", "/a", true);
    }

    #[test]
    fn a_star_is_anything_even_nothing() {
        check("/*.php", "/a/b.php5", true);
        check("/*/b", "//b", true);
        check("/a*b*c", "/abc", true);
        check("/a*bb*b", "/abb", false);
        check("*", "/", true);
    }

    #[test]
    fn a_dollar_is_the_end() {
        check("/a$", "/a", true);
        check("/a$", "/ab", false);
        check("/*.php$", "/x.php/y.php", true);
        check("/*.php$", "/x.php?y", false);
        check("/*a$", "/a", true);
        check("/a*a$", "/a", false);
        check("/$", "/", true);
        check("*$", "/a", true);
    }
}
