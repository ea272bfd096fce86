//! The key of an archived URL: what the Internet Archive's `surt`, pywb and cdxj-indexer write into an index.
//!
//! This is the default everywhere in varve. The steps are those of `docs/formats/url-keys.md`, in that order. An
//! ordinary URL is read once and written once.

use std::borrow::Cow;

use crate::Error;
use crate::handy::{HandyUrl, default_port, lowercase};
use crate::host::{is_dotted_quad, push_reversed, resolve_ipv4, strip_www, to_ascii_2003};
use crate::percent::{self, decode_repeatedly, encode_least, into_text};
use crate::query::sort_fields;
use crate::{pathdots, session};

/// How a SURT is written down. The default is the form of index keys: `org,example)/path`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SurtForm {
    /// Begin with the scheme and a parenthesis: `http://(org,example)/`.
    pub scheme: bool,
    /// A comma after the last label, so that `org,example,` is no prefix of `org,example2,`.
    pub trailing_comma: bool,
    /// Turn addresses round as well: `1.2.3.4` is `4,3,2,1`. Index keys do.
    pub reverse_ipv4: bool,
    /// Drop `www.`, `www2.` and so on.
    pub strip_www: bool,
    /// Put the query in lower case.
    pub lowercase_query: bool,
}

impl Default for SurtForm {
    fn default() -> SurtForm {
        SurtForm {
            scheme: false,
            trailing_comma: false,
            reverse_ipv4: true,
            strip_www: true,
            lowercase_query: true,
        }
    }
}

/// The index key of a URL: `http://www.Example.org:80/a?b#c` is `org,example)/a?b`.
///
/// Anything at all may be given. No text is `-`, and what has no host keeps its scheme: `urn:isbn:1`.
///
/// ```
/// assert_eq!(urlkey::surt("http://www.Example.org:80/A/../b/?z=1&a=2#top")?, "org,example)/b?a=2&z=1");
/// assert_eq!(urlkey::surt("dns:example.org")?, "dns:example.org");
/// # Ok::<(), urlkey::Error>(())
/// ```
///
/// # Errors
/// [`Error::BadPort`] for a port that is no port, [`Error::Blank`] for mere white space. Index writers use the URL itself then, see [`key`].
pub fn surt(url: &str) -> Result<String, Error> {
    surt_with(url.as_bytes(), SurtForm::default()).map(into_text)
}

/// As [`surt`], for bytes in any encoding.
///
/// # Errors
/// As [`surt`].
pub fn surt_bytes(url: &[u8]) -> Result<Vec<u8>, Error> {
    surt_with(url, SurtForm::default())
}

/// As [`surt`], but always gives something: where the URL has no key it is its own, as cdxj-indexer has it.
pub fn key(url: &str) -> String {
    surt(url).unwrap_or_else(|_| url.to_owned())
}

/// As [`surt`], in another form.
///
/// # Errors
/// As [`surt`].
pub fn surt_with(url: &[u8], form: SurtForm) -> Result<Vec<u8>, Error> {
    if url.is_empty() {
        return Ok(b"-".to_vec());
    }
    // The head record of an ARC file; its name is no URL and is left alone.
    if url.starts_with(b"filedesc") {
        return Ok(url.to_vec());
    }
    let mut handy = HandyUrl::parse(url)?;
    canonicalize(&mut handy, form);
    let mut key = Vec::with_capacity(url.len() + 8);
    write(&handy, form, &mut key);
    Ok(key)
}

/// The canonical form as a URL rather than a key: `http://example.org/a`. The scheme, which keys do not show, is put in
/// lower case.
///
/// # Errors
/// As [`surt`].
pub(crate) fn canonical_url(url: &[u8]) -> Result<Vec<u8>, Error> {
    let mut handy = HandyUrl::parse(url)?;
    canonicalize(&mut handy, SurtForm::default());
    handy.scheme = lowercase(handy.scheme);
    Ok(handy.to_url())
}

fn canonicalize(url: &mut HandyUrl<'_>, form: SurtForm) {
    url.fragment = None;
    url.user = None;
    url.password = None;
    canonicalize_host(url, form);
    if url.port.is_some() && url.port == default_port(&url.scheme) {
        url.port = None;
    }
    let has_host = url.host.is_some();
    apply(&mut url.path, decode_repeatedly);
    if has_host {
        apply(&mut url.path, pathdots::wayback);
    }
    apply(&mut url.path, encode_least);
    url.path = lowercase(std::mem::take(&mut url.path));
    apply(&mut url.path, session::strip_path);
    apply(&mut url.path, without_trailing_slash);
    if let Some(query) = url.query.as_mut() {
        apply(query, decode_repeatedly);
        apply(query, encode_least);
        apply(query, session::strip_query);
        if form.lowercase_query {
            *query = lowercase(std::mem::take(query));
        }
        apply(query, sort_fields);
    }
    url.query = url.query.take().filter(|query| !query.is_empty());
}

fn canonicalize_host(url: &mut HandyUrl<'_>, form: SurtForm) {
    let Some(mut host) = url.host.take() else { return };
    apply(&mut host, decode_repeatedly);
    if !host.is_ascii() {
        let valid: String = host.utf8_chunks().map(|chunk| chunk.valid()).collect();
        if let Some(ascii) = to_ascii_2003(&valid) {
            host = Cow::Owned(ascii);
        }
    }
    apply(&mut host, halve_dots);
    match resolve_ipv4(&host) {
        Some(address) => host = Cow::Owned(address.to_string().into_bytes()),
        None => {
            host = lowercase(host);
            apply(&mut host, encode_least);
            // The escapes just made are capital; the host is not.
            host = lowercase(host);
        }
    }
    if form.strip_www && &*url.scheme != b"dns" {
        apply(&mut host, |host| Cow::Borrowed(strip_www(host)));
    }
    url.host = Some(host).filter(|host| !host.is_empty());
}

fn write(url: &HandyUrl<'_>, form: SurtForm, key: &mut Vec<u8>) {
    let Some(host) = &url.host else {
        key.extend_from_slice(&url.scheme);
        key.push(b':');
        url.push_path_query(key);
        return;
    };
    if form.scheme {
        key.extend_from_slice(&url.scheme);
        key.extend_from_slice(if &*url.scheme == b"dns" { b":(" } else { b"://(" });
    }
    if !form.reverse_ipv4 && is_dotted_quad(host) {
        key.extend_from_slice(host);
    } else {
        push_reversed(key, host);
    }
    url.push_port(key);
    if form.trailing_comma {
        key.push(b',');
    }
    key.push(b')');
    url.push_path_query(key);
}

/// A step that hands back what it was given costs nothing.
pub(crate) fn apply<'a>(part: &mut Cow<'a, [u8]>, step: impl for<'b> Fn(&'b [u8]) -> Cow<'b, [u8]>) {
    match part {
        Cow::Borrowed(bytes) => *part = step(bytes),
        Cow::Owned(bytes) => {
            if let Cow::Owned(changed) = step(bytes).into_owned_if_changed(bytes) {
                *bytes = changed;
            }
        }
    }
}

/// Each pair of dots becomes one, once over, and the ends are bare. `a...b` is left with two: a quirk of the peers, and
/// the keys must agree.
fn halve_dots(host: &[u8]) -> Cow<'_, [u8]> {
    let trim = |host: &'_ [u8]| {
        let start = host.iter().take_while(|byte| **byte == b'.').count();
        let end = host.iter().rev().take_while(|byte| **byte == b'.').count();
        (start, host.len().saturating_sub(end).max(start))
    };
    if !host.windows(2).any(|pair| pair == b"..") {
        let (start, end) = trim(host);
        return Cow::Borrowed(host.get(start..end).unwrap_or_default());
    }
    let mut halved = Vec::with_capacity(host.len());
    let mut rest = host;
    while let Some((first, after)) = rest.split_first() {
        halved.push(*first);
        rest = if *first == b'.' { after.strip_prefix(b".").unwrap_or(after) } else { after };
    }
    let (start, end) = trim(&halved);
    Cow::Owned(halved.get(start..end).unwrap_or_default().to_vec())
}

fn without_trailing_slash(path: &[u8]) -> Cow<'_, [u8]> {
    match path.strip_suffix(b"/") {
        Some(shorter) if !shorter.is_empty() => Cow::Borrowed(shorter),
        _ => Cow::Borrowed(path),
    }
}

/// A borrowed result that is the whole of its source was no change at all.
trait IntoOwnedIfChanged<'a> {
    fn into_owned_if_changed(self, source: &[u8]) -> Cow<'a, [u8]>;
}

impl<'a> IntoOwnedIfChanged<'a> for Cow<'a, [u8]> {
    fn into_owned_if_changed(self, source: &[u8]) -> Cow<'a, [u8]> {
        match self {
            Cow::Borrowed(part) if part.len() == source.len() => Cow::Borrowed(part),
            changed => Cow::Owned(changed.into_owned()),
        }
    }
}

/// Decoded as far as it goes, then the least escaped again.
pub(crate) fn recode(bytes: &[u8]) -> Vec<u8> {
    percent::encode_least(&decode_repeatedly(bytes)).into_owned()
}
