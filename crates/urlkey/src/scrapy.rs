//! The canonical form of Scrapy, the crawler: what it calls the same request.
//!
//! Its queries are decoded and encoded anew, so `%20` and `+` are one; escapes in the path keep their meaning.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8};

use crate::percent::{self, into_text};
use crate::query::{encode_fields, parse_fields};
use crate::repair::{PageEncoding, escape, is_safe, safe_split};
use crate::{Error, pathdots};

/// How [`canonical_url`] differs from its usual.
#[derive(Debug, Clone, Copy)]
pub struct Canonical<'a> {
    /// Keep parameters without a value.
    pub keep_blank: bool,
    /// Keep what follows the `#`.
    pub keep_fragment: bool,
    /// The encoding of the page.
    pub encoding: &'static Encoding,
    /// What stands between parameters, usually `&`.
    pub separator: &'a str,
}

impl Default for Canonical<'_> {
    fn default() -> Self {
        Canonical { keep_blank: true, keep_fragment: false, encoding: UTF_8, separator: "&" }
    }
}

/// The canonical form of Scrapy: safe, parameters sorted and encoded anew, no fragment, dots resolved.
///
/// # Errors
/// As [`split`](crate::split).
pub fn canonical_url(url: &str, options: Canonical<'_>) -> Result<String, Error> {
    let encoding = PageEncoding { query: options.encoding, ..PageEncoding::default() };
    let mut parts = safe_split(url, encoding)?;
    if !parts.query.is_empty() {
        let mut fields = parse_fields(&parts.query, options.keep_blank, options.separator);
        fields.sort();
        parts.query = Cow::Owned(encode_fields(&fields, options.separator));
    }
    let (path, parameters) = parts.path_and_parameters();
    let mut path = canonical_path(path);
    if !parameters.is_empty() {
        path.push(';');
        path.push_str(parameters);
    }
    parts.path = Cow::Owned(path);
    if !options.keep_fragment {
        parts.fragment = Cow::Borrowed("");
    }
    let userinfo = parts.authority.rfind('@').map_or(0, |at| at + 1);
    let (userinfo, host) = parts.authority.split_at_checked(userinfo).unwrap_or(("", &parts.authority));
    let host = host.to_lowercase();
    let host = normal_ipv6(host.strip_suffix(':').unwrap_or(&host));
    parts.authority = Cow::Owned(format!("{userinfo}{host}"));
    Ok(parts.join())
}

/// Escapes are decoded and made anew, but for `%25`, `%2F`, `%3B` and `%3F`, which would change the meaning.
fn canonical_path(path: &str) -> String {
    if path.is_empty() {
        return "/".to_owned();
    }
    let mut kept = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        kept.push(*first);
        if *first == b'%'
            && let Some(code) = after.get(..2)
        {
            let code = code.to_ascii_uppercase();
            if matches!(code.as_slice(), b"25" | b"2F" | b"3B" | b"3F") {
                kept.extend_from_slice(b"25");
                kept.extend_from_slice(&code);
                rest = after.get(2..).unwrap_or_default();
                continue;
            }
        }
        rest = after;
    }
    let keep = |byte| is_safe(byte) || b"[]|".contains(&byte);
    let escaped = escape(&percent::decode(&kept), keep);
    if escaped.starts_with('/') {
        into_text(pathdots::resolve_path_dots(escaped.as_bytes(), false))
    } else {
        escaped
    }
}

fn normal_ipv6(host: &str) -> String {
    let address = host.strip_prefix('[').and_then(|rest| rest.split_once(']'));
    match address.and_then(|(address, port)| Some((address.parse::<std::net::Ipv6Addr>().ok()?, port))) {
        Some((address, port)) => format!("[{address}]{port}"),
        None => host.to_owned(),
    }
}
