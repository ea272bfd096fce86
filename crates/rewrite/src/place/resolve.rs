//! Joins a link to the URL it is relative to, as browsers do, but keeps every character that needs no change: how a query is
//! encoded is decided by the page's charset, which the browser knows.
//!
//! <https://url.spec.whatwg.org/#url-parsing>, held against the `url` crate by a property test.

use std::borrow::Cow;

/// A URL that others are relative to, taken apart.
#[derive(Debug, Clone)]
pub(super) struct Base {
    url: String,
    /// Where `:` stands.
    scheme_end: usize,
    /// Where the path begins, behind the host.
    path_at: usize,
    /// Behind the last slash of the path.
    folder_end: usize,
    /// Where the path ends.
    path_end: usize,
}

impl Base {
    /// Takes an absolute URL apart; nothing if it is none that can be fetched. Its fragment is dropped.
    pub(super) fn new(url: &str) -> Option<Base> {
        let url = super::clean(url);
        let scheme = scheme(&url).filter(|scheme| is_fetched(scheme))?;
        let mut whole = scheme.to_ascii_lowercase();
        whole.push(':');
        let scheme_end = scheme.len();
        let rest = url.get(scheme_end + 1..)?;
        if !authority(rest.trim_start_matches(is_slash), &mut whole) {
            return None;
        }
        if let Some((before, _)) = whole.split_once('#') {
            whole.truncate(before.len());
        }
        let whole = harmless(whole);
        let host_at = scheme_end + 3;
        let host_end = whole.get(host_at..)?.find(['/', '?']).map_or(whole.len(), |end| host_at + end);
        let mut url = whole;
        if url.as_bytes().get(host_end) != Some(&b'/') {
            url.insert(host_end, '/');
        }
        let path_end = url.find('?').unwrap_or(url.len());
        let folder_end = url.get(..path_end)?.rfind('/')? + 1;
        Some(Base { scheme_end, path_at: host_end, folder_end, path_end, url })
    }

    pub(super) fn url(&self) -> &str {
        &self.url
    }

    fn part(&self, end: usize) -> &str {
        self.url.get(..end).unwrap_or_default()
    }

    /// Appends the absolute URL of a cleaned link. Says whether it has one.
    pub(super) fn resolve(&self, link: &str, out: &mut String) -> bool {
        let Some(scheme) = scheme(link) else { return self.relative(link, out) };
        if !is_fetched(scheme) {
            return false;
        }
        let rest = link.get(scheme.len() + 1..).unwrap_or_default();
        if scheme.eq_ignore_ascii_case(self.part(self.scheme_end)) && !rest.starts_with("//") {
            return self.relative(rest, out);
        }
        out.push_str(scheme);
        out.push(':');
        authority(rest.trim_start_matches(is_slash), out)
    }

    fn relative(&self, link: &str, out: &mut String) -> bool {
        match link.as_bytes() {
            [] | [b'#', ..] => {
                out.push_str(&self.url);
                out.push_str(link);
            }
            [b'/' | b'\\', b'/' | b'\\', ..] => {
                out.push_str(self.part(self.scheme_end + 1));
                return authority(link.trim_start_matches(is_slash), out);
            }
            [b'/' | b'\\', ..] => {
                out.push_str(self.part(self.path_at));
                path("", link, out);
            }
            [b'?', ..] => {
                out.push_str(self.part(self.path_end));
                out.push_str(link);
            }
            _ => {
                out.push_str(self.part(self.path_at));
                path(self.url.get(self.path_at..self.folder_end).unwrap_or("/"), link, out);
            }
        }
        true
    }
}

/// The scheme of a link, if it has one.
pub(crate) fn scheme(link: &str) -> Option<&str> {
    let end = link.bytes().position(|byte| !(byte.is_ascii_alphanumeric() || b"+-.".contains(&byte)))?;
    let starts = link.bytes().next().is_some_and(|byte| byte.is_ascii_alphabetic());
    (starts && link.as_bytes().get(end) == Some(&b':')).then(|| link.get(..end)).flatten()
}

/// Whether archives hold what has this scheme.
pub(super) fn is_fetched(scheme: &str) -> bool {
    ["http", "https", "ftp"].iter().any(|known| scheme.eq_ignore_ascii_case(known))
}

fn is_slash(character: char) -> bool {
    matches!(character, '/' | '\\')
}

/// Appends `//`, the host and all behind it. Says whether there is a host.
fn authority(rest: &str, out: &mut String) -> bool {
    let host_end = rest.find(['/', '\\', '?', '#']).unwrap_or(rest.len());
    let (host, behind) = rest.split_at_checked(host_end).unwrap_or((rest, ""));
    if host.is_empty() || host.ends_with('@') {
        return false;
    }
    out.push_str("//");
    out.push_str(&in_ascii(host));
    match behind.as_bytes() {
        [b'/' | b'\\', ..] => path("", behind, out),
        _ => out.push_str(behind),
    }
    true
}

/// A host of other letters than ours as it is asked for; the user and the port stay.
pub(crate) fn in_ascii(authority: &str) -> Cow<'_, str> {
    if authority.is_ascii() && !authority.contains('%') {
        return authority.into();
    }
    let (user, rest) = authority
        .rfind('@')
        .map_or(("", authority), |at| authority.split_at_checked(at + 1).unwrap_or(("", authority)));
    let digits = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit());
    let (host, port) = match rest.rsplit_once(':') {
        Some((host, port)) if digits(port) => (host, rest.get(host.len()..).unwrap_or_default()),
        _ => (rest, ""),
    };
    match url::Host::parse(host) {
        Ok(host) => format!("{user}{host}{port}").into(),
        Err(_) => authority.into(),
    }
}

/// Appends a path without dots in it, and the query and fragment behind.
fn path(folder: &str, link: &str, out: &mut String) {
    let end = link.find(['?', '#']).unwrap_or(link.len());
    let (path, behind) = link.split_at_checked(end).unwrap_or((link, ""));
    if has_dots(path) || path.contains('\\') {
        let path = path.replace('\\', "/");
        let from = out.len();
        // Segments of the folder are clean already; those of the link may take them back.
        let mut ends: Vec<usize> = Vec::new();
        let folder = folder.strip_prefix('/').unwrap_or(folder);
        for segment in folder.split_terminator('/') {
            ends.push(out.len());
            out.push('/');
            out.push_str(segment);
        }
        let path = path.strip_prefix('/').unwrap_or(&path);
        let mut segments = path.split('/').peekable();
        while let Some(segment) = segments.next() {
            let last = segments.peek().is_none();
            let dots = dots(segment);
            if dots == 2 {
                out.truncate(ends.pop().unwrap_or(from));
            }
            if dots == 0 {
                ends.push(out.len());
            }
            if dots == 0 || last {
                out.push('/');
                out.push_str(if dots == 0 { segment } else { "" });
            }
        }
    } else {
        out.push_str(folder);
        out.push_str(path);
    }
    out.push_str(behind);
}

/// Whether a segment may be made of dots only.
fn has_dots(path: &str) -> bool {
    let mut start = true;
    for byte in path.bytes() {
        if start && matches!(byte, b'.' | b'%') {
            return true;
        }
        start = byte == b'/';
    }
    false
}

/// One for `.`, two for `..`, however they are written; none for anything else.
fn dots(segment: &str) -> usize {
    if segment.len() > 6 {
        return 0;
    }
    match segment.to_ascii_lowercase().replace("%2e", ".").as_str() {
        "." => 1,
        ".." => 2,
        _ => 0,
    }
}

/// What would end a string or tag into which a link is written is encoded, as browsers do.
fn harmless(url: String) -> String {
    let code = |character| match character {
        ' ' => Some("%20"),
        '"' => Some("%22"),
        '<' => Some("%3C"),
        '>' => Some("%3E"),
        '`' => Some("%60"),
        '\0'..'\x20' | '\x7f' => Some(""),
        _ => None,
    };
    if !url.chars().any(|character| code(character).is_some()) {
        return url;
    }
    let mut harmless = String::with_capacity(url.len() + 16);
    for character in url.chars() {
        match code(character) {
            Some(code) => harmless.push_str(code),
            None => harmless.push(character),
        }
    }
    harmless
}
