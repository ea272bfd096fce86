//! The canonical form and the key of OutbackCDX.
//!
//! Escapes are decoded only where they make UTF-8; what does not stays escaped, and its `%` is escaped again.

use std::borrow::Cow;

use crate::handy::HandyUrl;
use crate::host::{push_reversed, strip_www, to_ascii_2003};
use crate::percent::{decode_repeatedly, is_unprintable};
use crate::session::{self, is_coldfusion_pair, is_session_field, plain_asp_segment};
use crate::{Error, pathdots};

/// `https://www.Example.org:443/A/` is `https://example.org/a`. A URL of a scheme that OutbackCDX does not know, or
/// without one it can find, stays as it is.
pub(crate) fn canonical_url(url: &[u8]) -> Result<Vec<u8>, Error> {
    let text: String =
        String::from_utf8_lossy(url).chars().filter(|char| !matches!(char, '\t' | '\n' | '\r')).collect();
    let has_scheme = text.find(':').is_some_and(|colon| text.find('/').is_none_or(|slash| colon < slash));
    let text = if has_scheme { text } else { format!("http://{text}") };
    let scheme = text.split(':').next().unwrap_or_default().to_ascii_lowercase();
    if !matches!(scheme.as_str(), "http" | "https" | "ftp" | "file" | "jar" | "mailto") {
        return Ok(url.to_vec());
    }
    let mut parts = HandyUrl::parse(text.as_bytes())?;
    parts.scheme = Cow::Owned(scheme.into_bytes());
    if parts.port.is_some() && parts.port == crate::handy::default_port(&parts.scheme) {
        parts.port = None;
    }
    parts.user = None;
    parts.password = None;
    parts.fragment = None;
    parts.host = parts.host.map(|host| Cow::Owned(canonical_host(&host)));
    parts.path = Cow::Owned(canonical_path(&parts.path));
    parts.query = parts.query.and_then(|query| canonical_query(&query)).map(Cow::Owned);
    Ok(parts.to_url())
}

/// OutbackCDX's key: `org,example)/a`, a port after the parenthesis, addresses as they are. A URL behind another scheme,
/// as in `screenshot:http://example.org/`, keeps that scheme in front.
pub(crate) fn key(url: &[u8]) -> Result<Vec<u8>, Error> {
    let text = String::from_utf8_lossy(url);
    let inner = ["http://", "https://"].iter().filter_map(|scheme| find_ignoring_case(&text, scheme)).min();
    let outer = inner.and_then(|at| text.split_at_checked(at)).and_then(|(outer, inner)| {
        let outer = outer.strip_suffix(':')?;
        (!outer.is_empty() && !outer.contains('/')).then_some((outer, inner))
    });
    let (mut key, canonical) = match outer {
        Some((outer, inner)) => {
            let outer = outer.to_lowercase();
            // Both name the JSON that youtube-dl writes.
            let outer = if outer == "urn:transclusions" { "youtube-dl" } else { &outer };
            (format!("{outer}:").into_bytes(), canonical_url(inner.as_bytes())?)
        }
        None => (Vec::new(), canonical_url(url)?),
    };
    let parts = HandyUrl::parse(&canonical)?;
    match &parts.host {
        Some(host) if crate::host::is_dotted_quad(host) => key.extend_from_slice(host),
        Some(host) => {
            push_reversed(&mut key, host);
            key.push(b')');
        }
        None => return Ok(canonical),
    }
    parts.push_port(&mut key);
    parts.push_path_query(&mut key);
    Ok(key)
}

fn find_ignoring_case(text: &str, wanted: &str) -> Option<usize> {
    text.as_bytes().windows(wanted.len()).position(|window| window.eq_ignore_ascii_case(wanted.as_bytes()))
}

fn canonical_host(host: &[u8]) -> Vec<u8> {
    let host = String::from_utf8_lossy(host).replace("..", ".");
    let host = host.strip_suffix('.').unwrap_or(&host);
    let ascii = to_ascii_2003(host).unwrap_or_else(|| host.as_bytes().to_vec());
    let recoded = recode(&lowercase_text(&ascii));
    let host = bare_number(&recoded).unwrap_or(recoded);
    let host = strip_www(&host);
    host.strip_suffix(b".").unwrap_or(host).to_vec()
}

/// A host that is one number is an address: decimal, octal or hexadecimal.
fn bare_number(host: &[u8]) -> Option<Vec<u8>> {
    let digits = host.strip_prefix(b"0x").unwrap_or(host);
    let number = (1..=12).contains(&digits.len()) && digits.iter().all(u8::is_ascii_digit);
    let address = number.then(|| crate::host::parse_ipv4(host)).flatten()?;
    Some(address.to_string().into_bytes())
}

fn canonical_path(path: &[u8]) -> Vec<u8> {
    let path = pathdots::outback(&recode(&lowercase_text(path)));
    let mut path = strip_first_asp(path, plain_asp_segment);
    session::strip_jsessionid_suffix(&mut path);
    path
}

fn canonical_query(query: &[u8]) -> Option<Vec<u8>> {
    let query = lowercase_text(query);
    let mut fields: Vec<&[u8]> = query.split(|byte| *byte == b'&').collect();
    fields.sort_unstable();
    fields.retain(|field| !field.is_empty() && !is_session_field(field));
    let recoded = recode(&fields.join(&b'&'));
    let mut fields: Vec<&[u8]> = recoded.split(|byte| *byte == b'&').collect();
    let pair = (0..fields.len()).find(|at| {
        fields.get(*at).is_some_and(|field| is_coldfusion_pair(field, fields.get(at + 1).copied()))
    });
    if let Some(at) = pair {
        fields.drain(at..at + 2);
    }
    Some(fields.join(&b'&')).filter(|query| !query.is_empty())
}

/// Everything decoded, bytes that make no UTF-8 written as escapes.
pub(crate) fn decode_text(bytes: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(bytes.len());
    for chunk in decode_repeatedly(bytes).utf8_chunks() {
        text.extend_from_slice(chunk.valid().as_bytes());
        for byte in chunk.invalid() {
            text.extend_from_slice(format!("%{byte:02x}").as_bytes());
        }
    }
    text
}

pub(crate) fn push_escaped(out: &mut Vec<u8>, bytes: &[u8]) {
    for byte in bytes {
        if is_unprintable(*byte) {
            out.extend_from_slice(format!("%{byte:02x}").as_bytes());
        } else {
            out.push(*byte);
        }
    }
}

fn recode(bytes: &[u8]) -> Vec<u8> {
    let mut recoded = Vec::with_capacity(bytes.len());
    push_escaped(&mut recoded, &decode_text(bytes));
    recoded
}

pub(crate) fn lowercase_text(bytes: &[u8]) -> Vec<u8> {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_lowercase().into_bytes(),
        Err(_) => bytes.to_ascii_lowercase(),
    }
}

/// The first ASP.NET session id goes, if a name with `aspx` in it follows.
pub(crate) fn strip_first_asp(path: Vec<u8>, length_of: fn(&[u8]) -> Option<usize>) -> Vec<u8> {
    // No real path is this long; a made-up one could keep us busy for ever.
    if path.len() > 1 << 16 {
        return path;
    }
    let found = (0..path.len()).find_map(|start| {
        let length = length_of(path.get(start..)?)?;
        let rest = path.get(start + length..)?.split(|byte| *byte == b'?').next()?;
        rest.get(3..)?.windows(4).any(|four| four == b"aspx").then_some((start, length))
    });
    match found {
        Some((start, length)) => {
            let mut path = path;
            path.drain(start..start + length);
            path
        }
        None => path,
    }
}
