//! The canonical forms of `urlcanon`, the library of the IIPC: a list of small steps for each.
//!
//! A step changes one thing in [`Parts`] and knows nothing of the others. The order matters and is the peers'.

use crate::host::tidy_dots;
use crate::parts::{Parts, default_port, is_tab_or_newline};
use crate::pathdots::resolve_path_dots;
use crate::percent::{decode, decode_repeatedly, encode, is_unprintable};

type Step = fn(&mut Parts);

/// What the URL standard does to a text, for bytes of any encoding.
pub(crate) const WHATWG: &[Step] = &[
    remove_junk,
    remove_tabs_and_newlines,
    lowercase_scheme,
    elide_default_port,
    clean_up_userinfo,
    write_two_slashes,
    decode_special_host,
    normalize_address,
    punycode,
    encode_host,
    fix_backslashes,
    encode_path,
    add_leading_slash,
    resolve_dots,
    fill_empty_path,
    encode_userinfo,
    encode_query,
    encode_fragment,
];

/// Google's safe browsing.
pub(crate) const GOOGLE: &[Step] = &[
    remove_junk,
    add_default_scheme,
    remove_tabs_and_newlines,
    lowercase_scheme,
    fix_backslashes,
    encode_path,
    fill_empty_path,
    elide_default_port,
    clean_up_userinfo,
    add_leading_slash,
    write_two_slashes,
    remove_fragment,
    decode_all,
    resolve_dots,
    tidy_host_dots,
    collapse_slashes,
    punycode,
    normalize_address,
    encode_all_least,
];

/// URLs that mean the same are equal; fragments count.
pub(crate) const SEMANTIC_PRECISE: &[Step] = &[
    remove_junk,
    add_default_scheme,
    remove_tabs_and_newlines,
    lowercase_scheme,
    elide_default_port,
    clean_up_userinfo,
    write_two_slashes,
    decode_all_but_query,
    normalize_address,
    tidy_host_dots,
    punycode,
    remove_userinfo,
    encode_by_part,
    recode_query,
    fix_backslashes,
    add_leading_slash,
    resolve_dots,
    collapse_slashes,
    fill_empty_path,
    sort_query,
];

/// What [`SEMANTIC_PRECISE`] with the fragment removed leaves apart and archives do not.
pub(crate) const AGGRESSIVE: &[Step] = &[
    https_to_http,
    strip_www,
    lowercase_path,
    lowercase_query,
    strip_query_sessions,
    strip_path_sessions,
    strip_trailing_slash,
    remove_redundant_ampersands,
    omit_empty_query,
    sort_query,
];

pub(crate) fn run(parts: &mut Parts, steps: &[Step]) {
    steps.iter().for_each(|step| step(parts));
}

pub(crate) fn remove_fragment(parts: &mut Parts) {
    parts.hash_sign.clear();
    parts.fragment.clear();
}

fn remove_junk(parts: &mut Parts) {
    parts.leading_junk.clear();
    parts.trailing_junk.clear();
}

fn remove_tabs_and_newlines(parts: &mut Parts) {
    let Parts { scheme, slashes, username, password, host, port, path, query, fragment, .. } = parts;
    for part in [scheme, slashes, username, password, host, port, path, query, fragment] {
        part.retain(|byte| !is_tab_or_newline(*byte));
    }
}

fn lowercase_scheme(parts: &mut Parts) {
    parts.scheme.make_ascii_lowercase();
}

fn add_default_scheme(parts: &mut Parts) {
    if parts.scheme.is_empty() {
        parts.scheme = b"http".to_vec();
        parts.colon_after_scheme = b":".to_vec();
        let text = std::mem::take(&mut parts.path);
        if !text.is_empty() {
            parts.set_after_scheme(&text);
        }
    }
}

fn fix_backslashes(parts: &mut Parts) {
    if parts.is_special() {
        parts.slashes.fill(b'/');
        parts.path.iter_mut().filter(|byte| **byte == b'\\').for_each(|byte| *byte = b'/');
    }
}

fn elide_default_port(parts: &mut Parts) {
    if default_port(&parts.scheme).is_some_and(|port| !port.is_empty() && port == parts.port) {
        parts.colon_before_port.clear();
        parts.port.clear();
    }
}

fn clean_up_userinfo(parts: &mut Parts) {
    if parts.password.is_empty() {
        parts.colon_before_password.clear();
        if parts.username.is_empty() {
            parts.at_sign.clear();
        }
    }
}

fn write_two_slashes(parts: &mut Parts) {
    if !parts.slashes.is_empty() || !parts.authority().is_empty() || parts.scheme == b"file" {
        parts.slashes = b"//".to_vec();
    }
}

fn decode_special_host(parts: &mut Parts) {
    if parts.is_special() {
        parts.host = decode(&parts.host).into_owned();
    }
}

fn normalize_address(parts: &mut Parts) {
    if let Some(address) = parts.ipv4() {
        parts.host = address.to_string().into_bytes();
    } else if let Some(address) = parts.ipv6() {
        parts.host = format!("[{address}]").into_bytes();
    }
}

fn tidy_host_dots(parts: &mut Parts) {
    parts.host = tidy_dots(&parts.host).into_owned();
}

/// A name to ASCII. One that cannot be stays as it is: it was archived under some name, after all.
fn punycode(parts: &mut Parts) {
    use idna::uts46::{DnsLength, Hyphens, Uts46};
    let Ok(name) = std::str::from_utf8(&parts.host) else { return };
    if name.is_empty() || !parts.is_special() {
        return;
    }
    let ascii = Uts46::new()
        .to_ascii(name.as_bytes(), idna::AsciiDenyList::EMPTY, Hyphens::Allow, DnsLength::Ignore)
        .ok()
        .or_else(|| name.is_ascii().then(|| name.to_ascii_lowercase().into()));
    let fits = |ascii: &str| {
        ascii.strip_suffix('.').unwrap_or(ascii).split('.').all(|label| (1..=63).contains(&label.len()))
    };
    if let Some(ascii) = ascii.filter(|ascii| fits(ascii)) {
        parts.host = ascii.into_owned().into_bytes();
    }
}

fn encode_host(parts: &mut Parts) {
    parts.host = encode(&parts.host, |byte| byte <= b' ' || byte >= 0x7f).into_owned();
}

fn encode_path(parts: &mut Parts) {
    let opaque = !parts.path.starts_with(b"/") && !parts.is_special();
    parts.path = encode(&parts.path, |byte| {
        is_control(byte) || (!opaque && (byte == b' ' || b"\"#<>?`{}".contains(&byte)))
    })
    .into_owned();
}

fn encode_userinfo(parts: &mut Parts) {
    for part in [&mut parts.username, &mut parts.password] {
        *part =
            encode(part, |byte| is_control(byte) || byte == b' ' || b"\"#<>?`{}/:;=@[\\]^|".contains(&byte))
                .into_owned();
    }
}

fn encode_query(parts: &mut Parts) {
    parts.query =
        encode(&parts.query, |byte| is_control(byte) || matches!(byte, b' ' | b'"' | b'#' | b'<' | b'>'))
            .into_owned();
}

fn encode_fragment(parts: &mut Parts) {
    parts.fragment = encode(&parts.fragment, is_control).into_owned();
}

fn is_control(byte: u8) -> bool {
    !(b' '..0x7f).contains(&byte)
}

fn add_leading_slash(parts: &mut Parts) {
    if parts.is_special() && !parts.path.starts_with(b"/") {
        parts.path.insert(0, b'/');
    }
}

fn fill_empty_path(parts: &mut Parts) {
    if parts.path.is_empty() && parts.is_special() && !parts.authority().is_empty() {
        parts.path.push(b'/');
    }
}

fn resolve_dots(parts: &mut Parts) {
    parts.path = resolve_path_dots(&parts.path, parts.is_special());
}

fn collapse_slashes(parts: &mut Parts) {
    if parts.is_special() {
        parts.path.dedup_by(|next, previous| *next == b'/' && *previous == b'/');
    }
}

fn decode_all_but_query(parts: &mut Parts) {
    let Parts { scheme, username, password, host, port, path, fragment, .. } = parts;
    for part in [scheme, username, password, host, port, path, fragment] {
        *part = decode_repeatedly(part).into_owned();
    }
}

fn decode_all(parts: &mut Parts) {
    decode_all_but_query(parts);
    parts.query = decode_repeatedly(&parts.query).into_owned();
}

fn encode_all_least(parts: &mut Parts) {
    let Parts { scheme, username, password, host, port, path, query, fragment, .. } = parts;
    for part in [scheme, username, password, host, port, path, query, fragment] {
        *part = encode(part, is_unprintable).into_owned();
    }
}

/// The least escapes that keep each part apart from the next one.
fn encode_by_part(parts: &mut Parts) {
    let Parts { scheme, username, password, host, port, path, fragment, .. } = parts;
    for part in [scheme, host, port, fragment] {
        *part = encode(part, is_unprintable).into_owned();
    }
    for part in [username, password] {
        *part = encode(part, |byte| is_unprintable(byte) || matches!(byte, b':' | b'@')).into_owned();
    }
    *path = encode(path, |byte| is_unprintable(byte) || byte == b'?').into_owned();
}

/// Names and values are decoded and escaped each for itself, so that an escaped `&` does not begin a new field.
fn recode_query(parts: &mut Parts) {
    let recode = |text: &[u8]| {
        encode(&decode_repeatedly(text), |byte| is_unprintable(byte) || matches!(byte, b'&' | b'='))
            .into_owned()
    };
    let fields =
        parts.query.split(|byte| *byte == b'&').map(|field| match crate::handy::split_at_byte(field, b'=') {
            (name, Some(value)) => [recode(name), recode(value)].join(&b'='),
            (name, None) => recode(name),
        });
    parts.query = fields.collect::<Vec<_>>().join(&b'&');
}

fn remove_userinfo(parts: &mut Parts) {
    for part in
        [&mut parts.username, &mut parts.colon_before_password, &mut parts.password, &mut parts.at_sign]
    {
        part.clear();
    }
}

fn sort_query(parts: &mut Parts) {
    let mut fields: Vec<&[u8]> = parts.query.split(|byte| *byte == b'&').collect();
    fields.sort_unstable();
    parts.query = fields.join(&b'&');
}

fn https_to_http(parts: &mut Parts) {
    if parts.scheme == b"https" {
        parts.scheme = b"http".to_vec();
    }
}

fn strip_www(parts: &mut Parts) {
    parts.host = crate::host::strip_www(&parts.host).to_vec();
}

fn lowercase_path(parts: &mut Parts) {
    parts.path.make_ascii_lowercase();
}

fn lowercase_query(parts: &mut Parts) {
    parts.query.make_ascii_lowercase();
}

fn strip_query_sessions(parts: &mut Parts) {
    parts.query = crate::session::strip_fields(&parts.query);
}

fn strip_path_sessions(parts: &mut Parts) {
    parts.path = crate::session::strip_segments(&parts.path);
}

fn strip_trailing_slash(parts: &mut Parts) {
    if parts.path.len() > 1 && parts.path.ends_with(b"/") {
        parts.path.pop();
    }
}

fn remove_redundant_ampersands(parts: &mut Parts) {
    let fields: Vec<&[u8]> =
        parts.query.split(|byte| *byte == b'&').filter(|field| !field.is_empty()).collect();
    parts.query = fields.join(&b'&');
}

fn omit_empty_query(parts: &mut Parts) {
    if parts.query.is_empty() {
        parts.question_mark.clear();
    }
}
