//! The lenient splitter of the Internet Archive's tools: any bytes in, the parts of a URL out.
//!
//! White space around and line breaks within are dropped, a missing scheme is `http`, doubled `http://http://` keeps
//! the last, `http:/one.com` and `http:////one.com` find their host, a bare colon is no port, hosts are in lower case. What has no host, such as
//! `mailto:` or `urn:`, is scheme and path.

use std::borrow::Cow;

use crate::Error;

/// A URL in parts, as loosely as it was written. Nothing is decoded or changed but what the module's head says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HandyUrl<'a> {
    /// `http`, as written.
    pub scheme: Cow<'a, [u8]>,
    /// What stands before the `@`, up to a colon.
    pub user: Option<Cow<'a, [u8]>>,
    /// What stands before the `@`, after a colon.
    pub password: Option<Cow<'a, [u8]>>,
    /// The host, without the brackets of an IPv6 address. Never empty.
    pub host: Option<Cow<'a, [u8]>>,
    /// The port, if one was written.
    pub port: Option<u16>,
    /// The path; empty where there was none.
    pub path: Cow<'a, [u8]>,
    /// What follows the first `?`, up to a `#`; `Some` and empty for a lone `?`.
    pub query: Option<Cow<'a, [u8]>>,
    /// What follows the first `#`.
    pub fragment: Option<Cow<'a, [u8]>>,
}

impl<'a> HandyUrl<'a> {
    /// Splits a URL.
    ///
    /// # Errors
    /// [`Error::Blank`] where there is nothing to split, [`Error::BadPort`] where the host is followed by a colon and something else than a number up to 65535: the one
    /// thing the peers refuse as well.
    pub fn parse(url: &'a [u8]) -> Result<HandyUrl<'a>, Error> {
        let url = url.trim_ascii();
        if url.is_empty() {
            return Err(Error::Blank);
        }
        if url.iter().any(|byte| matches!(byte, b'\n' | b'\r' | b'\t')) {
            let cleaned: Vec<u8> = url.iter().copied().filter(|byte| !b"\n\r\t".contains(byte)).collect();
            return HandyUrl::split(&cleaned).map(HandyUrl::into_owned);
        }
        HandyUrl::split(url)
    }

    /// The URL again, with a `/` before a query or fragment that has no path to follow, and `//` before any host.
    pub fn to_url(&self) -> Vec<u8> {
        let mut url = Vec::with_capacity(64);
        url.extend_from_slice(&self.scheme);
        url.push(b':');
        if let Some(host) = &self.host {
            url.extend_from_slice(b"//");
            if let Some(user) = &self.user {
                url.extend_from_slice(user);
                if let Some(password) = &self.password {
                    url.push(b':');
                    url.extend_from_slice(password);
                }
                url.push(b'@');
            }
            url.extend_from_slice(host);
        }
        self.push_port(&mut url);
        self.push_path_query(&mut url);
        if let Some(fragment) = &self.fragment {
            url.push(b'#');
            url.extend_from_slice(fragment);
        }
        url
    }

    /// The URL again as Python's `surt` writes it: an empty query or fragment goes, but a lone `?` at the very end stays,
    /// and the user goes as well.
    pub fn to_url_compact(&self) -> Vec<u8> {
        let full = |part: &Option<Cow<'a, [u8]>>| part.clone().filter(|part| !part.is_empty());
        let compact = HandyUrl {
            user: None,
            password: None,
            query: full(&self.query),
            fragment: full(&self.fragment),
            ..self.clone()
        };
        let mut url = compact.to_url();
        if compact.query.is_none() && self.query.is_some() && self.fragment.is_none() {
            url.push(b'?');
        }
        url
    }

    /// Path and query, as a server is asked for them.
    pub fn path_and_query(&self) -> Vec<u8> {
        let mut text = Vec::new();
        self.push_path_query(&mut text);
        text
    }

    pub(crate) fn push_port(&self, out: &mut Vec<u8>) {
        if let Some(port) = self.port {
            out.push(b':');
            out.extend_from_slice(port.to_string().as_bytes());
        }
    }

    pub(crate) fn push_path_query(&self, out: &mut Vec<u8>) {
        if !self.path.is_empty() {
            out.extend_from_slice(&self.path);
        } else if self.query.is_some() || self.fragment.is_some() {
            out.push(b'/');
        }
        if let Some(query) = &self.query {
            out.push(b'?');
            out.extend_from_slice(query);
        }
    }

    fn split(url: &'a [u8]) -> Result<HandyUrl<'a>, Error> {
        let mut handy = HandyUrl::default();
        let url = last_of_doubled_schemes(url);
        let rest = match scheme_length(url) {
            Some(length) => {
                let (scheme, rest) = url.split_at_checked(length).unwrap_or((url, &[]));
                handy.scheme = Cow::Borrowed(scheme);
                rest.get(1..).unwrap_or_default()
            }
            None => {
                handy.scheme = Cow::Borrowed(b"http");
                url
            }
        };
        let missing_slashes = scheme_length(url).is_none();
        let (rest, fragment) = split_at_byte(rest, b'#');
        let (rest, query) = split_at_byte(rest, b'?');
        handy.fragment = fragment.map(Cow::Borrowed);
        handy.query = query.map(Cow::Borrowed);
        let authority_first = if missing_slashes { Some(rest) } else { rest.strip_prefix(b"//") };
        match authority_first {
            Some(rest) => {
                let length = rest.iter().take_while(|byte| **byte != b'/').count();
                let (authority, path) = rest.split_at_checked(length).unwrap_or((rest, &[]));
                handy.path = Cow::Borrowed(path);
                handy.set_authority(authority)?;
            }
            None => handy.path = Cow::Borrowed(rest),
        }
        handy.find_host_in_path();
        Ok(handy)
    }

    fn set_authority(&mut self, authority: &'a [u8]) -> Result<(), Error> {
        let mut authority = authority;
        while let Some(shorter) = authority.strip_suffix(b":") {
            authority = shorter;
        }
        let host_port = match memchr::memrchr(b'@', authority) {
            Some(at) => {
                let (userinfo, host_port) = authority.split_at_checked(at).unwrap_or((authority, &[]));
                let (user, password) = split_at_byte(userinfo, b':');
                self.user = Some(Cow::Borrowed(user));
                self.password = password.map(Cow::Borrowed);
                host_port.get(1..).unwrap_or_default()
            }
            None => authority,
        };
        let (host, port) = match split_at_byte(host_port, b'[') {
            (_, Some(bracketed)) => {
                let (host, after) = split_at_byte(bracketed, b']');
                (host, after.and_then(|after| split_at_byte(after, b':').1))
            }
            (_, None) => split_at_byte(host_port, b':'),
        };
        if let Some(port) = port.filter(|port| !port.is_empty()) {
            self.port = Some(parse_port(port)?).filter(|port| *port != 0);
        }
        self.host = Some(lowercase(Cow::Borrowed(host))).filter(|host| !host.is_empty());
        Ok(())
    }

    /// `http:/one.com/a` and `http:////one.com/a` mean one.com.
    fn find_host_in_path(&mut self) {
        if self.host.is_some() || self.path.is_empty() || !self.scheme.starts_with(b"http") {
            return;
        }
        let Cow::Borrowed(path) = self.path else { return };
        let start = path.iter().take_while(|byte| **byte == b'/').count();
        let rest = path.get(start..).unwrap_or_default();
        let length = rest.iter().take_while(|byte| **byte != b'/').count();
        let (host, path) = rest.split_at_checked(length).unwrap_or((rest, &[]));
        self.host = Some(Cow::Borrowed(host)).filter(|host| !host.is_empty());
        self.path = Cow::Borrowed(if path.is_empty() { b"/" } else { path });
    }

    fn into_owned(self) -> HandyUrl<'static> {
        let own = |part: Cow<'a, [u8]>| Cow::Owned(part.into_owned());
        HandyUrl {
            scheme: own(self.scheme),
            user: self.user.map(own),
            password: self.password.map(own),
            host: self.host.map(own),
            port: self.port,
            path: own(self.path),
            query: self.query.map(own),
            fragment: self.fragment.map(own),
        }
    }
}

/// With `http://` in front unless one of the schemes of old wayback machines is there already.
///
/// ```
/// assert_eq!(urlkey::add_default_scheme("example.org/"), "http://example.org/");
/// assert_eq!(urlkey::add_default_scheme("FTP://example.org/"), "FTP://example.org/");
/// ```
pub fn add_default_scheme(url: &str) -> Cow<'_, str> {
    let known = ["http", "https", "ftp", "mms", "rtsp", "wais"];
    match url.split_once("://") {
        Some((scheme, _)) if known.iter().any(|known| known.eq_ignore_ascii_case(scheme)) => {
            Cow::Borrowed(url)
        }
        _ => Cow::Owned(format!("http://{url}")),
    }
}

/// The port a browser would use without being told: 80 for `http`, 443 for `https`. Others are not looked at.
pub fn default_port(scheme: &[u8]) -> Option<u16> {
    if scheme.eq_ignore_ascii_case(b"http") {
        Some(80)
    } else if scheme.eq_ignore_ascii_case(b"https") {
        Some(443)
    } else {
        None
    }
}

/// The length of the scheme before its colon, if the URL begins with one.
pub(crate) fn scheme_length(url: &[u8]) -> Option<usize> {
    if !url.first()?.is_ascii_alphabetic() {
        return None;
    }
    let length = url
        .iter()
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
        .count();
    (url.get(length) == Some(&b':')).then_some(length)
}

/// What stands before and after the first such byte.
pub(crate) fn split_at_byte(bytes: &[u8], separator: u8) -> (&[u8], Option<&[u8]>) {
    match memchr::memchr(separator, bytes) {
        Some(at) => (bytes.get(..at).unwrap_or_default(), bytes.get(at + 1..)),
        None => (bytes, None),
    }
}

pub(crate) fn lowercase(bytes: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    if bytes.iter().any(u8::is_ascii_uppercase) { Cow::Owned(bytes.to_ascii_lowercase()) } else { bytes }
}

fn parse_port(digits: &[u8]) -> Result<u16, Error> {
    let text = String::from_utf8_lossy(digits);
    let digits_only = digits.iter().all(u8::is_ascii_digit);
    let port = if digits_only { text.trim_start_matches('0') } else { "x" };
    if port.is_empty() {
        return Ok(0);
    }
    port.parse().map_err(|_| Error::BadPort { port: crate::error::excerpt(&text) })
}

/// `http://https://example.org/` was glued together by somebody; the last scheme is the one that was meant.
fn last_of_doubled_schemes(url: &[u8]) -> &[u8] {
    let strip = |url: &'_ [u8]| -> Option<usize> {
        if url.starts_with(b"http://") {
            Some(7)
        } else if url.starts_with(b"https://") {
            Some(8)
        } else {
            None
        }
    };
    let mut url = url;
    while let Some(rest) = strip(url).and_then(|length| url.get(length..))
        && strip(rest).is_some()
    {
        url = rest;
    }
    url
}
