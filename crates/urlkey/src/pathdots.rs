//! Dots and doubled slashes in paths: `/a/./b//../c`. Peers resolve them differently, so there is more than one way.

use std::borrow::Cow;

/// The way of the Internet Archive and its Python `surt`: empty segments go, `..` removes the segment before it, and a
/// `..` with nothing left to remove stays. A path always begins with `/`.
pub(crate) fn wayback(path: &[u8]) -> Cow<'_, [u8]> {
    if path.is_empty() {
        return Cow::Borrowed(b"/");
    }
    let plain = path.first() == Some(&b'/') && !path.windows(2).any(|pair| pair == b"//" || pair == b"/.");
    if plain {
        return Cow::Borrowed(path);
    }
    let mut kept: Vec<&[u8]> = Vec::new();
    for segment in path.split(|byte| *byte == b'/').skip(1) {
        match segment {
            b"." => {}
            b".." if !kept.is_empty() => {
                kept.pop();
            }
            segment => kept.push(segment),
        }
    }
    let mut joined = Vec::with_capacity(path.len());
    joined.push(b'/');
    if let Some((last, first)) = kept.split_last() {
        for segment in first.iter().filter(|segment| !segment.is_empty()) {
            joined.extend_from_slice(segment);
            joined.push(b'/');
        }
        joined.extend_from_slice(last);
    }
    Cow::Owned(joined)
}

/// The way of OutbackCDX and jwarc: empty segments and a trailing slash go, `..` never climbs above the root.
pub(crate) fn outback(path: &[u8]) -> Vec<u8> {
    let mut kept: Vec<&[u8]> = Vec::new();
    for segment in path.split(|byte| *byte == b'/') {
        match segment {
            b"" | b"." => {}
            b".." => {
                kept.pop();
            }
            segment => kept.push(segment),
        }
    }
    let mut joined = Vec::with_capacity(path.len() + 1);
    for segment in &kept {
        joined.push(b'/');
        joined.extend_from_slice(segment);
    }
    if joined.is_empty() {
        joined.push(b'/');
    }
    joined
}

/// The way of browsers and of RFC 3986: empty segments stay, escaped dots (`%2e`) count, a trailing dot segment leaves a
/// slash. With `special`, as for `http`, a backslash separates as well. A path that begins with no separator is opaque
/// and stays as it is.
///
/// ```
/// assert_eq!(urlkey::resolve_path_dots(b"/a/./b/../%2E%2E//c/..", true), b"//");
/// ```
pub fn resolve_path_dots(path: &[u8], special: bool) -> Vec<u8> {
    let separates = |byte: u8| byte == b'/' || (special && byte == b'\\');
    if !path.first().is_some_and(|byte| separates(*byte)) {
        return path.to_vec();
    }
    // Separators and segments in turn, as written: `/`, `a`, `/`, `.`, …
    let mut kept: Vec<&[u8]> = Vec::new();
    let mut rest = path;
    while let Some((separator, after)) = rest.split_at_checked(1).filter(|(first, _)| !first.is_empty()) {
        let length = after.iter().take_while(|byte| !separates(**byte)).count();
        let (segment, tail) = after.split_at_checked(length).unwrap_or((after, &[]));
        // What follows a dot segment continues on the separator before it.
        if kept.len().is_multiple_of(2) {
            kept.push(separator);
        }
        match dots(segment) {
            0 => kept.push(segment),
            1 => {}
            _ if kept.len() > 1 => {
                kept.pop();
                if kept.len() > 1 {
                    kept.pop();
                }
            }
            _ => {}
        }
        rest = tail;
    }
    kept.concat()
}

/// One for `.`, two for `..`, zero for anything else; a dot may be written `%2e`.
fn dots(segment: &[u8]) -> usize {
    let mut rest = segment;
    let mut count = 0;
    while !rest.is_empty() {
        rest = match rest {
            [b'.', rest @ ..] | [b'%', b'2', b'e' | b'E', rest @ ..] => rest,
            _ => return 0,
        };
        count += 1;
    }
    if count <= 2 { count } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_way_resolves_as_its_peer_does() {
        for (path, ia, outbackcdx, browser) in [
            ("/a/./b/../c", "/a/c", "/a/c", "/a/c"),
            ("/a//b/", "/a/b/", "/a/b", "/a//b/"),
            ("/../a", "/../a", "/a", "/a"),
            ("/a/..", "/", "/", "/"),
            ("/a/.", "/a", "/a", "/a/"),
            ("//", "/", "/", "//"),
        ] {
            assert_eq!(wayback(path.as_bytes()), ia.as_bytes(), "{path}");
            assert_eq!(outback(path.as_bytes()), outbackcdx.as_bytes(), "{path}");
            assert_eq!(resolve_path_dots(path.as_bytes(), true), browser.as_bytes(), "{path}");
        }
    }
}
