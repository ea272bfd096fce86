//! What OpenWayback did to URLs: its canonical form, and the small questions it asked of them.
//!
//! Old access points, exclusion lists and indexes were made with these, so they live on.

use std::borrow::Cow;

use crate::handy::HandyUrl;
use crate::host::strip_www;
use crate::percent::{decode, encode, into_text};
use crate::{Error, session};

const SCHEMES: [&str; 6] = ["http://", "https://", "ftp://", "mms://", "rtsp://", "wais://"];

/// The key of the aggressive rules: `http://www.Foo.com:80/pa%20th/` is `foo.com/pa+th/`. Queries stay as they are but
/// for case and session ids. Not a SURT.
pub(crate) fn aggressive_key(url: &[u8]) -> Result<Vec<u8>, Error> {
    let lower = String::from_utf8_lossy(url).to_lowercase();
    if lower.starts_with("dns:") {
        return Ok(url.to_vec());
    }
    let stripped = strip_empty_query(&strip_session_ids(&lower)).to_owned();
    let with_scheme = if scheme(&stripped).is_some() { stripped } else { format!("http://{stripped}") };
    let mut parts = HandyUrl::parse(with_scheme.as_bytes())?;
    if let Some(host) = parts.host.as_mut() {
        *host = Cow::Owned(strip_www(host).to_vec());
    }
    if parts.port.is_some()
        && parts.port == default_port(&format!("{}://", String::from_utf8_lossy(&parts.scheme)))
    {
        parts.port = None;
    }
    let mut key = parts.host.as_deref().unwrap_or_default().to_vec();
    parts.push_port(&mut key);
    let mut path =
        into_text(encode(&decode(&parts.path), |byte| !is_path_byte(byte)).into_owned()).replace("%20", "+");
    if path.is_empty() {
        path.push('/');
    }
    let mut bytes = path.into_bytes();
    bytes.dedup_by(|next, previous| *next == b'/' && *previous == b'/');
    key.extend_from_slice(&bytes);
    if let Some(query) = &parts.query {
        key.push(b'?');
        key.extend_from_slice(query);
    }
    Ok(key)
}

/// `http:/one.com` with the slash somebody lost: browsers and rewritten links did that.
pub fn fix_scheme(url: &str) -> Cow<'_, str> {
    for scheme in ["http:/", "https:/", "ftp:/", "rtsp:/", "mms:/"] {
        if let Some(rest) = url.strip_prefix(scheme)
            && !rest.starts_with('/')
        {
            return Cow::Owned(format!("{scheme}/{rest}"));
        }
    }
    Cow::Borrowed(url)
}

/// The scheme with its slashes, `http://`, if it is one that old archives know.
pub fn scheme(url: &str) -> Option<&'static str> {
    SCHEMES.into_iter().find(|scheme| url.starts_with(scheme))
}

/// The usual port of a scheme written `http://`.
pub fn default_port(scheme: &str) -> Option<u16> {
    Some(match scheme {
        "http://" => 80,
        "https://" => 443,
        "ftp://" => 21,
        "rtsp://" => 554,
        "mms://" => 1755,
        _ => return None,
    })
}

/// The host in lower case, of a `dns:` URI too; the URL itself where there is none to be found.
pub fn host(url: &str) -> String {
    let lower = url.to_lowercase();
    if let Some(name) = lower.strip_prefix("dns:") {
        return name.to_owned();
    }
    match scheme(&lower).and_then(|scheme| lower.strip_prefix(scheme)) {
        Some(rest) => authority(rest).map_or_else(|| url.to_owned(), |(_, host)| host.to_owned()),
        None => url.to_owned(),
    }
}

/// User and password in lower case: `user:pass`.
pub fn user_info(url: &str) -> Option<String> {
    let lower = url.to_lowercase();
    let rest = scheme(&lower).and_then(|scheme| lower.strip_prefix(scheme))?;
    authority(rest).and_then(|(user, _)| user).map(str::to_owned)
}

/// The folder above: `http://a.b/c/` of `http://a.b/c/d`, `None` at the root and for what is no URL.
pub fn parent_folder(url: &str) -> Option<String> {
    let mut parsed = url::Url::parse(url).ok()?;
    let path = parsed.path().to_owned();
    let shorter = path.strip_suffix('/').unwrap_or(&path);
    let (folder, _) = shorter.rsplit_once('/')?;
    parsed.set_path(&format!("{folder}/"));
    parsed.set_query(None);
    parsed.set_fragment(None);
    Some(parsed.into())
}

/// From the first slash after the host on; `/` where there is none.
pub fn path(url: &str) -> &str {
    let lower = url.to_ascii_lowercase();
    let start = scheme(&lower).map_or(0, str::len);
    let rest = url.get(start..).unwrap_or(url);
    rest.find('/').and_then(|at| rest.get(at..)).unwrap_or("/")
}

/// Without `:80` and the like, where that is the usual port of the scheme.
pub fn strip_default_port(url: &str) -> Cow<'_, str> {
    let Some(scheme) = scheme(url) else { return Cow::Borrowed(url) };
    let Some(port) = default_port(scheme) else { return Cow::Borrowed(url) };
    let rest = url.get(scheme.len()..).unwrap_or_default();
    let (authority, path) = rest.split_at_checked(rest.find('/').unwrap_or(rest.len())).unwrap_or((rest, ""));
    match authority.strip_suffix(&format!(":{port}")) {
        Some(host) => Cow::Owned(format!("{scheme}{host}{path}")),
        None => Cow::Borrowed(url),
    }
}

/// User, if any, and host at the start of this text, which is in lower case.
fn authority(text: &str) -> Option<(Option<&str>, &str)> {
    let is_host = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_.-".contains(&byte);
    let run = |text: &str, test: &dyn Fn(u8) -> bool| text.bytes().take_while(|byte| test(*byte)).count();
    let user = run(text, &|byte| is_host(byte) || byte == b':');
    if user > 0 && text.as_bytes().get(user) == Some(&b'@') {
        let rest = text.get(user + 1..)?;
        let host = run(rest, &is_host);
        if host > 0 {
            return Some((text.get(..user), rest.get(..host)?));
        }
    }
    let start = text.bytes().position(is_host)?;
    let rest = text.get(start..)?;
    Some((None, rest.get(..run(rest, &is_host))?))
}

/// Session ids anywhere behind the host.
fn strip_session_ids(url: &str) -> String {
    let start = scheme(url).map_or(0, str::len);
    let path = url.get(start..).and_then(|rest| rest.find('/')).map_or(url.len(), |at| start + at);
    let (front, rest) = url.split_at_checked(path).unwrap_or((url, ""));
    let path_length = rest.find('?').unwrap_or(rest.len());
    let (path, query) = rest.split_at_checked(path_length).unwrap_or((rest, ""));
    let path = session::strip_path(path.as_bytes()).into_owned();
    let query = session::strip_query(query.as_bytes()).into_owned();
    format!("{front}{}{}", into_text(path), into_text(query))
}

fn strip_empty_query(url: &str) -> &str {
    match url.rfind('?') {
        Some(at) if at > 0 => {
            url.trim_end_matches('&').strip_suffix('?').unwrap_or(url.trim_end_matches('&'))
        }
        _ => url,
    }
}

/// What RFC 2396 allows in a path without escaping.
fn is_path_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-_.!~*'():@&=+$,;/".contains(&byte)
}
