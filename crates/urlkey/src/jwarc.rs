//! The key of jwarc: meant to be that of the default rules, from the hands that made OutbackCDX.

use std::borrow::Cow;

use crate::handy::{scheme_length, split_at_byte};
use crate::host::{push_reversed, strip_www};
use crate::outbackcdx::{decode_text, lowercase_text, push_escaped, strip_first_asp};
use crate::parts::is_tab_or_newline;
use crate::session::{self, nested_asp_segment, plain_asp_segment};
use crate::{Error, pathdots};

/// jwarc's key: nearly that of the default rules, but addresses keep their notation, names their script, and session ids
/// go wherever they are.
pub(crate) fn key(url: &[u8]) -> Result<Vec<u8>, Error> {
    if url.starts_with(b"filedesc") || url.is_empty() {
        return Ok(url.to_vec());
    }
    let trimmed = trim_blanks(url);
    let clean: Vec<u8> = trimmed.iter().copied().filter(|byte| !is_tab_or_newline(*byte)).collect();
    let clean =
        if scheme_length(&clean).is_some() { clean } else { [b"http://".as_slice(), &clean].concat() };
    let (rest, fragment) = split_at_byte(&clean, b'#');
    let (rest, query) = split_at_byte(rest, b'?');
    let (scheme, rest) = split_at_byte(rest, b':');
    let rest = rest.unwrap_or_default();
    let mut key = Vec::with_capacity(clean.len());
    let path = match rest.strip_prefix(b"//") {
        Some(rest) => {
            let length = rest.iter().take_while(|byte| **byte != b'/').count();
            push_authority(&mut key, scheme, rest.get(..length).unwrap_or_default());
            let path = lowercase_text(&decode_text(rest.get(length..).unwrap_or_default()));
            pathdots::outback(&path)
        }
        None => {
            key.extend_from_slice(scheme);
            key.push(b':');
            without_slash(lowercase_text(&decode_text(rest)))
        }
    };
    let path = strip_first_asp(strip_first_asp(path, nested_asp_segment), plain_asp_segment);
    push_escaped(&mut key, &path);
    if let Some(query) = query.filter(|query| !query.is_empty()) {
        let mut recoded = Vec::new();
        push_escaped(&mut recoded, &decode_text(query));
        let query = strip_anywhere(lowercase_text(&recoded));
        let mut fields: Vec<&[u8]> = query.split(|byte| *byte == b'&').collect();
        fields.sort_unstable();
        key.push(b'?');
        key.extend_from_slice(&fields.join(&b'&'));
    }
    if let Some(fragment) = fragment {
        key.push(b'#');
        push_escaped(&mut key, &decode_text(fragment));
    }
    Ok(key)
}

/// Every session id of the usual kinds goes, as often as there is one.
fn strip_anywhere(query: Vec<u8>) -> Vec<u8> {
    let mut query = query;
    // Each round removes at least a dozen bytes, so this ends; the limit is for texts made of nothing else.
    for _ in 0..64 {
        match session::strip_query(&query) {
            Cow::Borrowed(_) => break,
            Cow::Owned(shorter) if shorter.len() == query.len() => break,
            Cow::Owned(shorter) => query = shorter,
        }
    }
    query
}

fn push_authority(key: &mut Vec<u8>, scheme: &[u8], authority: &[u8]) {
    let host_port =
        memchr::memchr(b'@', authority).and_then(|at| authority.get(at + 1..)).unwrap_or(authority);
    let digits = host_port.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let before = host_port.get(..host_port.len() - digits).unwrap_or_default();
    let (host, port) = match before.strip_suffix(b":") {
        Some(host) => (host, host_port.get(before.len()..).unwrap_or_default()),
        None => (host_port, [].as_slice()),
    };
    let host = host.strip_prefix(b"[").map_or(host, |host| host.strip_suffix(b"]").unwrap_or(host));
    let host = lowercase_text(host);
    let mut reversed = Vec::new();
    push_reversed(&mut reversed, strip_www(&host));
    push_escaped(key, &decode_text(&reversed));
    let default: &[u8] = match crate::handy::default_port(scheme) {
        Some(80) => b"80",
        Some(_) => b"443",
        None => b"",
    };
    if !port.is_empty() && port != default {
        key.push(b':');
        key.extend_from_slice(port);
    }
    key.push(b')');
}

fn without_slash(mut path: Vec<u8>) -> Vec<u8> {
    if path.len() > 1 && path.ends_with(b"/") {
        path.pop();
    }
    path
}

fn trim_blanks(text: &[u8]) -> &[u8] {
    let start = text.iter().take_while(|byte| **byte == b' ').count();
    let end = text.iter().rev().take_while(|byte| **byte == b' ').count();
    text.get(start..text.len().saturating_sub(end)).unwrap_or_default()
}
