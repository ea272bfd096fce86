//! Makes a sloppy URL fetchable: as a link stood in a page, so that servers and browsers of any age take it.
//!
//! The result holds by the URL standard, RFC 3986 and RFC 2396 at once. Pages in old encodings need their encoding, for
//! the query is sent in it; the path usually is not.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8};

use crate::Error;
use crate::host::to_ascii_2003;
use crate::percent::{self, encode, into_text};
use crate::split::{Split, is_special, split};

/// The encodings of the page in which the link was found.
#[derive(Debug, Clone, Copy)]
pub struct PageEncoding {
    /// For the query and the fragment, and for bytes given as such.
    pub query: &'static Encoding,
    /// For the path. Browsers always use UTF-8.
    pub path: &'static Encoding,
    /// Escape the path at all.
    pub quote_path: bool,
}

impl Default for PageEncoding {
    fn default() -> PageEncoding {
        PageEncoding { query: UTF_8, path: UTF_8, quote_path: true }
    }
}

/// Text out of the bytes of a page; bytes that its encoding does not know are escaped rather than lost.
pub fn decode(bytes: &[u8], encoding: &'static Encoding) -> String {
    if encoding != UTF_8
        && let Some(text) = encoding.decode_without_bom_handling_and_without_replacement(bytes)
    {
        return text.into_owned();
    }
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            let mut escape = Vec::with_capacity(3);
            percent::push_escape(&mut escape, *byte);
            text.push_str(&into_text(escape));
        }
    }
    text
}

/// The URL with everything escaped that needs it and nothing twice. A URL that is safe already stays as it is.
///
/// ```
/// use urlkey::repair::{PageEncoding, safe_url};
/// let url = safe_url("http://www.räksmörgås.se/a b?q=é", PageEncoding::default())?;
/// assert_eq!(url, "http://www.xn--rksmrgs-5wao1o.se/a%20b?q=%C3%A9");
/// # Ok::<(), urlkey::Error>(())
/// ```
///
/// # Errors
/// As [`split`].
pub fn safe_url(url: &str, encoding: PageEncoding) -> Result<String, Error> {
    safe_split(url, encoding).map(|parts| parts.join())
}

/// As [`safe_url`], ready to be fetched: no fragment, dots in the path resolved, never above the root.
///
/// # Errors
/// As [`split`].
pub fn download_url(url: &str, encoding: PageEncoding) -> Result<String, Error> {
    let safe = safe_url(url, encoding)?;
    let mut parts = split(&safe)?;
    parts.fragment = Cow::Borrowed("");
    if parts.path.is_empty() {
        parts.path = Cow::Borrowed("/");
    } else {
        let slash = parts.path.ends_with('/');
        let mut path = normal_path(&decode_dots(&parts.path));
        if slash && !path.ends_with('/') {
            path.push('/');
        }
        parts.path = Cow::Owned(path);
    }
    Ok(parts.join())
}

/// Escapes what no URI may hold and leaves all else, letters of any script included: jwarc's lenient parser.
///
/// ```
/// assert_eq!(urlkey::repair::escape_illegal("https://example.com/a b路?c d%25#e f"), "https://example.com/a%20b路?c%20d%25#e%20f");
/// ```
pub fn escape_illegal(url: &str) -> String {
    let parts = crate::Parts::parse(url.as_bytes());
    let front = [
        parts.leading_junk.as_slice(),
        &parts.scheme,
        &parts.colon_after_scheme,
        &parts.slashes,
        &parts.authority(),
    ];
    let mut escaped = into_text(front.concat());
    push_legal(&mut escaped, &parts.path, "");
    for (mark, part) in [(&parts.question_mark, &parts.query), (&parts.hash_sign, &parts.fragment)] {
        escaped.push_str(&String::from_utf8_lossy(mark));
        push_legal(&mut escaped, part, "?[]");
    }
    push_legal(&mut escaped, &parts.trailing_junk, "");
    escaped
}

/// Escapes, in lower case, what is not legal in a path by RFC 2396, nor in this list, nor a letter beyond ASCII.
fn push_legal(out: &mut String, part: &[u8], also: &str) {
    let text = String::from_utf8_lossy(part);
    for (at, char) in text.char_indices() {
        let hex = |offset: usize| text.as_bytes().get(at + offset).is_some_and(u8::is_ascii_hexdigit);
        let legal =
            char.is_ascii_alphanumeric() || "_-!.~'()*,;:$&+=/@".contains(char) || also.contains(char);
        let escape = char == '%' && hex(1) && hex(2);
        let other = !char.is_ascii() && !char.is_control() && !char.is_whitespace();
        if legal || escape || other {
            out.push(char);
        } else {
            let mut buffer = [0; 4];
            for byte in char.encode_utf8(&mut buffer).bytes() {
                out.push_str(&format!("%{byte:02x}"));
            }
        }
    }
}

/// With `http` in front where there is no scheme; after `//` only the scheme is missing.
pub fn add_http(url: &str) -> String {
    let word = |char: char| char.is_alphanumeric() || char == '_';
    match url.split_once("://") {
        Some((scheme, _)) if !scheme.is_empty() && scheme.chars().all(word) => url.to_owned(),
        _ if split(url).is_ok_and(|parts| !parts.authority.is_empty()) => format!("http:{url}"),
        _ => format!("http://{url}"),
    }
}

/// The path of a `file:` URL, decoded; any other text is taken as a path.
pub fn file_path(url: &str) -> String {
    match split(url) {
        Ok(parts) => into_text(percent::decode(parts.path_and_parameters().0.as_bytes()).into_owned()),
        Err(_) => url.to_owned(),
    }
}

/// Does this text begin like a URL that a crawler would follow: `http`, `https` or `file`?
pub fn looks_like_url(text: &str) -> bool {
    matches!(text.split_once("://"), Some(("http" | "https" | "file", _)))
}

pub(crate) fn safe_split(url: &str, encoding: PageEncoding) -> Result<Split<'static>, Error> {
    let trimmed = url.trim_matches(|char: char| char <= ' ');
    let parts = split(trimmed)?;
    let special = is_special(&parts.scheme);
    let query_bytes = encode_text(&parts.query, encoding.query);
    let query = escape(&query_bytes, |byte| is_safe(byte) && !(special && byte == b'\''));
    let fragment = escape(&encode_text(&parts.fragment, encoding.query), is_safe);
    let mut path = if encoding.quote_path {
        escape(&encode_text(&parts.path, encoding.path), is_safe)
    } else {
        parts.path.to_string()
    };
    if path.is_empty() && !query.is_empty() && special {
        path.push('/');
    }
    let authority = safe_authority(&parts)?;
    Ok(Split {
        scheme: parts.scheme,
        authority: Cow::Owned(authority),
        path: Cow::Owned(path),
        query: Cow::Owned(query),
        fragment: Cow::Owned(fragment),
    })
}

fn safe_authority(parts: &Split<'_>) -> Result<String, Error> {
    let authority = parts.parse_authority()?;
    let mut safe = String::new();
    if let Some(user) = authority.user {
        safe.push_str(&safe_userinfo(user));
        if let Some(password) = authority.password {
            safe.push(':');
            safe.push_str(&safe_userinfo(password));
        }
        safe.push('@');
    }
    let host = match authority.host.split_once('%') {
        Some((host, zone)) => format!("{}%{zone}", host.to_lowercase()),
        None => authority.host.to_lowercase(),
    };
    if host.contains(':') {
        safe.push_str(&format!("[{host}]"));
    } else if host.is_ascii() {
        safe.push_str(&host);
    } else {
        // A name that cannot be encoded is left to whoever resolves it.
        safe.push_str(&to_ascii_2003(&host).map_or(host, into_text));
    }
    if let Some(port) = authority.port {
        safe.push_str(&format!(":{port}"));
    }
    Ok(safe)
}

fn safe_userinfo(text: &str) -> String {
    let keep = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,".contains(&byte);
    escape(&percent::decode(text.as_bytes()), keep)
}

/// Reserved and unreserved characters of RFC 3986 but `#[]`, and the `%` that begins an escape.
pub(crate) fn is_safe(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~:/?@!$&'()*+,;=%".contains(&byte)
}

pub(crate) fn escape(bytes: &[u8], keep: impl Fn(u8) -> bool) -> String {
    into_text(encode(bytes, |byte| !keep(byte)).into_owned())
}

fn encode_text<'t>(text: &'t str, encoding: &'static Encoding) -> Cow<'t, [u8]> {
    match encoding.encode(text) {
        (bytes, _, false) => bytes,
        // What the encoding of the page has no letter for is sent in UTF-8.
        _ => Cow::Borrowed(text.as_bytes()),
    }
}

/// A path as a file system would see it: no empty segments, no dots, and never above where it begins. Two slashes in
/// front, but not three, may mean something and stay.
fn normal_path(path: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    for segment in path.split('/') {
        match segment {
            "" | "." => {}
            ".." => {
                kept.pop();
            }
            segment => kept.push(segment),
        }
    }
    let root = match path.len() - path.trim_start_matches('/').len() {
        0 if kept.is_empty() => ".",
        0 => "",
        2 => "//",
        _ => "/",
    };
    root.to_owned() + &kept.join("/")
}

fn decode_dots(path: &str) -> String {
    let segments = path.split('/').map(|segment| match segment.to_ascii_lowercase().as_str() {
        "%2e" => ".",
        ".%2e" | "%2e." | "%2e%2e" => "..",
        _ => segment,
    });
    segments.collect::<Vec<_>>().join("/")
}
