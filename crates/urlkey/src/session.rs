//! Session ids in paths and queries: the same page for another visitor.
//!
//! What counts as one was collected by the Internet Archive over the years and is data, not grammar: `jsessionid`,
//! `phpsessid` and `sid` with 32 letters or digits, `aspsessionid` with 8 and 24 letters, ColdFusion's `cfid` with
//! `cftoken`, and ASP.NET's `/(4hqa0555fwsecu455xqckv45)/` in the path before a `.aspx`.

use std::borrow::Cow;

/// Without the session ids in a query, with or without its `?`. Case does not matter.
///
/// Of each kind the last one goes, with the `&` after it. Names are not looked at as a whole, so `foosid=` counts as
/// `sid=`: so do the peers, and the keys must agree.
pub fn strip_query(query: &[u8]) -> Cow<'_, [u8]> {
    // Every kind has an `id` somewhere; most queries have not.
    if !query.windows(2).any(|pair| pair.eq_ignore_ascii_case(b"id")) {
        return Cow::Borrowed(query);
    }
    let mut query = Cow::Borrowed(query);
    for find in KINDS {
        if let Some((start, end)) = find(&query) {
            let rest = query.get(end..).unwrap_or_default();
            let rest = rest.strip_prefix(b"&").unwrap_or(rest);
            query = Cow::Owned([query.get(..start).unwrap_or_default(), rest].concat());
        }
    }
    query
}

/// Without the session id that ASP.NET puts into the path. Case does not matter.
pub fn strip_path(path: &[u8]) -> Cow<'_, [u8]> {
    if !path.contains(&b'(') {
        return Cow::Borrowed(path);
    }
    let mut path = Cow::Borrowed(path);
    for length_of in [nested_asp_segment, plain_asp_segment] {
        if let Some((start, length)) = last_before_aspx(&path, length_of) {
            let (before, after) = (path.get(..start), path.get(start + length..));
            path = Cow::Owned([before.unwrap_or_default(), after.unwrap_or_default()].concat());
        }
    }
    path
}

/// Start and length of the last such segment that a `.aspx` follows, with no `?` between. One pass from the end, so that
/// a path made of nothing but such segments takes no longer than another.
fn last_before_aspx(path: &[u8], length_of: fn(&[u8]) -> Option<usize>) -> Option<(usize, usize)> {
    let mut aspx = None;
    for start in (0..path.len()).rev() {
        let rest = path.get(start..)?;
        match rest.first() {
            Some(b'?') => aspx = None,
            Some(b'.') if aspx.is_none() && after(rest, b".aspx").is_some() => aspx = Some(start),
            Some(b'/') => {
                if let (Some(aspx), Some(length)) = (aspx, length_of(rest))
                    && aspx > start + length + 1
                {
                    return Some((start, length));
                }
            }
            _ => {}
        }
    }
    None
}

/// Without the fields of a query that hold a session id, wherever they are: the wider net of `urlcanon` and OutbackCDX,
/// which takes ids of ten letters and digits on, and whole fields only.
pub(crate) fn strip_fields(query: &[u8]) -> Vec<u8> {
    let mut kept: Vec<&[u8]> = Vec::new();
    let mut fields = query.split(|byte| *byte == b'&').peekable();
    while let Some(field) = fields.next() {
        if is_coldfusion_pair(field, fields.peek().copied()) {
            fields.next();
        } else if !is_session_field(field) {
            kept.push(field);
        }
    }
    kept.join(&b'&')
}

/// Is this whole field a session id?
pub(crate) fn is_session_field(field: &[u8]) -> bool {
    let value = |name: &[u8], least: usize, also: u8| {
        after(field, name).is_some_and(|value| {
            value.len() >= least && value.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == also)
        })
    };
    let asp = after(field, b"aspsessionid")
        .and_then(|rest| letters(rest, 8))
        .and_then(|rest| rest.strip_prefix(b"="));
    value(b"jsessionid=", 10, b'$')
        || value(b"sessionid=", 16, b'0')
        || value(b"phpsessid=", 16, b'0')
        || value(b"sid=", 16, b'0')
        || asp.is_some_and(|value| value.len() >= 16 && value.iter().all(u8::is_ascii_alphanumeric))
}

/// ColdFusion has two fields, one after the other.
pub(crate) fn is_coldfusion_pair(field: &[u8], next: Option<&[u8]>) -> bool {
    let id = after(field, b"cfid=").is_some_and(|id| !id.is_empty() && id.iter().all(u8::is_ascii_digit));
    let token = next.and_then(|next| after(next, b"cftoken=")).is_some_and(|token| {
        !token.is_empty() && token.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-')
    });
    id && token
}

/// Without any segment that holds an ASP.NET session id, if the path ends in `.aspx`, and without a `;jsessionid=` of 32
/// letters and digits at the end. For paths in lower case.
pub(crate) fn strip_segments(path: &[u8]) -> Vec<u8> {
    let mut kept = Vec::with_capacity(path.len());
    let mut rest = path;
    while let Some((first, after)) = rest.split_first() {
        let length = if path.ends_with(b".aspx") {
            plain_asp_segment(rest).or_else(|| nested_asp_segment(rest))
        } else {
            None
        };
        match length {
            Some(length) => rest = rest.get(length..).unwrap_or_default(),
            None => {
                kept.push(*first);
                rest = after;
            }
        }
    }
    strip_jsessionid_suffix(&mut kept);
    kept
}

/// Java puts its session id behind a semicolon.
pub(crate) fn strip_jsessionid_suffix(path: &mut Vec<u8>) {
    let start = path.len().saturating_sub(12 + 32);
    let found = path.get(start..).and_then(|tail| tail.strip_prefix(b";jsessionid="));
    if found.is_some_and(|id| id.len() == 32 && id.iter().all(u8::is_ascii_alphanumeric)) {
        path.truncate(start);
    }
}

/// The length of `/(…)`, if a `/` follows it: one ASP.NET session id of 24 letters or digits.
pub(crate) fn plain_asp_segment(path: &[u8]) -> Option<usize> {
    let inner = path.strip_prefix(b"/(")?;
    let rest = alphanumeric(inner, 24)?;
    rest.strip_prefix(b")")?.strip_prefix(b"/")?;
    Some(2 + 24 + 1)
}

/// The length of `/(a(…)b(…))`, if a `/` follows it: several session ids, each with a letter in front.
pub(crate) fn nested_asp_segment(path: &[u8]) -> Option<usize> {
    let mut rest = path.strip_prefix(b"/(")?;
    let mut length = 2;
    while let Some((b'a'..=b'z' | b'A'..=b'Z', after)) = rest.split_first() {
        rest = alphanumeric(after.strip_prefix(b"(")?, 24)?.strip_prefix(b")")?;
        length += 27;
    }
    rest.strip_prefix(b")")?.strip_prefix(b"/")?;
    (length > 2).then_some(length + 1)
}

/// Finds start and end of a session id in a query.
type Find = fn(&[u8]) -> Option<(usize, usize)>;

/// The kinds in the order in which they go: `sid=` is the tail of `phpsessid=`, so it comes later.
const KINDS: [Find; 5] = [
    |query| last_match(query, |text| named(text, b"jsessionid=", 32)),
    |query| last_match(query, |text| named(text, b"phpsessid=", 32)),
    |query| last_match(query, |text| named(text, b"sid=", 32)),
    |query| last_match(query, aspsessionid),
    last_coldfusion,
];

/// Start and end of the last place where one begins and is followed by `&` or the end.
fn last_match(query: &[u8], length_of: fn(&[u8]) -> Option<usize>) -> Option<(usize, usize)> {
    (0..query.len()).rev().find_map(|start| {
        let end = start + length_of(query.get(start..)?)?;
        matches!(query.get(end), None | Some(b'&')).then_some((start, end))
    })
}

fn aspsessionid(text: &[u8]) -> Option<usize> {
    let rest = letters(after(text, b"aspsessionid")?, 8)?.strip_prefix(b"=")?;
    letters(rest, 24)?;
    Some(12 + 8 + 1 + 24)
}

/// `cfid=…&cftoken=…`: both values reach to the next `&`.
fn last_coldfusion(query: &[u8]) -> Option<(usize, usize)> {
    let mut ampersand = query.len();
    (0..query.len()).rev().find_map(|start| {
        let rest = query.get(start..)?;
        if rest.first() == Some(&b'&') {
            ampersand = start;
        }
        after(rest, b"cfid=").filter(|_| ampersand > start + 5)?;
        let token = after(query.get(ampersand..)?, b"&cftoken=")?;
        let length = token.iter().take_while(|byte| **byte != b'&').count();
        (length > 0).then_some((start, ampersand + 9 + length))
    })
}

fn named(text: &[u8], name: &[u8], count: usize) -> Option<usize> {
    alphanumeric(after(text, name)?, count)?;
    Some(name.len() + count)
}

pub(crate) fn after<'a>(text: &'a [u8], name: &[u8]) -> Option<&'a [u8]> {
    let (start, rest) = text.split_at_checked(name.len())?;
    start.eq_ignore_ascii_case(name).then_some(rest)
}

fn alphanumeric(text: &[u8], count: usize) -> Option<&[u8]> {
    let (start, rest) = text.split_at_checked(count)?;
    start.iter().all(u8::is_ascii_alphanumeric).then_some(rest)
}

fn letters(text: &[u8], count: usize) -> Option<&[u8]> {
    let (start, rest) = text.split_at_checked(count)?;
    start.iter().all(u8::is_ascii_alphabetic).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn session_ids_leave_the_query() {
        let id = "0123456789abcdefghijklemopqrstuv";
        for (query, expect) in [
            (format!("jsessionid={id}"), ""),
            (format!("a=1&PHPSESSID={id}&b=2"), "a=1&b=2"),
            (format!("a=1&sid={id}"), "a=1&"),
            (format!("sid={id}0&b"), "sid=0123456789abcdefghijklemopqrstuv0&b"),
            ("CFID=1&CFTOKEN=2-3&x".to_owned(), "x"),
        ] {
            assert_eq!(strip_query(query.as_bytes()), expect.as_bytes(), "{query}");
        }
    }
}
