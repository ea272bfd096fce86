//! Where the body of a response ends, as its head says (RFC 9112, 6.3), and whether the connection may be used again.

use warc::HttpHead;

use super::{Asked, Oddity, Version};

/// How long the body is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Framing {
    /// There is none.
    None,
    /// So many bytes. If several lengths are given, the largest, and the connection may end at the smallest.
    Length { most: u64, least: u64 },
    /// In chunks.
    Chunked,
    /// Up to the end of the connection.
    Close,
}

impl Framing {
    pub(super) fn of(head: &HttpHead, asked: Asked, oddities: &mut Vec<Oddity>) -> Framing {
        let status = head.status().unwrap_or_default();
        if asked == Asked::Head || matches!(status, 204 | 304) {
            return Framing::None;
        }
        let lengths = lengths(head, oddities);
        if head.get("transfer-encoding").is_some_and(|value| !value.eq_ignore_ascii_case(b"identity")) {
            if lengths.is_some() {
                oddities.push(Oddity::LengthAndChunks);
            }
            return if head.is_chunked() { Framing::Chunked } else { Framing::Close };
        }
        match lengths {
            None => Framing::Close,
            Some((0, 0)) => Framing::None,
            Some((least, most)) => Framing::Length { most, least },
        }
    }
}

/// The smallest and largest of the announced lengths.
fn lengths(head: &HttpHead, oddities: &mut Vec<Oddity>) -> Option<(u64, u64)> {
    let mut found: Option<(u64, u64)> = None;
    let fields = head.fields().filter(|(name, _)| name.eq_ignore_ascii_case(b"content-length"));
    for value in fields.flat_map(|(_, value)| value.split(|&byte| byte == b',')) {
        match number(value.trim_ascii()) {
            Some(length) => {
                let (least, most) = found.unwrap_or((length, length));
                found = Some((least.min(length), most.max(length)));
            }
            None if !oddities.contains(&Oddity::BadLength) => oddities.push(Oddity::BadLength),
            None => {}
        }
    }
    if found.is_some_and(|(least, most)| least != most) {
        oddities.push(Oddity::ConflictingLengths);
    }
    found
}

fn number(digits: &[u8]) -> Option<u64> {
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    std::str::from_utf8(digits).ok()?.parse().ok()
}

/// Whether the server will take another request on this connection, once this response has ended.
pub(super) fn keeps_alive(head: &HttpHead, version: Version) -> bool {
    let connection = ["connection", "proxy-connection"].into_iter().find_map(|name| head.get(name));
    let has = |word: &[u8]| {
        connection.is_some_and(|value| {
            value.split(|&byte| byte == b',').any(|given| given.trim_ascii().eq_ignore_ascii_case(word))
        })
    };
    match version {
        Version::Http11 => !has(b"close"),
        Version::Http10 => has(b"keep-alive"),
        _ => false,
    }
}
