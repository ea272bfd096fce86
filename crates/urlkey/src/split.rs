//! The splitter of RFC 3986, as Python's `urllib` has it and Scrapy with it: text in, five parts out, nothing decoded.
//!
//! Used where a URL is to be repaired or its query edited. It also splits relative references, which have no scheme.

use std::borrow::Cow;

use idna::uts46::{Hyphens, Uts46};

use crate::Error;

/// The parts of a URL or a relative reference. Empty means absent.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Split<'a> {
    /// In lower case, without the colon.
    pub scheme: String,
    /// User, host and port as written.
    pub authority: Cow<'a, str>,
    /// The path.
    pub path: Cow<'a, str>,
    /// Without the `?`.
    pub query: Cow<'a, str>,
    /// Without the `#`.
    pub fragment: Cow<'a, str>,
}

/// The parts of an authority.
#[derive(Debug, Clone, Default)]
pub(crate) struct Authority<'a> {
    pub(crate) user: Option<&'a str>,
    pub(crate) password: Option<&'a str>,
    /// Without brackets.
    pub(crate) host: &'a str,
    pub(crate) port: Option<u16>,
}

/// Splits a URL or a relative reference. Tabs and line breaks are dropped wherever they are, controls and blanks in
/// front; for the schemes of browsers a backslash before the query is a slash.
///
/// # Errors
/// [`Error::BadHost`] for brackets in wrong places and for a host that, once normalised, would hold a `/`, `:`, `@`, `?`
/// or `#`; [`Error::BadPort`] for a port that is no port.
pub fn split(url: &str) -> Result<Split<'_>, Error> {
    let url = if url.contains(['\t', '\n', '\r']) {
        Cow::Owned(url.replace(['\t', '\n', '\r'], ""))
    } else {
        Cow::Borrowed(url)
    };
    match url {
        Cow::Borrowed(url) => split_clean(url),
        Cow::Owned(url) => split_clean(&url).map(Split::into_owned),
    }
}

impl Split<'_> {
    /// The URL again.
    pub fn join(&self) -> String {
        let mut url = String::new();
        if !self.scheme.is_empty() {
            url.push_str(&self.scheme);
            url.push(':');
        }
        let rooted = self.path.is_empty() || self.path.starts_with('/');
        if !self.authority.is_empty() {
            url.push_str("//");
            url.push_str(&self.authority);
            if !rooted {
                url.push('/');
            }
        } else if self.path.starts_with("//") || (rooted && has_authority(&self.scheme)) {
            url.push_str("//");
        }
        url.push_str(&self.path);
        for (mark, part) in [('?', &self.query), ('#', &self.fragment)] {
            if !part.is_empty() {
                url.push(mark);
                url.push_str(part);
            }
        }
        url
    }

    /// The path without and with what follows a `;` in its last segment, for schemes that know such parameters.
    pub fn path_and_parameters(&self) -> (&str, &str) {
        split_parameters(&self.scheme, &self.path)
    }

    pub(crate) fn parse_authority(&self) -> Result<Authority<'_>, Error> {
        parse_authority(&self.authority)
    }

    fn into_owned(self) -> Split<'static> {
        let own = |part: Cow<'_, str>| Cow::Owned(part.into_owned());
        Split {
            scheme: self.scheme,
            authority: own(self.authority),
            path: own(self.path),
            query: own(self.query),
            fragment: own(self.fragment),
        }
    }
}

/// Is this one of the schemes that the URL standard treats specially?
pub(crate) fn is_special(scheme: &str) -> bool {
    matches!(scheme, "http" | "https" | "ftp" | "file" | "ws" | "wss")
}

pub(crate) fn split_parameters<'p>(scheme: &str, path: &'p str) -> (&'p str, &'p str) {
    let known = [
        "", "ftp", "hdl", "prospero", "http", "imap", "https", "shttp", "rtsp", "rtsps", "rtspu", "sip",
        "sips", "mms", "sftp", "tel",
    ];
    let last = path.rfind('/').map_or(0, |at| at + 1);
    let semicolon = path.get(last..).and_then(|segment| segment.find(';'));
    match semicolon.and_then(|at| path.split_at_checked(last + at)) {
        Some((path, parameters)) if known.contains(&scheme) => {
            (path, parameters.get(1..).unwrap_or_default())
        }
        _ => (path, ""),
    }
}

fn has_authority(scheme: &str) -> bool {
    matches!(
        scheme,
        "ftp"
            | "http"
            | "gopher"
            | "nntp"
            | "telnet"
            | "imap"
            | "wais"
            | "file"
            | "mms"
            | "https"
            | "shttp"
            | "snews"
            | "prospero"
            | "rtsp"
            | "rtsps"
            | "rtspu"
            | "rsync"
            | "svn"
            | "svn+ssh"
            | "sftp"
            | "nfs"
            | "git"
            | "git+ssh"
            | "ws"
            | "wss"
    )
}

fn split_clean(url: &str) -> Result<Split<'_>, Error> {
    let url = url.trim_start_matches(|char: char| char <= ' ');
    let (scheme, rest) =
        match crate::handy::scheme_length(url.as_bytes()).and_then(|length| url.split_at_checked(length)) {
            Some((scheme, rest)) => (scheme.to_ascii_lowercase(), rest.get(1..).unwrap_or_default()),
            None => (String::new(), url),
        };
    let end = rest.find(['?', '#']).unwrap_or(rest.len());
    let (hierarchy, tail) = rest.split_at_checked(end).unwrap_or((rest, ""));
    let hierarchy = if is_special(&scheme) && hierarchy.contains('\\') {
        Cow::Owned(hierarchy.replace('\\', "/"))
    } else {
        Cow::Borrowed(hierarchy)
    };
    let (tail, fragment) = tail.split_once('#').unwrap_or((tail, ""));
    let query = tail.strip_prefix('?').unwrap_or(tail);
    let (authority, path) = match hierarchy {
        Cow::Borrowed(text) => {
            let (authority, path) = split_hierarchy(text);
            (Cow::Borrowed(authority), Cow::Borrowed(path))
        }
        Cow::Owned(text) => {
            let (authority, path) = split_hierarchy(&text);
            (Cow::Owned(authority.to_owned()), Cow::Owned(path.to_owned()))
        }
    };
    check_authority(&authority)?;
    parse_authority(&authority)?;
    Ok(Split { scheme, authority, path, query: Cow::Borrowed(query), fragment: Cow::Borrowed(fragment) })
}

fn split_hierarchy(hierarchy: &str) -> (&str, &str) {
    match hierarchy.strip_prefix("//") {
        Some(rest) => rest.split_at_checked(rest.find('/').unwrap_or(rest.len())).unwrap_or((rest, "")),
        None => ("", hierarchy),
    }
}

fn parse_authority(authority: &str) -> Result<Authority<'_>, Error> {
    let (userinfo, host_port) = match authority.rsplit_once('@') {
        Some((userinfo, host_port)) => (Some(userinfo), host_port),
        None => (None, authority),
    };
    let (user, password) = match userinfo.map(|userinfo| userinfo.split_once(':').ok_or(userinfo)) {
        Some(Ok((user, password))) => (Some(user), Some(password)),
        Some(Err(user)) => (Some(user), None),
        None => (None, None),
    };
    let (host, port) = match host_port.split_once('[') {
        Some((_, bracketed)) => {
            let (host, after) = bracketed.split_once(']').unwrap_or((bracketed, ""));
            (host, after.split_once(':').map_or("", |(_, port)| port))
        }
        None => host_port.split_once(':').unwrap_or((host_port, "")),
    };
    let port = if port.is_empty() {
        None
    } else {
        let bad = || Error::BadPort { port: crate::error::excerpt(port) };
        let digits = port.bytes().all(|byte| byte.is_ascii_digit());
        Some(digits.then(|| port.parse().ok()).flatten().ok_or_else(bad)?)
    };
    Ok(Authority { user, password, host, port })
}

fn check_authority(authority: &str) -> Result<(), Error> {
    let bad = || Error::BadHost { host: crate::error::excerpt(authority) };
    match (authority.contains('['), authority.contains(']')) {
        (false, false) => {}
        (true, true) => check_brackets(authority).ok_or_else(bad)?,
        _ => return Err(bad()),
    }
    if authority.is_ascii() {
        return Ok(());
    }
    // A full-width colon or at sign would become a real one once the name is mapped, and the URL another.
    let bare = authority.replace(['@', ':', '#', '?'], "");
    let (mapped, _) = Uts46::new().to_unicode(bare.as_bytes(), idna::AsciiDenyList::EMPTY, Hyphens::Allow);
    let was_there = |char: char| bare.contains(char);
    let appeared = mapped.chars().any(|char| "/?#@:\\".contains(char) && !was_there(char));
    if appeared { Err(bad()) } else { Ok(()) }
}

/// Brackets hold an IPv6 address or an address of a kind to come, with nothing before and at most a port after.
fn check_brackets(authority: &str) -> Option<()> {
    let host_port = authority.rsplit_once('@').map_or(authority, |(_, host_port)| host_port);
    let host = match host_port.split_once('[') {
        Some((before, bracketed)) => {
            let (host, after) = bracketed.split_once(']').unwrap_or((bracketed, ""));
            (before.is_empty() && (after.is_empty() || after.starts_with(':'))).then_some(host)?
        }
        None => host_port.split(':').next()?,
    };
    if let Some(future) = host.strip_prefix(['v', 'V']) {
        let (version, address) = future.split_once('.')?;
        let hexadecimal = !version.is_empty() && version.bytes().all(|byte| byte.is_ascii_hexdigit());
        return (hexadecimal && !address.is_empty()).then_some(());
    }
    let address = host.split_once('%').map_or(host, |(address, _)| address);
    address.parse::<std::net::Ipv6Addr>().ok().map(|_| ())
}
