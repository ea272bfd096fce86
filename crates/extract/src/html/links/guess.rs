//! Whether a string that nothing says is an address may be one.

/// Endings of files that pages point at.
const ENDINGS: [&str; 46] = [
    "html", "htm", "shtml", "xhtml", "php", "asp", "aspx", "jsp", "cgi", "cfm", "do", "xml", "json", "rss",
    "js", "css", "swf", "flv", "f4v", "mp4", "m4v", "webm", "ogv", "mov", "avi", "mp3", "ogg", "wav", "m3u8",
    "mpd", "vtt", "jpg", "jpeg", "png", "gif", "svg", "webp", "avif", "bmp", "ico", "pdf", "txt", "zip",
    "doc", "class", "jar",
];

/// Whether this looks like the address of something: it names a host, a path from the root, or a file of a known kind.
pub(super) fn is_likely_address(text: &str) -> bool {
    if text.len() < 4
        || text.bytes().any(|byte| byte <= b' ' || matches!(byte, b'<' | b'>' | b'{' | b'}' | b'"'))
    {
        return false;
    }
    let Some((path, is_absolute)) = behind_host(text) else { return false };
    let path = path.split(['?', '#']).next().unwrap_or_default();
    is_absolute || is_file(path) || (path.starts_with('/') && has_letters(path) && path.contains('.'))
}

/// Whether the path ends in a file of a known kind.
fn is_file(path: &str) -> bool {
    let Some((name, ending)) = path.rsplit_once('.') else { return false };
    !name.is_empty() && !name.ends_with('/') && ENDINGS.iter().any(|known| known.eq_ignore_ascii_case(ending))
}

fn has_letters(path: &str) -> bool {
    path.bytes().any(|byte| byte.is_ascii_alphabetic())
}

/// What follows scheme and host, and whether there is a host; `None` for other schemes.
fn behind_host(text: &str) -> Option<(&str, bool)> {
    let scheme = ["http://", "https://", "//"].into_iter().find(|scheme| super::starts_with(text, scheme));
    let Some(scheme) = scheme else {
        return (!text.split('/').next().is_some_and(|start| start.contains(':'))).then_some((text, false));
    };
    let host = text.get(scheme.len()..)?;
    let end = host.find(['/', '?', '#']).unwrap_or(host.len());
    let (host, path) = host.split_at_checked(end)?;
    Some((path, host.contains('.') || host.contains("localhost")))
}

#[cfg(test)]
mod tests {
    use super::is_likely_address;

    #[test]
    fn hosts_roots_and_files_are_likely() {
        for text in
            ["http://example.org", "//example.org/x", "/a/b.html", "b.html", "img/b.jpg?x=1", "/x/y.z"]
        {
            assert!(is_likely_address(text), "{text}");
        }
    }

    #[test]
    fn words_numbers_and_markup_are_not() {
        for text in [
            "",
            "and/or",
            "3.14",
            "12/31",
            "hello world.html",
            "{a.html}",
            "mailto:a@b.html",
            ".html",
            "/",
            "http://x",
        ] {
            assert!(!is_likely_address(text), "{text}");
        }
    }
}
