//! The lossless splitter: every byte of a text ends up in one of nineteen parts, and joined they are the text again.
//!
//! This is how browsers see a URL (backslashes, missing slashes, `user:password@`), but without changing anything: the
//! rules of [`Rules`](crate::Rules) that come from `urlcanon` each change single parts. It works on any bytes.

use std::net::{Ipv4Addr, Ipv6Addr};

use crate::handy::split_at_byte;
use crate::host::{parse_ipv4, parse_ipv6};

/// A text taken apart. The fields are in the order in which they stand in a URL.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Parts {
    /// Controls and blanks in front.
    pub leading_junk: Vec<u8>,
    /// `http`
    pub scheme: Vec<u8>,
    /// `:`
    pub colon_after_scheme: Vec<u8>,
    /// `//`, or whatever slashes, backslashes and line breaks stand there.
    pub slashes: Vec<u8>,
    /// The user.
    pub username: Vec<u8>,
    /// `:`
    pub colon_before_password: Vec<u8>,
    /// The password.
    pub password: Vec<u8>,
    /// `@`
    pub at_sign: Vec<u8>,
    /// The host, with the brackets of an IPv6 address.
    pub host: Vec<u8>,
    /// `:`
    pub colon_before_port: Vec<u8>,
    /// The port; any text.
    pub port: Vec<u8>,
    /// The path, from its slash on; the whole rest of what has no host.
    pub path: Vec<u8>,
    /// `?`
    pub question_mark: Vec<u8>,
    /// The query.
    pub query: Vec<u8>,
    /// `#`
    pub hash_sign: Vec<u8>,
    /// The fragment.
    pub fragment: Vec<u8>,
    /// Controls and blanks at the end.
    pub trailing_junk: Vec<u8>,
}

impl Parts {
    /// Takes a text apart. Never fails.
    ///
    /// ```
    /// let parts = urlkey::Parts::parse(b"http:\\\\user@example.org:8080/a?b#c");
    /// assert_eq!(parts.host, b"example.org");
    /// assert_eq!(parts.to_bytes(), b"http:\\\\user@example.org:8080/a?b#c");
    /// ```
    pub fn parse(url: &[u8]) -> Parts {
        let mut parts = Parts::default();
        let lead = url.iter().take_while(|byte| **byte <= b' ').count();
        let (junk, url) = url.split_at_checked(lead).unwrap_or((url, &[]));
        parts.leading_junk = junk.to_vec();
        let trail = url.iter().rev().take_while(|byte| **byte <= b' ').count();
        let (url, junk) = url.split_at_checked(url.len() - trail).unwrap_or((url, &[]));
        parts.trailing_junk = junk.to_vec();
        let mut rest = url;
        if url.first().is_some_and(u8::is_ascii_alphabetic)
            && let (scheme, Some(after)) = split_at_byte(url, b':')
        {
            parts.scheme = scheme.to_vec();
            parts.colon_after_scheme = b":".to_vec();
            rest = after;
        }
        let (rest, fragment) = split_at_byte(rest, b'#');
        if let Some(fragment) = fragment {
            parts.hash_sign = b"#".to_vec();
            parts.fragment = fragment.to_vec();
        }
        let (rest, query) = split_at_byte(rest, b'?');
        if let Some(query) = query {
            parts.question_mark = b"?".to_vec();
            parts.query = query.to_vec();
        }
        parts.set_after_scheme(rest);
        parts
    }

    /// The text again.
    pub fn to_bytes(&self) -> Vec<u8> {
        [
            self.leading_junk.as_slice(),
            &self.scheme,
            &self.colon_after_scheme,
            &self.slashes,
            &self.authority(),
            &self.path,
            &self.question_mark,
            &self.query,
            &self.hash_sign,
            &self.fragment,
            &self.trailing_junk,
        ]
        .concat()
    }

    /// User, password, host and port with the marks between them.
    pub fn authority(&self) -> Vec<u8> {
        [
            self.username.as_slice(),
            &self.colon_before_password,
            &self.password,
            &self.at_sign,
            &self.host,
            &self.colon_before_port,
            &self.port,
        ]
        .concat()
    }

    /// The address the host stands for, if it is one in any notation.
    pub fn ipv4(&self) -> Option<Ipv4Addr> {
        if self.host.starts_with(b"[") { None } else { parse_ipv4(&self.host) }
    }

    /// The address in brackets.
    pub fn ipv6(&self) -> Option<Ipv6Addr> {
        parse_ipv6(&self.host)
    }

    /// Is the scheme one that browsers treat specially, for which slashes and backslashes are one?
    pub fn is_special(&self) -> bool {
        default_port(&self.scheme).is_some()
    }

    /// Splits what follows the scheme, up to the query, into slashes, authority and path.
    pub(crate) fn set_after_scheme(&mut self, text: &[u8]) {
        let clean: Vec<u8> = self
            .scheme
            .iter()
            .filter(|byte| !is_tab_or_newline(**byte))
            .map(u8::to_ascii_lowercase)
            .collect();
        let is_slash = |byte: u8| byte == b'/' || byte == b'\\';
        let (slashes, ends_authority): (usize, fn(u8) -> bool) = match clean.as_slice() {
            b"file" => (two_slashes(text, is_slash), |byte| byte == b'/' || byte == b'\\'),
            scheme if default_port(scheme).is_some() => {
                let slashes =
                    text.iter().take_while(|byte| is_slash(**byte) || is_tab_or_newline(**byte)).count();
                self.slashes = text.get(..slashes).unwrap_or_default().to_vec();
                return self.set_authority_and_path(text.get(slashes..).unwrap_or_default(), is_slash);
            }
            _ => (two_slashes(text, |byte| byte == b'/'), |byte| byte == b'/'),
        };
        let (Some(slash_text), Some(rest)) = (text.get(..slashes), text.get(slashes..)) else { return };
        if slashes == 0 {
            self.path = text.to_vec();
            return;
        }
        self.slashes = slash_text.to_vec();
        if clean == b"file" {
            let length = rest.iter().take_while(|byte| !ends_authority(**byte)).count();
            self.host = rest.get(..length).unwrap_or_default().to_vec();
            self.path = rest.get(length..).unwrap_or_default().to_vec();
        } else {
            self.set_authority_and_path(rest, ends_authority);
        }
    }

    fn set_authority_and_path(&mut self, text: &[u8], ends_authority: impl Fn(u8) -> bool) {
        let length = text.iter().take_while(|byte| !ends_authority(**byte)).count();
        let (authority, path) = text.split_at_checked(length).unwrap_or((text, &[]));
        self.path = path.to_vec();
        for part in [
            &mut self.username,
            &mut self.colon_before_password,
            &mut self.password,
            &mut self.at_sign,
            &mut self.colon_before_port,
            &mut self.port,
        ] {
            part.clear();
        }
        let mut host_port = authority;
        if let Some(at) = memchr::memrchr(b'@', authority) {
            let (user, password) = split_at_byte(authority.get(..at).unwrap_or_default(), b':');
            self.username = user.to_vec();
            if let Some(password) = password {
                self.colon_before_password = b":".to_vec();
                self.password = password.to_vec();
            }
            self.at_sign = b"@".to_vec();
            host_port = authority.get(at + 1..).unwrap_or_default();
        }
        let bracketed = host_port.starts_with(b"[").then(|| memchr::memchr(b']', host_port)).flatten();
        let bracketed = bracketed.filter(|end| matches!(host_port.get(end + 1), None | Some(b':')));
        let length = bracketed.map_or_else(|| split_at_byte(host_port, b':').0.len(), |end| end + 1);
        self.host = host_port.get(..length).unwrap_or_default().to_vec();
        if let Some(port) = host_port.get(length + 1..) {
            self.colon_before_port = b":".to_vec();
            self.port = port.to_vec();
        }
    }
}

pub(crate) fn is_tab_or_newline(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\r')
}

/// The usual port of a special scheme; empty for `file`, which has none; `None` for any other scheme.
pub(crate) fn default_port(scheme: &[u8]) -> Option<&'static [u8]> {
    Some(match scheme {
        b"http" | b"ws" => b"80",
        b"https" | b"wss" => b"443",
        b"ftp" => b"21",
        b"gopher" => b"70",
        b"file" => b"",
        _ => return None,
    })
}

/// How many bytes the two slashes at the start take, with line breaks around them; zero if there are not two.
fn two_slashes(text: &[u8], is_slash: impl Fn(u8) -> bool) -> usize {
    let mut slashes = 0;
    let taken = text
        .iter()
        .take_while(|byte| {
            if is_tab_or_newline(**byte) {
                return true;
            }
            slashes += usize::from(slashes <= 2 && is_slash(**byte));
            is_slash(**byte) && slashes <= 2
        })
        .count();
    if slashes >= 2 { taken } else { 0 }
}
